import { Box } from '@chakra-ui/react'
import { Card } from '@/ui/layout'
import { Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { PostSkeletons } from './PostSkeletons'

/** The shape of the home feed with its composer. */
export function FeedSkeleton() {
  return (
    <Box display="flex" flexDirection="column" gap={{ base: '2', md: '4' }}>
      <Card display="flex" gap="3" padding={{ base: '4', md: '5' }}>
        <SkeletonCircle />
        <Box flex="1" paddingBottom="14">
          <Skeleton height="4" width="50%" marginTop="3.5" />
        </Box>
      </Card>
      <Card>
        <PostSkeletons />
      </Card>
    </Box>
  )
}

import { Box } from '@chakra-ui/react'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'

/** The shape of a conversation list that is on its way. */
export function ConversationSkeleton() {
  return (
    <Loading label="Loading conversations">
      {['70%', '45%', '60%', '52%'].map((width) => (
        <Box key={width} display="flex" gap="3" alignItems="center" paddingInline="4" paddingBlock="3">
          <SkeletonCircle />
          <Box flex="1">
            <Skeleton height="3.5" width="50%" />
            <Skeleton height="3" width={width} marginTop="2" />
          </Box>
        </Box>
      ))}
    </Loading>
  )
}

import { Box } from '@chakra-ui/react'
import { Loading, Skeleton, SkeletonCircle, SkeletonText } from '@/ui/Skeleton'

/** The shape of `count` posts that are on their way (at most 3). */
export function PostSkeletons({ count = 3 }: { count?: number }) {
  return (
    <Loading label="Loading posts">
      {(['first', 'second', 'third'] as const).slice(0, count).map((one, index) => (
        <Box
          key={one}
          display="flex"
          gap="3"
          paddingInline={{ base: '4', md: '5' }}
          paddingBlock="4"
          borderTopWidth={index ? '1px' : '0'}
        >
          <SkeletonCircle />
          <Box flex="1">
            <Skeleton height="3.5" width="38%" />
            <SkeletonText lines={2 + (index % 2)} marginTop="3.5" />
            <Skeleton height="4" width="12%" marginTop="5" />
          </Box>
        </Box>
      ))}
    </Loading>
  )
}

import { Box } from '@chakra-ui/react'
import { Loading, Skeleton, SkeletonCircle, SkeletonText } from '@/ui/Skeleton'

/** The shape of `count` posts that are on their way (at most 3): who and when, some lines, a picture, the buttons. */
export function PostSkeletons({ count = 3 }: { count?: number }) {
  return (
    <Loading label="Loading posts">
      {(['first', 'second', 'third'] as const).slice(0, count).map((one, index) => (
        <Box
          key={one}
          display="flex"
          gap="3"
          paddingInline={{ base: '4', md: '5' }}
          paddingTop="4"
          paddingBottom="2"
          borderTopWidth={index ? '1px' : '0'}
        >
          <SkeletonCircle />
          <Box flex="1">
            <Box display="flex" alignItems="center" height="6">
              <Skeleton height="3.5" width="38%" />
            </Box>
            <SkeletonText lines={2} marginTop="2.5" />
            {index === 1 && <Skeleton height="auto" aspectRatio="4 / 3" borderRadius="md" marginTop="3.5" />}
            <Box display="flex" alignItems="center" gap="8" height="target" marginTop="2">
              <Skeleton height="4" width="9" />
              <Skeleton height="4" width="9" />
              <Skeleton height="4" width="9" />
            </Box>
          </Box>
        </Box>
      ))}
    </Loading>
  )
}

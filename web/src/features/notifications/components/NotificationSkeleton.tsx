import { Box } from '@chakra-ui/react'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'

/** Three notifications that are on their way. */
export function NotificationSkeleton({ label }: { label: string }) {
  return (
    <Loading label={label}>
      {['65%', '50%', '72%'].map((width) => (
        <Box key={width} display="flex" gap="3" paddingInline="4" paddingBlock="3">
          <SkeletonCircle />
          <Box flex="1">
            <Skeleton height="3.5" width="40%" />
            <Skeleton height="3" width={width} marginTop="2" />
            <Skeleton height="2.5" width="24%" marginTop="2" />
          </Box>
        </Box>
      ))}
    </Loading>
  )
}

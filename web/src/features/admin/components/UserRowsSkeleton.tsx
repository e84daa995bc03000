import { Box } from '@chakra-ui/react'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'

/** Rows about people that are not there yet. */
export function UserRowsSkeleton({ label }: { label: string }) {
  return (
    <Loading label={label}>
      {['first', 'second', 'third'].map((row) => (
        <Box key={row} display="flex" alignItems="center" gap="4" padding="5" borderTopWidth="1px">
          <SkeletonCircle />
          <Box flex="1">
            <Skeleton height="3.5" width="35%" />
            <Skeleton height="3" width="55%" marginTop="2" />
          </Box>
          <Skeleton height="5" width="5rem" borderRadius="full" />
        </Box>
      ))}
    </Loading>
  )
}

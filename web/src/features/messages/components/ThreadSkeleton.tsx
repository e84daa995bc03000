import { Box } from '@chakra-ui/react'
import { Loading, Skeleton } from '@/ui/Skeleton'

/** The shape of a thread that is on its way. */
export function ThreadSkeleton() {
  return (
    <Box asChild flex="1" minHeight="0" padding="4" overflow="hidden">
      <Loading label="Loading messages">
        {[
          ['start', '55%'],
          ['start', '35%'],
          ['end', '45%'],
          ['start', '60%'],
          ['end', '30%'],
        ].map(([side, width]) => (
          <Box key={width} display="flex" justifyContent={`flex-${side}`} marginBottom="4">
            <Skeleton height="10" width={width} borderRadius="lg" />
          </Box>
        ))}
      </Loading>
    </Box>
  )
}

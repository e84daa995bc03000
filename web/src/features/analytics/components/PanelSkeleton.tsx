import { Card } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'

/** A panel on its way; `plot` is the height of what stands below its figure. */
export function PanelSkeleton({ label, plot = '16rem' }: { label: string; plot?: string }) {
  return (
    <Card padding={{ base: '4', md: '5' }}>
      <Loading label={label}>
        <Skeleton height="4" width="7rem" />
        <Skeleton height="8" width="9rem" marginTop="3" />
        <Skeleton height={plot} marginTop="4" borderRadius="md" />
      </Loading>
    </Card>
  )
}

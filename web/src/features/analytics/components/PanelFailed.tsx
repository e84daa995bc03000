import { messageOf } from '@/lib/api'
import { Card } from '@/ui/layout'
import { ErrorState } from '@/ui/states'

/** Figures did not come: says so where they would stand. */
export function PanelFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Card>
      <ErrorState
        message={messageOf(error, 'Your figures cannot be reached at the moment.')}
        onRetry={onRetry}
      />
    </Card>
  )
}

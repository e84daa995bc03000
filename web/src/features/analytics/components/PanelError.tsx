import { errorMessage } from '@/lib/api'
import { Card } from '@/ui/layout'
import { ErrorState } from '@/ui/states'

/** Figures did not come: says so where they would stand. */
export function PanelError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Card>
      <ErrorState
        message={errorMessage(error, 'Your figures cannot be reached at the moment.')}
        onRetry={onRetry}
      />
    </Card>
  )
}

import { paths } from '@/paths'
import { ButtonLink } from '@/ui/Button'
import { ChartDrawing } from '@/ui/drawings'
import { Card } from '@/ui/layout'
import { EmptyState } from '@/ui/states'

/** A creator whose posts nobody has seen. */
export function NothingYet() {
  return (
    <Card>
      <EmptyState
        drawing={<ChartDrawing />}
        title="Nobody has seen your posts yet"
        text="Your figures begin with the first person who does. They are counted every few minutes."
        action={
          <ButtonLink to={paths.profile.getHref()} variant="ember">
            Go to your profile
          </ButtonLink>
        }
      />
    </Card>
  )
}

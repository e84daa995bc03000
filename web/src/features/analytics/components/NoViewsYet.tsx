import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { ChartIllustration } from '@/ui/illustrations'
import { Card } from '@/ui/layout'
import { EmptyState } from '@/ui/states'

/** A creator whose posts nobody has seen. */
export function NoViewsYet() {
  return (
    <Card>
      <EmptyState
        drawing={<ChartIllustration />}
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

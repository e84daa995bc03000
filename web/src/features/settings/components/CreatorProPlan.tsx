import { limits } from '@contract/limits.ts'
import type { CreatorPro } from '@contract/payment.ts'
import type { OwnUser } from '@contract/user.ts'
import { useQuery } from '@tanstack/react-query'
import { creatorProQuery } from '@/billing/creator-pro'
import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { Badge } from '@/ui/Badge'
import { ButtonLink } from '@/ui/Button'
import { InlineError } from '@/ui/states'
import { PaidPlan } from './PaidPlan'
import { PlanNote, PlanPrice } from './PlanPrice'
import { SettingsPanel } from './SettingsPanel'

const brings = 'A creator’s ring and badge, premium posts, and the way into Analytics and Earnings.'

/** The plan of creators: what it costs, how one's own stands, and what can be done about it. */
export function CreatorProPlan() {
  const { user } = useCurrentUser()
  // Read anew whenever it is shown: it is paid for elsewhere, and ends by itself.
  const { data, isError, refetch } = useQuery({ ...creatorProQuery, staleTime: 0 })
  if (!user) return null
  if (isError && !data) {
    return (
      <SettingsPanel
        title="Creator Pro Plan"
        text={<PlanPrice price={limits.creatorProPrice} />}
        action={<InlineError text="Your plan did not load." onRetry={() => void refetch()} />}
      />
    )
  }
  if (data?.plan || (data?.billing && !user.isCreator)) {
    return <PaidPlan pro={data} user={user} />
  }
  return <FreePlan pro={data} user={user} />
}

/** Where nothing is to be paid, or nothing is paid by who was a creator before. */
function FreePlan({ pro, user }: { pro: CreatorPro | undefined; user: OwnUser }) {
  const text = pro?.billing
    ? 'You are a creator already, and nothing is charged for it. Once switched off, it comes back with an upgrade alone.'
    : user.isCreator
      ? 'Nothing is charged for it today, and no card is kept. You switch it off in your profile settings.'
      : `${brings} Nothing is charged for it today.`
  return (
    <SettingsPanel
      title="Creator Pro Plan"
      text={
        <>
          <PlanPrice
            price={pro?.price ?? limits.creatorProPrice}
            badge={user.isCreator && <Badge tone="success">Active</Badge>}
          />
          {/* Nothing is said of payments before it is known how they are made. */}
          {pro && <PlanNote>{text}</PlanNote>}
        </>
      }
      action={
        <ButtonLink
          to={paths.settings.getHref('profile', 'isCreator')}
          variant={user.isCreator ? 'outline' : 'gold'}
        >
          {user.isCreator ? 'Manage' : 'Become a creator'}
        </ButtonLink>
      }
    />
  )
}

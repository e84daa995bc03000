import { Box } from '@chakra-ui/react'
import type { CreatorPro } from '@contract/payment.ts'
import type { OwnUser } from '@contract/user.ts'
import { useRef, useState } from 'react'
import { openUpgradeDialog, useBillingPortal, useCancelCreatorPro, useUpgrade } from '@/billing/creator-pro'
import { longDate } from '@/lib/format'
import { Badge } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { PlanNote, PlanPrice } from './PlanPrice'
import { SettingsPanel } from './SettingsPanel'

type Plan = NonNullable<CreatorPro['plan']>

/** Creator Pro where it is paid for: upgrade, the next date, the way out and back, and the provider's own page. */
export function PaidPlan({ pro, user }: { pro: CreatorPro; user: OwnUser }) {
  const { plan } = pro
  return (
    <SettingsPanel
      title="Creator Pro Plan"
      text={
        <>
          <PlanPrice price={pro.price} badge={plan && <Standing plan={plan} />} />
          {pro.lapsedAt && (
            <PlanNote>
              Your Creator Pro ended on {longDate(pro.lapsedAt)}. Upgrade to be a creator again.
            </PlanNote>
          )}
          <PlanNote>{plan ? standing(plan, pro.billing) : offer}</PlanNote>
          {plan?.state === 'active' && !user.isCreator && (
            <PlanNote>
              Your Creator Account is switched off: switch it on again in your profile settings.
            </PlanNote>
          )}
        </>
      }
      action={
        <Box display="flex" flexWrap="wrap" gap="2" justifyContent={{ md: 'flex-end' }} flexShrink="0">
          {pro.portal && <ManageBilling />}
          {plan?.state === 'active' ? <CancelOrResume pro={pro} plan={plan} /> : <Upgrade plan={plan} />}
        </Box>
      }
    />
  )
}

const offer =
  'A creator’s ring and badge, premium posts, and the way into Analytics and Earnings. You can cancel at any time; what you posted stays.'

function Standing({ plan }: { plan: Plan }) {
  if (plan.state === 'pending') return <Badge tone="gold">Payment pending</Badge>
  if (isOverdue(plan)) return <Badge tone="gold">Payment overdue</Badge>
  return plan.cancelled ? <Badge tone="neutral">Cancelled</Badge> : <Badge tone="success">Active</Badge>
}

/** Its month is over, and the next one has not been paid yet. */
const isOverdue = ({ periodEnd }: Plan) => periodEnd !== null && Date.parse(periodEnd) <= Date.now()

function standing(plan: Plan, billing: boolean): string {
  const { state, periodEnd, cancelled } = plan
  if (state === 'pending' || !periodEnd) {
    return 'Your first month is not paid yet. It begins as soon as your payment has arrived.'
  }
  const date = longDate(periodEnd)
  if (isOverdue(plan)) {
    return `It was paid until ${date}, and the next month could not be charged yet. It ends soon unless that works.`
  }
  if (!billing)
    return `It is paid until ${date} and not renewed: nothing is charged for a Creator Account any more.`
  return cancelled
    ? `It runs until ${date}. After that you are no longer a creator; what you posted stays.`
    : `It is renewed on ${date}.`
}

function Upgrade({ plan }: { plan: Plan | null }) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      {plan && <CancelPlan periodEnd={null} label="Cancel" />}
      <Button
        ref={button}
        variant="gold"
        aria-haspopup="dialog"
        onClick={() => openUpgradeDialog(() => button.current)}
      >
        {plan ? 'Continue to payment' : 'Upgrade to Creator Pro'}
      </Button>
    </>
  )
}

function CancelOrResume({ pro, plan }: { pro: CreatorPro; plan: Plan }) {
  const resume = useUpgrade()
  if (!plan.cancelled) return <CancelPlan periodEnd={plan.periodEnd} label="Cancel plan" />
  if (!pro.billing) return null
  return (
    <Button variant="gold" pending={resume.isPending} onClick={() => resume.mutate('on')}>
      Resume plan
    </Button>
  )
}

function CancelPlan({ periodEnd, label }: { periodEnd: string | null; label: string }) {
  const button = useRef<HTMLButtonElement>(null)
  const [asking, setAsking] = useState(false)
  const cancel = useCancelCreatorPro(periodEnd)
  const runs = periodEnd !== null && Date.parse(periodEnd) > Date.now()
  return (
    <>
      <Button ref={button} variant="outline" onClick={() => setAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => cancel.mutate(undefined, { onSettled: () => setAsking(false) })}
        pending={cancel.isPending}
        finalFocus={() => button.current}
        title="Cancel Creator Pro?"
        text={
          runs
            ? `It runs until ${longDate(periodEnd)} and is not renewed. After that you are no longer a creator: what you posted stays, and so does what you earned, but Analytics and premium posts are closed to you.`
            : 'It ends at once. What you posted stays.'
        }
        confirmLabel="Cancel Creator Pro"
        cancelLabel="Keep Creator Pro"
      />
    </>
  )
}

function ManageBilling() {
  const portal = useBillingPortal()
  return (
    <Button variant="outline" pending={portal.isPending} onClick={() => portal.mutate()}>
      Manage billing
    </Button>
  )
}

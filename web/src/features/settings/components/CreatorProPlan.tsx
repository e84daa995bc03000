import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { CreatorPro } from '@contract/payment.ts'
import type { OwnUser } from '@contract/user.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import {
  creatorProQuery,
  openUpgradeDialog,
  useBillingPortal,
  useCancelCreatorPro,
  useUpgrade,
} from '@/billing/creator-pro'
import { dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { longDate } from '@/lib/time'
import { useCurrentUser } from '@/session/session'
import { Badge } from '@/ui/Badge'
import { Button, ButtonLink } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { InlineError } from '@/ui/states'
import { SettingsPanel } from './SettingsSection'

const benefits = 'A creator’s ring and badge, premium posts, and the way into Analytics and Earnings.'

/** Shows the Creator Pro plan with its price, its status and the available actions. */
export function CreatorProPlan() {
  const { user } = useCurrentUser()
  // Refetches on every mount, because the user pays on another site and the plan can end by itself.
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

/** Shows the plan if the instance charges nothing for it, or if the user was a creator before it was charged. */
function FreePlan({ pro, user }: { pro: CreatorPro | undefined; user: OwnUser }) {
  const text = pro?.billing
    ? 'You are a creator already, and nothing is charged for it. Once switched off, it comes back with an upgrade alone.'
    : user.isCreator
      ? 'Nothing is charged for it today, and no card is kept. You switch it off in your profile settings.'
      : `${benefits} Nothing is charged for it today.`
  return (
    <SettingsPanel
      title="Creator Pro Plan"
      text={
        <>
          <PlanPrice
            price={pro?.price ?? limits.creatorProPrice}
            badge={user.isCreator && <Badge tone="success">Active</Badge>}
          />
          {/* The text depends on whether the plan is charged, which is unknown until the query has loaded. */}
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

type Plan = NonNullable<CreatorPro['plan']>

/** Shows a plan that is charged: its status, and how to upgrade, cancel, resume or manage billing. */
function PaidPlan({ pro, user }: { pro: CreatorPro; user: OwnUser }) {
  const { plan } = pro
  return (
    <SettingsPanel
      title="Creator Pro Plan"
      text={
        <>
          <PlanPrice price={pro.price} badge={plan && <PlanBadge plan={plan} />} />
          {pro.lapsedAt && (
            <PlanNote>
              Your Creator Pro ended on {longDate(pro.lapsedAt)}. Upgrade to be a creator again.
            </PlanNote>
          )}
          <PlanNote>{plan ? planStatus(plan, pro.billing) : offer}</PlanNote>
          {plan?.state === 'active' && !user.isCreator && (
            <PlanNote>
              Your Creator Account is switched off: switch it on again in your profile settings.
            </PlanNote>
          )}
        </>
      }
      action={
        <Box display="flex" flexWrap="wrap" gap="2" justifyContent={{ md: 'flex-end' }} flexShrink="0">
          {pro.portal && <ManageBillingButton />}
          {plan?.state === 'active' ? (
            <CancelOrResumeButton pro={pro} plan={plan} />
          ) : (
            <UpgradeButton plan={plan} />
          )}
        </Box>
      }
    />
  )
}

const offer = `${benefits} You can cancel at any time; what you posted stays.`

function PlanBadge({ plan }: { plan: Plan }) {
  if (plan.state === 'pending') return <Badge tone="gold">Payment pending</Badge>
  if (isOverdue(plan)) return <Badge tone="gold">Payment overdue</Badge>
  return plan.cancelled ? <Badge tone="neutral">Cancelled</Badge> : <Badge tone="success">Active</Badge>
}

/** Returns whether the paid month is over and the renewal has not been paid. */
const isOverdue = ({ periodEnd }: Plan) => periodEnd !== null && Date.parse(periodEnd) <= Date.now()

function planStatus(plan: Plan, billing: boolean): string {
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

function UpgradeButton({ plan }: { plan: Plan | null }) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      {plan && <CancelPlanButton periodEnd={null} label="Cancel" />}
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

function CancelOrResumeButton({ pro, plan }: { pro: CreatorPro; plan: Plan }) {
  const resume = useUpgrade()
  if (!plan.cancelled) return <CancelPlanButton periodEnd={plan.periodEnd} label="Cancel plan" />
  if (!pro.billing) return null
  return (
    <Button variant="gold" pending={resume.isPending} onClick={() => resume.mutate('resume')}>
      Resume plan
    </Button>
  )
}

function CancelPlanButton({ periodEnd, label }: { periodEnd: string | null; label: string }) {
  const button = useRef<HTMLButtonElement>(null)
  const [isDialogOpen, setDialogOpen] = useState(false)
  const cancel = useCancelCreatorPro(periodEnd)
  const isRunning = periodEnd !== null && Date.parse(periodEnd) > Date.now()
  return (
    <>
      <Button ref={button} variant="outline" onClick={() => setDialogOpen(true)}>
        {label}
      </Button>
      <ConfirmDialog
        open={isDialogOpen}
        onClose={() => setDialogOpen(false)}
        onConfirm={() => cancel.mutate(undefined, { onSettled: () => setDialogOpen(false) })}
        pending={cancel.isPending}
        finalFocus={() => button.current}
        title="Cancel Creator Pro?"
        text={
          isRunning
            ? `It runs until ${longDate(periodEnd)} and is not renewed. After that you are no longer a creator: what you posted stays, and so does what you earned, but Analytics and premium posts are closed to you.`
            : 'It ends at once. What you posted stays.'
        }
        confirmLabel="Cancel Creator Pro"
        cancelLabel="Keep Creator Pro"
      />
    </>
  )
}

function ManageBillingButton() {
  const portal = useBillingPortal()
  return (
    <Button variant="outline" pending={portal.isPending} onClick={() => portal.mutate()}>
      Manage billing
    </Button>
  )
}

/** Shows the price per month and the status of the plan. */
function PlanPrice({ price, badge }: { price: number; badge?: ReactNode }) {
  return (
    <Box as="span" display="flex" flexWrap="wrap" alignItems="center" columnGap="3" rowGap="1">
      <Box as="span" color="text">
        <Box as="span" textStyle="title" fontVariantNumeric="tabular-nums">
          {dollars(price)}
        </Box>{' '}
        per month
      </Box>
      {badge}
    </Box>
  )
}

function PlanNote({ children }: { children: ReactNode }) {
  return (
    <Box as="span" display="block" marginTop="1.5">
      {children}
    </Box>
  )
}

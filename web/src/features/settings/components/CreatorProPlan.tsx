import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { CreatorPro } from '@contract/payment.ts'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import {
  creatorProQuery,
  openUpgradeDialog,
  useBillingPortal,
  useCancelCreatorPro,
  useUpgrade,
} from '@/billing/creator-pro'
import { usePaymentsConfig } from '@/billing/payments'
import { dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { longDate } from '@/lib/time'
import { useCurrentUser } from '@/session/session'
import { Badge } from '@/ui/Badge'
import { Button, ButtonLink } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { InlineError } from '@/ui/states'
import { SettingsPanel } from './SettingsSection'

/** Shows the Creator Pro plan with its price, its status and the available actions. */
export function CreatorProPlan() {
  const { user } = useCurrentUser()
  // Refetches on every mount, because the user pays on another site and the plan can end on its own.
  const { data, isError, refetch } = useQuery({ ...creatorProQuery, staleTime: 0 })
  if (!user) return null
  if (isError && !data) {
    return (
      <SettingsPanel
        title={t`Creator Pro Plan`}
        text={<PlanPrice price={limits.creatorProPrice} />}
        action={<InlineError text={t`Couldn't load your plan. Try again.`} onRetry={() => void refetch()} />}
      />
    )
  }
  if (data?.plan || (data?.billing && !user.isCreator)) {
    return <PaidPlan pro={data} user={user} />
  }
  return <FreePlan pro={data} user={user} />
}

/** Shows the plan if the instance does not charge for it, or if the user is a creator without a paid plan. */
function FreePlan({ pro, user }: { pro: CreatorPro | undefined; user: OwnUser }) {
  const text = pro?.billing
    ? t`You’re already a creator at no charge. If you turn it off, you’ll need to upgrade to turn it on again.`
    : user.isCreator
      ? t`Free for now. No card on file. Turn it off any time in profile settings.`
      : t`Premium posts, subscriptions, analytics and payouts. Free for now.`
  return (
    <SettingsPanel
      title={t`Creator Pro Plan`}
      text={
        <>
          <PlanPrice
            price={pro?.price ?? limits.creatorProPrice}
            badge={user.isCreator && <Badge tone="success">{t`Active`}</Badge>}
          />
          {/* The text depends on whether the plan is free, which is unknown until the query has loaded. */}
          {pro && <PlanNote>{text}</PlanNote>}
        </>
      }
      action={
        <ButtonLink
          to={paths.settings.getHref('creator', 'isCreator')}
          variant={user.isCreator ? 'outline' : 'gold'}
        >
          {user.isCreator ? t`Manage` : t`Become a creator`}
        </ButtonLink>
      }
    />
  )
}

type Plan = NonNullable<CreatorPro['plan']>

/**
 * Shows the status of a paid plan, or the offer to upgrade, with the buttons to upgrade, to cancel or resume the plan,
 * and to manage billing.
 */
function PaidPlan({ pro, user }: { pro: CreatorPro; user: OwnUser }) {
  const { plan } = pro
  const { payments } = usePaymentsConfig(plan !== null)
  const isPaused = payments === 'off' && pro.billing && plan?.state === 'active' && !plan.cancelled
  const endDate = pro.lapsedAt && longDate(pro.lapsedAt)
  return (
    <SettingsPanel
      title={t`Creator Pro Plan`}
      text={
        <>
          <PlanPrice price={pro.price} badge={plan && <PlanBadge plan={plan} isPaused={isPaused} />} />
          {endDate && (
            <PlanNote>{t`Creator Pro ended on ${endDate}. Upgrade to be a creator again.`}</PlanNote>
          )}
          <PlanNote>
            {plan
              ? isPaused
                ? t`Payments are turned off. Your plan continues.`
                : planStatus(plan, pro.billing)
              : t`Premium posts, subscriptions, analytics and payouts. Cancel any time and keep your posts.`}
          </PlanNote>
          {plan?.state === 'active' && !user.isCreator && (
            <PlanNote>{t`Your Creator Account is off. Turn it on again in profile settings.`}</PlanNote>
          )}
        </>
      }
      action={
        <Box display="flex" flexWrap="wrap" gap="2" justifyContent={{ md: 'flex-end' }} flexShrink="0">
          {pro.portal && <ManageBillingButton />}
          {plan?.state === 'active' ? (
            <CancelOrResumeButton plan={plan} canResume={pro.billing && payments !== 'off'} />
          ) : (
            <UpgradeButton plan={plan} />
          )}
        </Box>
      }
    />
  )
}

/** @param isPaused whether the plan continues without renewals, because payments are off */
function PlanBadge({ plan, isPaused }: { plan: Plan; isPaused: boolean }) {
  if (plan.state === 'pending') return <Badge tone="gold">{t`Payment pending`}</Badge>
  if (isOverdue(plan) && !isPaused) return <Badge tone="gold">{t`Payment overdue`}</Badge>
  return plan.cancelled ? (
    <Badge tone="neutral">{t`Cancelled`}</Badge>
  ) : (
    <Badge tone="success">{t`Active`}</Badge>
  )
}

/** Returns whether the paid month is over and the renewal has not been paid. */
const isOverdue = ({ periodEnd }: Plan) => periodEnd !== null && Date.parse(periodEnd) <= Date.now()

function planStatus(plan: Plan, billing: boolean): string {
  const { state, periodEnd, cancelled } = plan
  if (state === 'pending' || !periodEnd) {
    return t`Your first month isn’t paid yet. It starts when your payment arrives.`
  }
  const date = longDate(periodEnd)
  if (isOverdue(plan)) {
    return t`Your plan was paid until ${date}. We couldn’t charge the next month yet. Your plan ends soon unless the payment goes through.`
  }
  if (!billing) {
    return t`Your plan is paid until ${date} and won’t renew, because a Creator Account is now free.`
  }
  return cancelled
    ? t`Your plan runs until ${date}. After that, you’re no longer a creator, but your posts stay.`
    : t`Renews on ${date}.`
}

function UpgradeButton({ plan }: { plan: Plan | null }) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      {plan && <CancelPlanButton periodEnd={null} label={t`Cancel`} />}
      <Button
        ref={button}
        variant="gold"
        aria-haspopup="dialog"
        onClick={() => openUpgradeDialog(() => button.current)}
      >
        {plan ? t`Continue to payment` : t`Upgrade to Creator Pro`}
      </Button>
    </>
  )
}

function CancelOrResumeButton({ plan, canResume }: { plan: Plan; canResume: boolean }) {
  const resume = useUpgrade()
  if (!plan.cancelled) return <CancelPlanButton periodEnd={plan.periodEnd} label={t`Cancel plan`} />
  if (!canResume) return null
  return (
    <Button variant="gold" pending={resume.isPending} onClick={() => resume.mutate('resume')}>
      {t`Resume plan`}
    </Button>
  )
}

function CancelPlanButton({ periodEnd, label }: { periodEnd: string | null; label: string }) {
  const button = useRef<HTMLButtonElement>(null)
  const [isDialogOpen, setDialogOpen] = useState(false)
  const cancel = useCancelCreatorPro(periodEnd)
  const isRunning = periodEnd !== null && Date.parse(periodEnd) > Date.now()
  const endDate = isRunning ? longDate(periodEnd) : null
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
        title={t`Cancel Creator Pro?`}
        text={
          endDate
            ? t`Your plan runs until ${endDate} and won’t renew. After that, you’re no longer a creator: you keep your posts and earnings but lose Analytics and premium posts.`
            : t`Your plan ends right away. Your posts stay.`
        }
        confirmLabel={t`Cancel Creator Pro`}
        cancelLabel={t`Keep Creator Pro`}
      />
    </>
  )
}

function ManageBillingButton() {
  const portal = useBillingPortal()
  return (
    <Button variant="outline" pending={portal.isPending} onClick={() => portal.mutate()}>
      {t`Manage billing`}
    </Button>
  )
}

/** Shows the price per month and the status of the plan. */
function PlanPrice({ price, badge }: { price: number; badge?: ReactNode }) {
  const amount = dollars(price)
  return (
    <Box as="span" display="flex" flexWrap="wrap" alignItems="center" columnGap="3" rowGap="1">
      <Box as="span" color="text">
        <Trans>
          <Box as="span" textStyle="title" fontVariantNumeric="tabular-nums">
            {amount}
          </Box>{' '}
          per month
        </Trans>
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

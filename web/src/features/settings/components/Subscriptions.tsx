import { Box } from '@chakra-ui/react'
import type { SubscriptionMonths } from '@contract/common.ts'
import type { Subscription } from '@contract/subscription.ts'
import type { UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { SubscribeDialog } from '@/billing/components/SubscribeButton'
import { usePaymentsConfig } from '@/billing/payments'
import {
  isExpired,
  recurringPriceText,
  subscriptionsQuery,
  useCancelSubscription,
  useSubscribe,
} from '@/billing/subscriptions'
import { isPriceChanged } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { longDate } from '@/lib/time'
import { Avatar } from '@/ui/Avatar'
import { Button, ButtonLink } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { ShowMoreButton } from '@/ui/LoadMore'
import { Card } from '@/ui/layout'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { EmptyState, ErrorState } from '@/ui/states'

/** Shows the user's subscriptions to creators. */
export function Subscriptions() {
  const id = useId()
  return (
    <Card as="section" aria-labelledby={id} paddingTop={{ base: '4', md: '6' }}>
      <Box paddingInline={{ base: '4', md: '6' }} paddingBottom="3">
        <Box as="h2" id={id} textStyle="title">
          {t`Your subscriptions`}
        </Box>
        <Box textStyle="small" color="muted" marginTop="0.5">
          {t`You have access to these creators' posts for subscribers.`}
        </Box>
      </Box>
      <SubscriptionList />
    </Card>
  )
}

function SubscriptionList() {
  const list = useInfiniteQuery(subscriptionsQuery)
  if (list.isPending) return <SubscriptionSkeleton />
  if (list.isError && !list.data) {
    return (
      <ErrorState message={t`Couldn't load subscriptions. Try again.`} onRetry={() => void list.refetch()} />
    )
  }
  const subscriptions = list.data.pages.flatMap((page) => page.items)
  if (subscriptions.length === 0) {
    return (
      <EmptyState
        as="h3"
        title={t`No subscriptions yet`}
        text={t`Subscribe to a creator on their profile to see their posts for subscribers.`}
        action={
          <ButtonLink to={paths.creators.getHref()} variant="outline">
            {t`Find creators`}
          </ButtonLink>
        }
      />
    )
  }
  return (
    <>
      <Box as="ul" listStyleType="none">
        {subscriptions.map((subscription) => (
          <SubscriptionRow key={subscription.id} subscription={subscription} />
        ))}
      </Box>
      <ShowMoreButton list={list} />
    </>
  )
}

function SubscriptionSkeleton() {
  return (
    <Loading
      label={t`Loading subscriptions`}
      display="flex"
      alignItems="center"
      gap="4"
      paddingInline={{ base: '4', md: '6' }}
      paddingBlock="3.5"
      borderTopWidth="1px"
    >
      <SkeletonCircle size="10" />
      <Box flex="1">
        <Skeleton height="3.5" width="40%" />
        <Skeleton height="3" width="60%" marginTop="2" />
      </Box>
    </Loading>
  )
}

/** Shows the creator, price and status of a subscription, with the button to cancel, resume or pay for it. */
function SubscriptionRow({ subscription }: { subscription: Subscription }) {
  const { creator, state } = subscription
  const name = creator ? displayName(creator) : t`Deleted user`
  const terms = recurringPriceText(subscription)
  const { payments } = usePaymentsConfig(true)
  const status = subscriptionStatus(subscription, payments === 'off')
  return (
    <Box
      as="li"
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      gap="4"
      paddingInline={{ base: '4', md: '6' }}
      paddingBlock="3.5"
      borderTopWidth="1px"
    >
      {creator && <Avatar user={{ ...creator, displayName: name }} />}
      <Box flex="1" minWidth="12rem" overflowWrap="anywhere">
        <Box textStyle="label">
          {creator ? (
            <Box asChild _hover={{ textDecoration: 'underline' }}>
              <Link to={paths.profile.getHref(creator.handle)}>{name}</Link>
            </Box>
          ) : (
            name
          )}
        </Box>
        <Box textStyle="small" color="muted" marginTop="0.5">
          {`${terms} · ${status}`}
        </Box>
      </Box>
      {state === 'active' && (
        <CancelOrResumeButton subscription={subscription} name={name} isPaused={payments === 'off'} />
      )}
      {state === 'pending' && creator && (
        <ContinuePaymentButton subscription={subscription} creator={creator} />
      )}
    </Box>
  )
}

/** @param isPaused whether renewals are paused; `periodEnd` is then extended day by day and is not a renewal date */
function subscriptionStatus({ state, cancelled, periodEnd }: Subscription, isPaused: boolean): string {
  const date = periodEnd && longDate(periodEnd)
  if (state === 'pending') return t`Payment pending`
  if (state === 'ended') return date ? t`Ended, paid until ${date}` : t`Ended`
  if (!date) return t`Active`
  if (cancelled) return t`Cancelled, runs until ${date}`
  return isPaused ? t`Active` : t`Renews on ${date}`
}

interface CancelOrResumeButtonProps {
  subscription: Subscription
  name: string
  /** Whether renewals are paused. While they are, a cancelled subscription cannot be resumed. */
  isPaused: boolean
}

function CancelOrResumeButton({ subscription, name, isPaused }: CancelOrResumeButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isDialogOpen, setDialogOpen] = useState(false)
  const { creatorId, cancelled, periodEnd } = subscription
  const cancel = useCancelSubscription({ creatorId, name, periodEnd })
  const resume = useSubscribe({ creatorId, name })
  const endDate = periodEnd && longDate(periodEnd)
  if (cancelled && isPaused) return null
  return (
    <>
      <Button
        ref={button}
        size="sm"
        variant="outline"
        pending={resume.isPending}
        aria-label={cancelled ? t`Resume subscription to ${name}` : t`Cancel subscription to ${name}`}
        onClick={() => (cancelled ? resume.mutate(subscription) : setDialogOpen(true))}
      >
        {cancelled ? t`Resume` : t`Cancel`}
      </Button>
      <ConfirmDialog
        open={isDialogOpen}
        onClose={() => setDialogOpen(false)}
        onConfirm={() => cancel.mutate(undefined, { onSettled: () => setDialogOpen(false) })}
        pending={cancel.isPending}
        finalFocus={() => button.current}
        title={t`Cancel your subscription to ${name}?`}
        text={
          isExpired(periodEnd)
            ? t`The paid period is over, so your subscription ends right away.`
            : endDate
              ? isPaused
                ? t`Your subscription runs until ${endDate}. Payments are turned off, so you can’t resume it.`
                : t`Your subscription runs until ${endDate} and won’t renew. You can resume it until then.`
              : t`Your subscription runs until the end of the paid period and won’t renew. You can resume it until then.`
        }
        confirmLabel={t`Cancel subscription`}
        cancelLabel={t`Keep subscription`}
      />
    </>
  )
}

/**
 * Shows the button that leads back to the payment page, for a subscription whose first period is not paid for yet. If
 * the creator no longer offers it, lets the user choose again.
 */
function ContinuePaymentButton({ subscription, creator }: { subscription: Subscription; creator: UserCard }) {
  const button = useRef<HTMLButtonElement>(null)
  const [isDialogOpen, setDialogOpen] = useState(false)
  const [months, setMonths] = useState<SubscriptionMonths>(subscription.months)
  const name = displayName(creator)
  const subscribe = useSubscribe({ creatorId: creator.id, name })
  return (
    <>
      <Button
        ref={button}
        size="sm"
        variant="outline"
        pending={subscribe.isPending}
        aria-label={t`Continue to payment for ${name}`}
        onClick={() =>
          subscribe.mutate(subscription, { onError: (error) => setDialogOpen(isPriceChanged(error)) })
        }
      >
        {t`Continue to payment`}
      </Button>
      <SubscribeDialog
        user={creator}
        months={months}
        onMonthsChange={setMonths}
        open={isDialogOpen}
        onClose={() => setDialogOpen(false)}
        finalFocus={() => button.current}
      />
    </>
  )
}

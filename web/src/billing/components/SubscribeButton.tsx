import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { UserDetails } from '@contract/user.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { dollars } from '@/lib/format'
import { displayName } from '@/lib/text'
import { longDate } from '@/lib/time'
import { openLoginPage } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { CheckIcon, StarIcon } from '@/ui/icons'
import { usePaymentsConfig } from '../payments'
import { isExpired, subscriptionOfferQuery, useCancelSubscription, useSubscribe } from '../subscriptions'
import { PaymentMethodNotice } from './PaymentNotice'

const priceText = dollars(limits.subscriptionPrice)

/** Shows 'Subscribe $9.99/mo' on a creator's profile, or the viewer's subscription. Opens the dialog for either. */
export function SubscribeButton({ user }: { user: UserDetails }) {
  const { isAuthenticated } = useCurrentUser()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  // As of when the dialog opened, so that a change made in it does not put another button under the pointer.
  const [subscription, setSubscription] = useState(user.subscription)
  const openDialog = () => {
    setSubscription(user.subscription)
    setOpen(true)
  }
  const dialogProps = { user, open, onClose: () => setOpen(false), finalFocus: () => button.current }
  return (
    <>
      <Button
        ref={button}
        variant={user.subscription ? 'outline' : 'gold'}
        onClick={() => (isAuthenticated ? openDialog() : openLoginPage())}
      >
        {user.subscription ? (
          <>
            <CheckIcon /> {user.subscription.cancelled ? 'Subscription ends' : 'Subscribed'}
          </>
        ) : (
          <>
            <StarIcon /> {`Subscribe ${priceText}/mo`}
          </>
        )}
      </Button>
      {subscription ? (
        <ManageSubscriptionDialog {...dialogProps} subscription={subscription} />
      ) : (
        <SubscribeDialog {...dialogProps} />
      )}
    </>
  )
}

type DialogProps = {
  user: UserDetails
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
}

/** Asks for confirmation before the first month is paid. The button is disabled until the payment mode is known. */
function SubscribeDialog({ user, open, onClose, finalFocus }: DialogProps) {
  const name = displayName(user)
  const subscribe = useSubscribe({ creatorId: user.id, name })
  const paymentsConfig = usePaymentsConfig(open)
  const { payments } = paymentsConfig
  return (
    <Dialog
      open={open}
      onClose={() => !subscribe.isPending && onClose()}
      finalFocus={finalFocus}
      title="Subscribe"
      description={
        <>
          You read every premium post that <bdi>{name}</bdi> includes for subscribers, as long as you
          subscribe.
        </>
      }
      footer={
        <>
          <Button variant="outline" onClick={onClose} disabled={subscribe.isPending}>
            {payments === 'off' ? 'Close' : 'Cancel'}
          </Button>
          {payments !== 'off' && (
            <Button
              variant="gold"
              onClick={() => subscribe.mutate('start', { onSuccess: onClose })}
              // Also disabled during the closing animation, so that a second click does not pay again.
              disabled={!payments || !open}
              pending={subscribe.isPending}
              pendingLabel="Subscribing…"
            >
              Pay {priceText}
            </Button>
          )}
        </>
      }
    >
      <IncludedPosts creatorId={user.id} enabled={open} />
      <MonthlyPrice label="Every month, until you cancel" />
      <PaymentMethodNotice {...paymentsConfig} />
    </Dialog>
  )
}

/** Shows how many posts a subscription includes now, once that is known. */
function IncludedPosts({ creatorId, enabled }: { creatorId: string; enabled: boolean }) {
  const { data } = useQuery({ ...subscriptionOfferQuery(creatorId), enabled })
  return (
    <Box role="status" minHeight="6">
      {data && includedPostsText(data.posts)}
    </Box>
  )
}

function includedPostsText(posts: number): string {
  if (posts === 0) return 'No post is included at the moment: you support what comes.'
  if (posts > limits.includedPostsCountCap)
    return `It opens more than ${limits.includedPostsCountCap} posts marked as included.`
  return posts === 1 ? 'It opens 1 post marked as included.' : `It opens ${posts} posts marked as included.`
}

/** Shows the viewer's subscription, with a button that cancels or resumes it. */
function ManageSubscriptionDialog({
  user,
  subscription,
  open,
  onClose,
  finalFocus,
}: DialogProps & { subscription: NonNullable<UserDetails['subscription']> }) {
  const name = displayName(user)
  const target = { creatorId: user.id, name, periodEnd: subscription.periodEnd }
  const subscribe = useSubscribe(target)
  const cancel = useCancelSubscription(target)
  const periodEnd = longDate(subscription.periodEnd)
  const isPending = subscribe.isPending || cancel.isPending
  return (
    <Dialog
      open={open}
      onClose={() => !isPending && onClose()}
      finalFocus={finalFocus}
      title="Your subscription"
      description={
        subscription.cancelled ? (
          <>
            You cancelled it. What <bdi>{name}</bdi> includes for subscribers stays open to you until{' '}
            {periodEnd}.
          </>
        ) : (
          <>
            You subscribe to <bdi>{name}</bdi>.{' '}
            {isExpired(subscription.periodEnd)
              ? 'Its month is over: cancelled now, it ends at once.'
              : `It is renewed on ${periodEnd}.`}
          </>
        )
      }
      footer={
        <>
          <Button variant="outline" onClick={onClose} disabled={isPending}>
            Close
          </Button>
          {subscription.cancelled ? (
            <Button
              variant="gold"
              onClick={() => subscribe.mutate('resume', { onSuccess: onClose })}
              disabled={!open}
              pending={subscribe.isPending}
            >
              Resume subscription
            </Button>
          ) : (
            <Button
              variant="danger"
              onClick={() => cancel.mutate(undefined, { onSuccess: onClose })}
              disabled={!open}
              pending={cancel.isPending}
            >
              Cancel subscription
            </Button>
          )}
        </>
      }
    >
      <MonthlyPrice label={subscription.cancelled ? `Ends on ${periodEnd}` : 'Every month'} />
    </Dialog>
  )
}

function MonthlyPrice({ label }: { label: string }) {
  return (
    <Box display="flex" alignItems="baseline" justifyContent="space-between" gap="4" paddingBlock="2">
      <Box color="muted">{label}</Box>
      <Box textStyle="heading" fontVariantNumeric="tabular-nums">
        {priceText}
      </Box>
    </Box>
  )
}

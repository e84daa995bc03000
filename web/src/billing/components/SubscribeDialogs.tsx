import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { UserDetails } from '@contract/user.ts'
import { useQuery } from '@tanstack/react-query'
import { usePaymentsConfig } from '@/lib/config'
import { dollars, longDate } from '@/lib/format'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { isExpired, subscriptionOfferQuery, useCancelSubscription, useSubscribe } from '../subscriptions'
import { PaymentMethodNotice } from './PaymentMethodNotice'

/** What a month costs, as it is written. */
export const subscriptionPriceText = dollars(limits.subscriptionPrice)

type DialogProps = {
  user: UserDetails
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
}

/** Asks before the first month is paid; there is nothing to press before it is known how payments are made. */
export function SubscribeDialog({ user, open, onClose, finalFocus }: DialogProps) {
  const name = displayName(user)
  const subscribe = useSubscribe({ creatorId: user.id, name })
  const how = usePaymentsConfig(open)
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
            {how.payments === 'off' ? 'Close' : 'Cancel'}
          </Button>
          {how.payments !== 'off' && (
            <Button
              variant="gold"
              onClick={() => subscribe.mutate('anew', { onSuccess: onClose })}
              // Not while it closes either: another press is meant for nothing any more.
              disabled={!how.payments || !open}
              pending={subscribe.isPending}
              pendingLabel="Subscribing…"
            >
              Pay {subscriptionPriceText}
            </Button>
          )}
        </>
      }
    >
      <Included creatorId={user.id} enabled={open} />
      <Amount label="Every month, until you cancel" />
      <PaymentMethodNotice {...how} />
    </Dialog>
  )
}

/** How many posts a subscription opens at this moment; nothing is said before that is known. */
function Included({ creatorId, enabled }: { creatorId: string; enabled: boolean }) {
  const { data } = useQuery({ ...subscriptionOfferQuery(creatorId), enabled })
  return (
    <Box role="status" minHeight="6">
      {data && includedWords(data.posts)}
    </Box>
  )
}

function includedWords(posts: number): string {
  if (posts === 0) return 'No post is included at the moment: you support what comes.'
  if (posts > limits.includedPostsCountCap)
    return `It opens more than ${limits.includedPostsCountCap} posts marked as included.`
  return posts === 1 ? 'It opens 1 post marked as included.' : `It opens ${posts} posts marked as included.`
}

/** What somebody has who subscribes, and the way out or back. */
export function ManageSubscriptionDialog({
  user,
  subscription,
  open,
  onClose,
  finalFocus,
}: DialogProps & { subscription: NonNullable<UserDetails['subscription']> }) {
  const name = displayName(user)
  const of = { creatorId: user.id, name, periodEnd: subscription.periodEnd }
  const subscribe = useSubscribe(of)
  const cancel = useCancelSubscription(of)
  const until = longDate(subscription.periodEnd)
  const pending = subscribe.isPending || cancel.isPending
  return (
    <Dialog
      open={open}
      onClose={() => !pending && onClose()}
      finalFocus={finalFocus}
      title="Your subscription"
      description={
        subscription.cancelled ? (
          <>
            You cancelled it. What <bdi>{name}</bdi> includes for subscribers stays open to you until {until}.
          </>
        ) : (
          <>
            You subscribe to <bdi>{name}</bdi>.{' '}
            {isExpired(subscription.periodEnd)
              ? 'Its month is over: cancelled now, it ends at once.'
              : `It is renewed on ${until}.`}
          </>
        )
      }
      footer={
        <>
          <Button variant="outline" onClick={onClose} disabled={pending}>
            Close
          </Button>
          {subscription.cancelled ? (
            <Button
              variant="gold"
              onClick={() => subscribe.mutate('on', { onSuccess: onClose })}
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
      <Amount label={subscription.cancelled ? `Ends on ${until}` : 'Every month'} />
    </Dialog>
  )
}

function Amount({ label }: { label: string }) {
  return (
    <Box display="flex" alignItems="baseline" justifyContent="space-between" gap="4" paddingBlock="2">
      <Box color="muted">{label}</Box>
      <Box textStyle="heading" fontVariantNumeric="tabular-nums">
        {subscriptionPriceText}
      </Box>
    </Box>
  )
}

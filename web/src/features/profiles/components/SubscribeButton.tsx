import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { UserDetails } from '@contract/user.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { configQuery } from '@/lib/config'
import { dollars, longDate } from '@/lib/format'
import { displayName } from '@/lib/person'
import { useCurrentUser } from '@/lib/session'
import { goToLogin } from '@/lib/unauthorized'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { CheckIcon, StarIcon } from '@/ui/icons'
import { PaymentNote } from '@/ui/PaymentNote'
import { useCancelSubscription, useSubscribe } from '../api/subscribe'

const price = dollars(limits.subscriptionPrice)

/** 'Subscribe $9.99/mo' on a creator's profile; for subscribers, what they have and until when. */
export function SubscribeButton({ user }: { user: UserDetails }) {
  const { isAuthenticated } = useCurrentUser()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  const shared = { user, open, onClose: close, finalFocus: () => button.current }
  return (
    <>
      <Button
        ref={button}
        variant={user.subscription ? 'outline' : 'gold'}
        onClick={() => (isAuthenticated ? setOpen(true) : goToLogin())}
      >
        {user.subscription ? (
          <>
            <CheckIcon /> {user.subscription.cancelled ? 'Subscription ends' : 'Subscribed'}
          </>
        ) : (
          <>
            <StarIcon /> {`Subscribe ${price}/mo`}
          </>
        )}
      </Button>
      {user.subscription ? (
        <SubscribedDialog {...shared} subscription={user.subscription} />
      ) : (
        <SubscribeDialog {...shared} />
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

/** Asks before the first month is paid. */
function SubscribeDialog({ user, open, onClose, finalFocus }: DialogProps) {
  const name = displayName(user)
  const subscribe = useSubscribe(user.id, name)
  const { data: config } = useQuery({ ...configQuery, enabled: open })
  const canPay = config?.payments !== 'off'
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
            {canPay ? 'Cancel' : 'Close'}
          </Button>
          {canPay && (
            <Button
              variant="gold"
              onClick={() => subscribe.mutate('anew', { onSuccess: onClose })}
              pending={subscribe.isPending}
              pendingLabel="Subscribing…"
            >
              Pay {price}
            </Button>
          )}
        </>
      }
    >
      <Amount label="Every month, until you cancel" />
      {config && <PaymentNote payments={config.payments} />}
    </Dialog>
  )
}

/** What somebody has who subscribes, and the way out or back. */
function SubscribedDialog({
  user,
  subscription,
  open,
  onClose,
  finalFocus,
}: DialogProps & { subscription: NonNullable<UserDetails['subscription']> }) {
  const name = displayName(user)
  const subscribe = useSubscribe(user.id, name)
  const cancel = useCancelSubscription(user.id)
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
            You subscribe to <bdi>{name}</bdi>. It is renewed on {until}.
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
              pending={subscribe.isPending}
            >
              Let it go on
            </Button>
          ) : (
            <Button
              variant="danger"
              onClick={() => cancel.mutate(undefined, { onSuccess: onClose })}
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
        {price}
      </Box>
    </Box>
  )
}

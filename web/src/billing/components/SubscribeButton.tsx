import type { UserDetails } from '@contract/user.ts'
import { useRef, useState } from 'react'
import { openLoginPage } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { CheckIcon, StarIcon } from '@/ui/icons'
import { ManageSubscriptionDialog, SubscribeDialog, subscriptionPriceText } from './SubscribeDialogs'

/** 'Subscribe $9.99/mo' on a creator's profile; for subscribers, what they have and until when. */
export function SubscribeButton({ user }: { user: UserDetails }) {
  const { isAuthenticated } = useCurrentUser()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  // As it stood when the dialog opened: what is done there must not put another button under the pointer.
  const [subscription, setSubscription] = useState(user.subscription)
  const ask = () => {
    setSubscription(user.subscription)
    setOpen(true)
  }
  const shared = { user, open, onClose: () => setOpen(false), finalFocus: () => button.current }
  return (
    <>
      <Button
        ref={button}
        variant={user.subscription ? 'outline' : 'gold'}
        onClick={() => (isAuthenticated ? ask() : openLoginPage())}
      >
        {user.subscription ? (
          <>
            <CheckIcon /> {user.subscription.cancelled ? 'Subscription ends' : 'Subscribed'}
          </>
        ) : (
          <>
            <StarIcon /> {`Subscribe ${subscriptionPriceText}/mo`}
          </>
        )}
      </Button>
      {subscription ? (
        <ManageSubscriptionDialog {...shared} subscription={subscription} />
      ) : (
        <SubscribeDialog {...shared} />
      )}
    </>
  )
}

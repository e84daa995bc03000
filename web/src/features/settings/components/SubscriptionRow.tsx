import { Box } from '@chakra-ui/react'
import type { Subscription } from '@contract/subscription.ts'
import { useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { isExpired, useCancelSubscription, useSubscribe } from '@/billing/subscriptions'
import { dollars, longDate } from '@/lib/format'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'

/** One subscription: to whom, for how much, until when, and the way to end it or let it go on. */
export function SubscriptionRow({ subscription }: { subscription: Subscription }) {
  const { creator, price, state } = subscription
  const name = creator ? displayName(creator) : 'Deleted user'
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
      {creator && <Avatar person={{ ...creator, displayName: name }} />}
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
          {dollars(price)} per month · {standing(subscription)}
        </Box>
      </Box>
      {state === 'active' && <Action subscription={subscription} name={name} />}
      {state === 'pending' && creator && <GoOn creatorId={creator.id} name={name} />}
    </Box>
  )
}

/** How it stands, as a part of a sentence. */
function standing({ state, cancelled, periodEnd }: Subscription): string {
  if (state === 'pending') return 'Payment pending'
  if (state === 'ended') return periodEnd ? `Ended, was paid until ${longDate(periodEnd)}` : 'Ended'
  if (!periodEnd) return 'Active'
  return cancelled ? `Cancelled, runs until ${longDate(periodEnd)}` : `Renews on ${longDate(periodEnd)}`
}

function Action({ subscription, name }: { subscription: Subscription; name: string }) {
  const button = useRef<HTMLButtonElement>(null)
  const [asking, setAsking] = useState(false)
  const { creatorId, cancelled, periodEnd } = subscription
  const cancel = useCancelSubscription({ creatorId, name, periodEnd })
  const resume = useSubscribe({ creatorId, name })
  const end = periodEnd ? longDate(periodEnd) : 'the end of the month that is paid'
  return (
    <>
      <Button
        ref={button}
        size="sm"
        variant="outline"
        pending={resume.isPending}
        aria-label={`${cancelled ? 'Resume' : 'Cancel'} subscription to ${name}`}
        onClick={() => (cancelled ? resume.mutate('on') : setAsking(true))}
      >
        {cancelled ? 'Resume' : 'Cancel'}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => cancel.mutate(undefined, { onSettled: () => setAsking(false) })}
        pending={cancel.isPending}
        finalFocus={() => button.current}
        title={`Cancel your subscription to ${name}?`}
        text={
          isExpired(periodEnd)
            ? 'Its month is over, so it ends at once.'
            : `It runs until ${end} and is not renewed. Until then you can resume it.`
        }
        confirmLabel="Cancel subscription"
        cancelLabel="Keep subscription"
      />
    </>
  )
}

/** Its first month was begun and is not paid: back to the page where that is done. */
function GoOn({ creatorId, name }: { creatorId: string; name: string }) {
  const subscribe = useSubscribe({ creatorId, name })
  return (
    <Button
      size="sm"
      variant="outline"
      pending={subscribe.isPending}
      aria-label={`Continue to payment for ${name}`}
      onClick={() => subscribe.mutate('anew')}
    >
      Continue to payment
    </Button>
  )
}

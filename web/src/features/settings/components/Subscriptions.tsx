import { Box } from '@chakra-ui/react'
import type { Subscription } from '@contract/subscription.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { isExpired, subscriptionsQuery, useCancelSubscription, useSubscribe } from '@/billing/subscriptions'
import { dollars } from '@/lib/format'
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
          Your subscriptions
        </Box>
        <Box textStyle="small" color="muted" marginTop="0.5">
          What creators include for their subscribers is open to you as long as one runs.
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
    return <ErrorState message="Your subscriptions did not load." onRetry={() => void list.refetch()} />
  }
  const subscriptions = list.data.pages.flatMap((page) => page.items)
  if (subscriptions.length === 0) {
    return (
      <EmptyState
        as="h3"
        title="No subscriptions yet"
        text="On a creator’s profile you can subscribe to them by the month."
        action={
          <ButtonLink to={paths.creators.getHref()} variant="outline">
            Find creators
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
      label="Loading subscriptions"
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
          {dollars(price)} per month · {subscriptionStatus(subscription)}
        </Box>
      </Box>
      {state === 'active' && <CancelOrResumeButton subscription={subscription} name={name} />}
      {state === 'pending' && creator && <ContinuePaymentButton creatorId={creator.id} name={name} />}
    </Box>
  )
}

function subscriptionStatus({ state, cancelled, periodEnd }: Subscription): string {
  if (state === 'pending') return 'Payment pending'
  if (state === 'ended') return periodEnd ? `Ended, was paid until ${longDate(periodEnd)}` : 'Ended'
  if (!periodEnd) return 'Active'
  return cancelled ? `Cancelled, runs until ${longDate(periodEnd)}` : `Renews on ${longDate(periodEnd)}`
}

function CancelOrResumeButton({ subscription, name }: { subscription: Subscription; name: string }) {
  const button = useRef<HTMLButtonElement>(null)
  const [isDialogOpen, setDialogOpen] = useState(false)
  const { creatorId, cancelled, periodEnd } = subscription
  const cancel = useCancelSubscription({ creatorId, name, periodEnd })
  const resume = useSubscribe({ creatorId, name })
  const endDate = periodEnd ? longDate(periodEnd) : 'the end of the month that is paid'
  return (
    <>
      <Button
        ref={button}
        size="sm"
        variant="outline"
        pending={resume.isPending}
        aria-label={`${cancelled ? 'Resume' : 'Cancel'} subscription to ${name}`}
        onClick={() => (cancelled ? resume.mutate('resume') : setDialogOpen(true))}
      >
        {cancelled ? 'Resume' : 'Cancel'}
      </Button>
      <ConfirmDialog
        open={isDialogOpen}
        onClose={() => setDialogOpen(false)}
        onConfirm={() => cancel.mutate(undefined, { onSettled: () => setDialogOpen(false) })}
        pending={cancel.isPending}
        finalFocus={() => button.current}
        title={`Cancel your subscription to ${name}?`}
        text={
          isExpired(periodEnd)
            ? 'Its month is over, so it ends at once.'
            : `It runs until ${endDate} and is not renewed. Until then you can resume it.`
        }
        confirmLabel="Cancel subscription"
        cancelLabel="Keep subscription"
      />
    </>
  )
}

/** Shows the button that leads back to the payment page when the first month is not paid. */
function ContinuePaymentButton({ creatorId, name }: { creatorId: string; name: string }) {
  const subscribe = useSubscribe({ creatorId, name })
  return (
    <Button
      size="sm"
      variant="outline"
      pending={subscribe.isPending}
      aria-label={`Continue to payment for ${name}`}
      onClick={() => subscribe.mutate('start')}
    >
      Continue to payment
    </Button>
  )
}

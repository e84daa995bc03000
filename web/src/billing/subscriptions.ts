import { limits } from '@contract/limits.ts'
import { CheckoutResponse, SubscriptionOffer } from '@contract/payment.ts'
import { type SubscribeRequest, SubscribeResponse, Subscription } from '@contract/subscription.ts'
import type { UserDetails } from '@contract/user.ts'
import { plural, t } from '@lingui/core/macro'
import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { z } from 'zod'
import { api, pagedList } from '@/lib/api'
import { ApiError, errorMessage, ignoreNotFound, isPriceChanged } from '@/lib/errors'
import { dollars } from '@/lib/format'
import { updateItems } from '@/lib/query-cache'
import { queryKeys } from '@/lib/query-client'
import { isolateBidi } from '@/lib/text'
import { longDate } from '@/lib/time'
import { toast } from '@/ui/toaster'
import { redirectToCheckout } from './checkout'

/**
 * The current user's subscriptions, past ones included, newest first. Always stale: a subscription can start on the
 * payment provider's page, outside this app.
 */
export const subscriptionsQuery = infiniteQueryOptions({
  queryKey: queryKeys.subscriptions,
  ...pagedList('/api/user/subscriptions', { limit: limits.page.subscriptions }, Subscription),
  staleTime: 0,
})

/** What a subscription to a creator costs and includes. Always stale: the creator can post at any time. */
export const subscriptionOfferQuery = (creatorId: string) =>
  queryOptions({
    queryKey: [...queryKeys.subscriptions, 'offer', creatorId],
    queryFn: ({ signal }) =>
      api.get(`/api/users/${creatorId}/subscription-offer`, SubscriptionOffer, { signal }),
    staleTime: 0,
  })

/** Returns the monthly price, which is the same for all creators. */
export const monthlyPriceText = () => dollars(limits.subscriptionPrice)

/** Returns the price of a subscription, for example '$9.99 per month' or '$26.97 every 3 months'. */
export function recurringPriceText({ price, months }: Pick<Subscription, 'price' | 'months'>): string {
  const amount = dollars(price)
  return plural(months, { 1: `${amount} per month`, other: `${amount} every # months` })
}

const SubscribeOrCheckoutResponse = z.union([SubscribeResponse, CheckoutResponse])

/**
 * Returns whether the paid period of an active subscription is over. The next payment is then due, and a cancellation
 * takes effect immediately.
 */
export const isExpired = (periodEnd: string | null | undefined) =>
  !!periodEnd && Date.parse(periodEnd) <= Date.now()

/** The length that the viewer chose and its price, or the `cancelled` subscription that the viewer resumes. */
type Choice = Pick<Subscription, 'months' | 'price'> & { cancelled?: boolean }

/** The creator, their display name, and the end of the paid period. */
type SubscriptionTarget = { creatorId: string; name: string; periodEnd?: string | null | undefined }

/**
 * Subscribes to a creator, or resumes a cancelled subscription. The mutation does not wait for the refetches that
 * follow, so that the dialog with its payment button closes as soon as the server has responded.
 */
export function useSubscribe({ creatorId, name: plainName }: SubscriptionTarget) {
  const client = useQueryClient()
  const name = isolateBidi(plainName)
  return useMutation({
    scope: { id: `subscribe:${creatorId}` },
    mutationFn: ({ months, price }: Choice) =>
      api.post(
        '/api/subscriptions',
        { creatorId, months, amount: price } satisfies SubscribeRequest,
        SubscribeOrCheckoutResponse,
      ),
    onError: (error) => {
      // Shows the new price, or a subscription that was begun elsewhere or by a request whose response was lost.
      if (hasOfferChanged(error) || !(error instanceof ApiError)) refetchSubscribed(client)
    },
    onSuccess: (response, { cancelled }) => {
      if ('checkoutUrl' in response) {
        redirectToCheckout(response.checkoutUrl, { kind: 'subscription', creatorId, name: plainName })
        return
      }
      updateCachedSubscription(client, creatorId, response.subscription)
      if (response.subscription.cancelled) {
        toast({
          title: t`Failed to subscribe`,
          description: t`Payments are turned off right now. Try again later.`,
          tone: 'destructive',
        })
        return
      }
      toast({ title: cancelled ? t`Subscription resumed` : t`You're subscribed to ${name}` })
    },
    meta: {
      errorTitle: t`Failed to subscribe`,
      errorMessage: (error) => {
        if (!(error instanceof ApiError))
          return t`The connection was lost, so your payment may have gone through. Check your subscription before you try again.`
        if (isPriceChanged(error))
          return t`The price or the length is no longer offered. You haven't been charged. Choose again.`
        const notCharged = t`You haven't been charged. Try again.`
        // These errors contain the server's reason, and a retry would fail in the same way.
        return [403, 409, 429].includes(error.status) ? errorMessage(error, notCharged) : notCharged
      },
    },
  })
}

/** Returns whether the creator no longer offers the chosen length or price, or the viewer has another subscription. */
const hasOfferChanged = (error: unknown) =>
  isPriceChanged(error) || (error instanceof ApiError && error.code === 'conflict')

/**
 * Cancels a subscription: at the end of the paid period, or immediately if that period is over. A subscription that has
 * already ended counts as cancelled.
 */
export function useCancelSubscription({ creatorId, periodEnd }: SubscriptionTarget) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: `subscribe:${creatorId}` },
    mutationFn: () => ignoreNotFound(api.delete(`/api/subscriptions/${creatorId}`)),
    onSuccess: () => {
      const hasEnded = isExpired(periodEnd)
      updateCachedSubscription(client, creatorId, hasEnded ? { state: 'ended' } : { cancelled: true })
      const date = periodEnd && !hasEnded && longDate(periodEnd)
      toast({
        title: t`Subscription cancelled`,
        ...(date && { description: t`You keep access until ${date}.` }),
      })
    },
    meta: { errorMessage: t`Couldn't cancel your subscription. Try again.` },
  })
}

/** Applies changes to the cached subscription, and refetches the data that depends on it. */
function updateCachedSubscription(
  client: QueryClient,
  creatorId: string,
  changes: Partial<Subscription>,
): void {
  client.setQueriesData<UserDetails>({ queryKey: queryKeys.userDetails }, (user) => {
    if (user?.id !== creatorId) return user
    if (changes.state === 'ended') return { ...user, subscription: null }
    const { periodEnd, cancelled = false, price, months } = { ...user.subscription, ...changes }
    return periodEnd && price && months
      ? { ...user, subscription: { periodEnd, cancelled, price, months } }
      : user
  })
  client.setQueryData(subscriptionsQuery.queryKey, (data) =>
    updateItems(data, (items) =>
      items.map((item) =>
        item.creatorId === creatorId && item.state === 'active' ? { ...item, ...changes } : item,
      ),
    ),
  )
  refetchSubscribed(client)
}

/** Refetches what a subscription makes visible, and whether the user has any subscriptions. */
function refetchSubscribed(client: QueryClient): void {
  const { users, posts, comments, subscriptions, newPosts, conversationDetails, currentUser } = queryKeys
  const changed = [users, posts, comments, subscriptions, newPosts, conversationDetails, currentUser]
  for (const queryKey of changed) {
    void client.invalidateQueries({ queryKey })
  }
}

import { limits } from '@contract/limits.ts'
import { CheckoutResponse, SubscriptionOffer } from '@contract/payment.ts'
import { type SubscribeRequest, SubscribeResponse, Subscription } from '@contract/subscription.ts'
import type { UserDetails } from '@contract/user.ts'
import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { z } from 'zod'
import { ApiError, api, errorMessage, isUnauthorized, withQuery } from '@/lib/api'
import { isolateBidi } from '@/lib/bidi'
import { longDate } from '@/lib/format'
import { ignoreNotFound } from '@/lib/ignore-not-found'
import { queryKeys } from '@/lib/query-keys'
import { toast } from '@/ui/toaster'
import { redirectToCheckout } from './checkout'

/** What one subscribes to or once did, the latest first. Read anew whenever it is shown: it is bought elsewhere. */
export const subscriptionsQuery = infiniteQueryOptions({
  queryKey: queryKeys.subscriptions,
  queryFn: ({ pageParam, signal }) => {
    const query = { limit: limits.page.subscriptions, cursor: pageParam ?? undefined }
    return api.page(withQuery('/api/user/subscriptions', query), Subscription, { signal })
  },
  initialPageParam: null as string | null,
  getNextPageParam: (last) => last.nextCursor,
  staleTime: 0,
})

/** What a subscription to a creator opens. Read anew whenever it is asked: they may have posted meanwhile. */
export const subscriptionOfferQuery = (creatorId: string) =>
  queryOptions({
    queryKey: [...queryKeys.subscriptions, 'offer', creatorId],
    queryFn: ({ signal }) =>
      api.get(`/api/users/${creatorId}/subscription-offer`, SubscriptionOffer, { signal }),
    staleTime: 0,
  })

const Answer = z.union([SubscribeResponse, CheckoutResponse])

/** The month is over and the next one is not paid yet: cancelled now, it ends at once. */
export const isExpired = (periodEnd: string | null | undefined) =>
  !!periodEnd && Date.parse(periodEnd) <= Date.now()

/** What both changes need to know of a subscription: of whom, what they are called, and until when it is paid. */
type Of = { creatorId: string; name: string; periodEnd?: string | null | undefined }

/**
 * Subscribes to a creator ('anew'), or lets a cancelled subscription go on. It is done with the answer: what that opens
 * is read again behind it, so that nobody waits with the way to pay still before them.
 */
export function useSubscribe({ creatorId, name }: Of) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: `subscribe:${creatorId}` },
    mutationFn: (_how: 'anew' | 'on') =>
      api.post('/api/subscriptions', { creatorId } satisfies SubscribeRequest, Answer),
    onSuccess: (answer, how) => {
      if ('checkoutUrl' in answer) {
        redirectToCheckout(answer.checkoutUrl, { kind: 'subscription', creatorId, name })
        return
      }
      const { cancelled } = answer.subscription
      show(client, creatorId, answer.subscription)
      if (cancelled) failed('No payments are taken at the moment.')
      else
        toast({
          title: how === 'on' ? 'Subscription resumed' : `You subscribe to ${isolateBidi(name)} now`,
        })
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      // A refusal has its reason, which trying again does not change.
      const refused = error instanceof ApiError && [403, 429].includes(error.status)
      failed(refused ? errorMessage(error, '') : 'Nothing was paid. Please try again.')
    },
  })
}

function failed(description: string): void {
  toast({ title: 'Failed to subscribe', description, tone: 'destructive' })
}

/** Ends a subscription with the period that is paid; one that is over already counts as ended. */
export function useCancelSubscription({ creatorId, periodEnd }: Of) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: `subscribe:${creatorId}` },
    mutationFn: () => ignoreNotFound(api.delete(`/api/subscriptions/${creatorId}`)),
    onSuccess: () => {
      const ended = isExpired(periodEnd)
      show(client, creatorId, ended ? { state: 'ended' } : { cancelled: true })
      toast({
        title: 'Subscription cancelled',
        ...(periodEnd && !ended ? { description: `It runs until ${longDate(periodEnd)}.` } : {}),
      })
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({
        title: 'Error',
        description: 'Your subscription could not be cancelled. Please try again.',
        tone: 'destructive',
      })
    },
  })
}

/** Shows at once how a subscription stands, and has all that it opens or closes read again, wherever that is shown. */
function show(client: QueryClient, creatorId: string, fields: Partial<Subscription>): void {
  client.setQueriesData<UserDetails>({ queryKey: queryKeys.userDetails }, (user) => {
    if (user?.id !== creatorId) return user
    if (fields.state === 'ended') return { ...user, subscription: null }
    const { periodEnd = user.subscription?.periodEnd, cancelled = false } = fields
    return periodEnd ? { ...user, subscription: { cancelled, periodEnd } } : user
  })
  client.setQueryData(
    subscriptionsQuery.queryKey,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          items: page.items.map((one) =>
            one.creatorId === creatorId && one.state === 'active' ? { ...one, ...fields } : one,
          ),
        })),
      },
  )
  for (const queryKey of [queryKeys.users, queryKeys.posts, queryKeys.comments, queryKeys.subscriptions]) {
    void client.invalidateQueries({ queryKey })
  }
}

import { limits } from '@contract/limits.ts'
import { SubscribeAnswer, Subscription } from '@contract/subscription.ts'
import { infiniteQueryOptions, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, api, messageOf, withQuery } from '@/lib/api'
import { longDate } from '@/lib/format'
import { queryKeys } from '@/lib/queryKeys'
import { isUnauthorized } from '@/lib/unauthorized'
import { toast } from '@/ui/toaster'

/** What one subscribes to or once did, the latest first. Read anew whenever it is shown: it is bought elsewhere. */
export const subscriptionsQuery = infiniteQueryOptions({
  queryKey: ['subscriptions'],
  queryFn: ({ pageParam, signal }) => {
    const query = { limit: limits.page.subscriptions, cursor: pageParam ?? undefined }
    return api.page(withQuery('/api/user/subscriptions', query), Subscription, { signal })
  },
  initialPageParam: null as string | null,
  getNextPageParam: (last) => last.nextCursor,
  staleTime: 0,
})

/** Changes one subscription where it is listed, and has it read again as it is. */
function change(client: QueryClient, { id, creatorId }: Subscription, fields: Partial<Subscription>): void {
  const { queryKey } = subscriptionsQuery
  client.setQueryData(
    queryKey,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          items: page.items.map((one) => (one.id === id ? { ...one, ...fields } : one)),
        })),
      },
  )
  void client.invalidateQueries({ queryKey })
  // The profile tells how it stands, too.
  void client.invalidateQueries({ queryKey: [...queryKeys.users, creatorId] })
}

/** Its month is over and the next one is not paid yet: cancelled now, it ends at once. */
export const isOver = ({ periodEnd }: Subscription) =>
  periodEnd !== null && Date.parse(periodEnd) <= Date.now()

/** Ends a subscription with its period; one that is over already counts as ended. */
export function useCancel(subscription: Subscription) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      try {
        await api.delete(`/api/subscriptions/${subscription.creatorId}`)
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error
      }
    },
    onSuccess: () => {
      const { periodEnd } = subscription
      const ended = isOver(subscription)
      change(client, subscription, ended ? { state: 'ended' } : { cancelled: true })
      toast({
        title: 'Subscription cancelled',
        ...(periodEnd && !ended ? { description: `It runs until ${longDate(periodEnd)}.` } : {}),
      })
    },
    onError: (error) => failed(error, 'Your subscription could not be cancelled. Please try again.'),
  })
}

/** Lets a cancelled subscription go on. */
export function useResume(subscription: Subscription) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.post('/api/subscriptions', { creatorId: subscription.creatorId }, SubscribeAnswer),
    onSuccess: ({ subscription: now }) => {
      change(client, subscription, now)
      if (!now.cancelled) toast({ title: 'Subscription resumed' })
      else failed(null, 'Your subscription could not be resumed: no payments are taken at the moment.')
    },
    onError: (error) =>
      failed(error, messageOf(error, 'Your subscription could not be resumed. Please try again.')),
  })
}

function failed(error: unknown, description: string): void {
  if (isUnauthorized(error)) return
  toast({ title: 'Error', description, tone: 'destructive' })
}

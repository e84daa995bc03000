import { CheckoutAnswer } from '@contract/post.ts'
import { SubscribeAnswer, type SubscribeRequest } from '@contract/subscription.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { ApiError, api, messageOf } from '@/lib/api'
import { isolated } from '@/lib/bidi'
import { queryKeys } from '@/lib/queryKeys'
import { isUnauthorized } from '@/lib/unauthorized'
import { toast } from '@/ui/toaster'

const Answer = z.union([SubscribeAnswer, CheckoutAnswer])

/** What a subscription opens or closes, wherever it is shown, is read again. */
function readOpened(client: QueryClient): Promise<unknown> {
  return Promise.all(
    [queryKeys.users, queryKeys.posts, queryKeys.comments, queryKeys.subscriptions].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  )
}

/** Subscribes to a creator, or lets a cancelled subscription go on. `name` is what the creator is called. */
export function useSubscribe(creatorId: string, name: string) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: `subscribe:${creatorId}` },
    mutationFn: (_how: 'anew' | 'on') =>
      api.post('/api/subscriptions', { creatorId } satisfies SubscribeRequest, Answer),
    onSuccess: async (answer, how) => {
      if ('checkoutUrl' in answer) {
        window.location.assign(answer.checkoutUrl)
        return
      }
      toast({
        title: how === 'on' ? 'Your subscription goes on' : `You subscribe to ${isolated(name)} now`,
      })
      await readOpened(client)
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      // A refusal has its reason, which trying again does not change.
      const refused = error instanceof ApiError && [403, 429].includes(error.status)
      toast({
        title: 'Failed to subscribe',
        description: refused ? messageOf(error, '') : 'Nothing was paid. Please try again.',
        tone: 'destructive',
      })
    },
  })
}

/** Ends one's subscription with the period that is paid. */
export function useCancelSubscription(creatorId: string) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: `subscribe:${creatorId}` },
    mutationFn: () => api.delete(`/api/subscriptions/${creatorId}`),
    onSuccess: async () => {
      toast({ title: 'Your subscription is cancelled' })
      await readOpened(client)
    },
    onError: async (error) => {
      if (isUnauthorized(error)) return
      if (error instanceof ApiError && error.status === 404) await readOpened(client)
      toast({
        title: 'Error',
        description: 'It could not be cancelled. Please try again.',
        tone: 'destructive',
      })
    },
  })
}

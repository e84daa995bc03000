import { Payout, type PayoutRequest } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, api, isTransient, withQuery } from '@/lib/api'
import { dollars } from '@/lib/format'
import { pendingMutationCount } from '@/lib/pending-mutation-count'
import { durableStorage, type UserStorage } from '@/lib/storage'
import { uuidTime, uuidv7 } from '@/lib/uuid'
import { toast } from '@/ui/toaster'
import { alwaysStale, earningsKeys, invalidateEarnings } from './keys'

/** What was asked to be paid out and what became of it, the latest first. */
export const payoutsQuery = infiniteQueryOptions({
  queryKey: earningsKeys.payouts,
  queryFn: ({ pageParam, signal }) => {
    const query = { limit: limits.page.payouts, cursor: pageParam ?? undefined }
    return api.page(withQuery('/api/payouts', query), Payout, { signal })
  },
  initialPageParam: null as string | null,
  getNextPageParam: (last) => last.nextCursor,
  ...alwaysStale,
})

const payoutsScope = 'earnings:payout'

/** True where the payout was made before under this id, for another amount: an earlier try did arrive. */
const wasMade = (error: unknown) => error instanceof ApiError && error.code === 'conflict'

const keptName = 'payout-request'
/** Milliseconds in which a request without an answer is the same one when it is made again. */
const keptFor = 10 * 60_000

/** The id of the request that has no answer yet, in any tab of this browser, or a new one. */
function requestId(kept: UserStorage): string {
  const id = kept.get(keptName)
  if (id && Date.now() - uuidTime(id) < keptFor) return id
  const made = uuidv7()
  kept.set(keptName, made)
  return made
}

/** The payout that was made although no answer came; undefined where it was not, or nobody can tell. */
async function findMade(id: string): Promise<Payout | undefined> {
  const latest = await api.page('/api/payouts', Payout).catch(() => undefined)
  return latest?.items.find((payout) => payout.id === id)
}

/**
 * Asks for a payout. Its id stays the same until the server has answered that it is made, however often the connection
 * breaks in between, so that it is made once. Why it is refused is for the dialog to say.
 */
export function useRequestPayout(userId: string, onDone: () => void) {
  const client = useQueryClient()
  const kept = durableStorage(userId)
  const mutation = useMutation({
    scope: { id: payoutsScope },
    mutationFn: async (request: { amount: number; methodId: string }) => {
      const id = requestId(kept)
      try {
        return await api.post('/api/payouts', { id, ...request } satisfies PayoutRequest, Payout)
      } catch (error) {
        const made = isTransient(error) ? await findMade(id) : undefined
        if (made) return made
        throw error
      }
    },
    onSuccess: ({ amount }) => done('Payout requested', `${dollars(amount)} will be paid out.`),
    onError: (error) => {
      if (wasMade(error)) done('Your payout was requested already', 'It stands in your history.')
    },
    // Refused or not: the balance may be another one by now.
    onSettled: () => invalidateEarnings(client),
  })
  function done(title: string, description: string) {
    kept.remove(keptName)
    toast({ title, description })
    onDone()
  }
  const request = (payout: { amount: number; methodId: string }) => {
    // A second press comes before the button is drawn anew.
    if (pendingMutationCount(client, payoutsScope) === 0) mutation.mutate(payout)
  }
  return {
    request,
    isPending: mutation.isPending,
    error: wasMade(mutation.error) ? null : mutation.error,
    reset: mutation.reset,
  }
}

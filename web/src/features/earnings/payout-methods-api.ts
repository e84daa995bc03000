import {
  type AddPayoutMethodRequest,
  type EditPayoutMethodRequest,
  PayoutMethod,
  PayoutSchedule,
} from '@contract/earnings.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { z } from 'zod'
import { ApiError, api, errorMessage, isUnauthorized } from '@/lib/api'
import { longDate } from '@/lib/format'
import { pendingMutationCount } from '@/lib/pending-mutation-count'
import { uuidv7 } from '@/lib/uuid'
import { toast } from '@/ui/toaster'
import { alwaysStale, earningsKeys, invalidateEarnings } from './keys'

/** Where money can be sent, the details masked. */
export const payoutMethodsQuery = queryOptions({
  queryKey: earningsKeys.methods,
  queryFn: ({ signal }) => api.get('/api/payouts/methods', z.array(PayoutMethod), { signal }),
  ...alwaysStale,
})

export const payoutScheduleQuery = queryOptions({
  queryKey: earningsKeys.schedule,
  queryFn: ({ signal }) => api.get('/api/payouts/schedule', PayoutSchedule, { signal }),
  ...alwaysStale,
})

const payoutMethodsScope = 'earnings:methods'

/** Whether money may not go there yet: it was added or changed less than five days ago. */
export const isMethodOnHold = (method: PayoutMethod, now: number) => Date.parse(method.usableFrom) > now

/**
 * Adds a method, or changes the one given. The same one sent again after a failure is the same method for the server,
 * which adds it once. What the server says of single fields is for the form to show.
 */
export function useSavePayoutMethod(onSaved: () => void) {
  const client = useQueryClient()
  const last = useRef({ said: '', id: '' })
  const add = (form: AddPayoutMethodRequest) => {
    const said = JSON.stringify(form)
    if (last.current.said !== said) last.current = { said, id: uuidv7() }
    return api.post('/api/payouts/methods', { ...form, id: last.current.id }, PayoutMethod)
  }
  const mutation = useMutation({
    scope: { id: payoutMethodsScope },
    mutationFn: ({
      id,
      form,
    }: { id: string; form: EditPayoutMethodRequest } | { id?: undefined; form: AddPayoutMethodRequest }) =>
      id === undefined ? add(form) : api.patch(`/api/payouts/methods/${id}`, form, PayoutMethod),
    onSuccess: (method, { id }) => {
      last.current = { said: '', id: '' }
      invalidateEarnings(client)
      toast({
        title: id === undefined ? 'Payout method added' : 'Payout method saved',
        ...(isMethodOnHold(method, Date.now()) && {
          description: `Money can go there from ${longDate(method.usableFrom)}.`,
        }),
      })
      onSaved()
    },
    // Without an answer nobody knows whether it was added: the list says it.
    onError: () => invalidateEarnings(client),
  })
  const save = (change: Parameters<typeof mutation.mutate>[0]) => {
    if (pendingMutationCount(client, payoutMethodsScope) === 0) mutation.mutate(change)
  }
  return { save, isPending: mutation.isPending, error: mutation.error, reset: mutation.reset }
}

/** Has money go to another method from now on, unless something else is said. */
export function useSetDefaultPayoutMethod() {
  const client = useQueryClient()
  return useMutation({
    scope: { id: payoutMethodsScope },
    mutationFn: ({ id }: PayoutMethod) =>
      api.patch(
        `/api/payouts/methods/${id}`,
        { isDefault: true } satisfies EditPayoutMethodRequest,
        PayoutMethod,
      ),
    onSuccess: (_answer, { id }) => {
      client.setQueryData(payoutMethodsQuery.queryKey, (methods) =>
        methods?.map((one) => ({ ...one, isDefault: one.id === id })),
      )
    },
    onError: (error) => failed(error, 'It could not be made the default. Please try again.'),
    onSettled: () => invalidateEarnings(client),
  })
}

/** Removes a method; one that is gone already counts as removed. */
export function useRemovePayoutMethod() {
  const client = useQueryClient()
  return useMutation({
    scope: { id: payoutMethodsScope },
    mutationFn: async ({ id }: PayoutMethod) => {
      try {
        await api.delete(`/api/payouts/methods/${id}`)
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error
      }
    },
    onSuccess: (_answer, { id }) => {
      client.setQueryData(payoutMethodsQuery.queryKey, (methods) => methods?.filter((one) => one.id !== id))
      toast({ title: 'Payout method removed' })
    },
    onError: (error) => failed(error, 'It could not be removed. Please try again.'),
    onSettled: () => invalidateEarnings(client),
  })
}

/** Switches the weekly payout on or off: at once on the screen, and back again where that fails. */
export function useSetPayoutSchedule() {
  const client = useQueryClient()
  const { queryKey } = payoutScheduleQuery
  return useMutation({
    scope: { id: 'earnings:schedule' },
    mutationFn: (weekly: boolean) => api.patch('/api/payouts/schedule', { weekly }, PayoutSchedule),
    onMutate: async (weekly) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)
      client.setQueryData(queryKey, before && { ...before, weekly })
      return before
    },
    onSuccess: (answer) => {
      client.setQueryData(queryKey, answer)
      void client.invalidateQueries({ queryKey: earningsKeys.overview })
    },
    onError: (error, _weekly, before) => {
      client.setQueryData(queryKey, before)
      failed(error, 'The schedule could not be changed. Please try again.')
    },
  })
}

function failed(error: unknown, fallback: string): void {
  if (isUnauthorized(error)) return
  toast({ title: 'Error', description: errorMessage(error, fallback), tone: 'destructive' })
}

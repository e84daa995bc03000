import {
  type AddPayoutMethodRequest,
  type EditPayoutMethodRequest,
  Payout,
  PayoutMethod,
  type PayoutRequest,
  PayoutSchedule,
} from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { z } from 'zod'
import { api, pagedList } from '@/lib/api'
import { ApiError, errorMessage, ignoreNotFound, isTransient } from '@/lib/errors'
import { dollars } from '@/lib/format'
import { pendingMutationCount } from '@/lib/query-cache'
import { durableStorage, type UserStorage } from '@/lib/storage'
import { longDate } from '@/lib/time'
import { uuidTime, uuidv7 } from '@/lib/uuid'
import { toast } from '@/ui/toaster'
import { alwaysStale, earningsKeys, invalidateEarnings } from './api'

/** The creator's payouts, newest first. */
export const payoutsQuery = infiniteQueryOptions({
  queryKey: earningsKeys.payouts,
  ...pagedList('/api/payouts', { limit: limits.page.payouts }, Payout),
  ...alwaysStale,
})

const payoutScope = 'earnings:payout'

/**
 * Requests a payout. Retries within `payoutIdLifetimeMs` reuse the request's id until the server confirms the payout,
 * so a lost response does not lead to a second payout. The dialog shows all errors except a conflict, which means that
 * the payout was already requested.
 */
export function useRequestPayout(userId: string, onDone: () => void) {
  const client = useQueryClient()
  const storage = durableStorage(userId)
  const mutation = useMutation({
    scope: { id: payoutScope },
    mutationFn: async (request: { amount: number; methodId: string }) => {
      const id = getOrCreatePayoutId(storage)
      try {
        return await api.post('/api/payouts', { id, ...request } satisfies PayoutRequest, Payout)
      } catch (error) {
        const payout = isTransient(error) ? await findPayout(id) : undefined
        if (payout) return payout
        throw error
      }
    },
    onSuccess: (payout) => {
      const amount = dollars(payout.amount)
      finish(t`Payout requested`, t`We'll send ${amount} once your request has been reviewed.`)
    },
    onError: (error) => {
      if (isAlreadyRequested(error)) {
        finish(t`Payout already requested`, t`You'll find it in your payout history.`)
      }
    },
    // Also after an error, because the balance may have changed.
    onSettled: () => invalidateEarnings(client),
  })
  function finish(title: string, description: string) {
    storage.remove(payoutIdName)
    toast({ title, description })
    onDone()
  }
  const request = (payout: { amount: number; methodId: string }) => {
    // `isPending` disables the button only after the next render, which is too late to prevent a double click.
    if (pendingMutationCount(client, payoutScope) === 0) mutation.mutate(payout)
  }
  return {
    request,
    isPending: mutation.isPending,
    error: isAlreadyRequested(mutation.error) ? null : mutation.error,
    reset: mutation.reset,
  }
}

const payoutIdName = 'payout-request'
/** How long retries of an unconfirmed payout request reuse its id. */
const payoutIdLifetimeMs = 10 * 60_000

/** Returns the id of the unconfirmed payout request, from any tab of this browser, or a new id. */
function getOrCreatePayoutId(storage: UserStorage): string {
  const storedId = storage.get(payoutIdName)
  if (storedId && Date.now() - uuidTime(storedId) < payoutIdLifetimeMs) return storedId
  const id = uuidv7()
  storage.set(payoutIdName, id)
  return id
}

/** Returns the payout created by a request whose response was lost. Undefined if there is none or the lookup fails. */
async function findPayout(id: string): Promise<Payout | undefined> {
  const latest = await api.page('/api/payouts', Payout).catch(() => undefined)
  return latest?.items.find((payout) => payout.id === id)
}

/** Returns whether an earlier attempt has already created a payout with the request's id but other details. */
const isAlreadyRequested = (error: unknown) => error instanceof ApiError && error.code === 'conflict'

/** The creator's payout methods, with their details masked. */
export const payoutMethodsQuery = queryOptions({
  queryKey: earningsKeys.methods,
  queryFn: ({ signal }) => api.get('/api/payouts/methods', z.array(PayoutMethod), { signal }),
  ...alwaysStale,
})

const methodsScope = 'earnings:methods'

/** Returns whether a method cannot be used yet at the time `now`, because it was added or changed only days ago. */
export const isMethodOnHold = (method: PayoutMethod, now: number) => Date.parse(method.usableFrom) > now

/**
 * Adds a payout method, or edits the one with the given `id`. A new method that is sent again unchanged after an error
 * keeps its id, so that the server adds it only once. The form shows errors.
 */
export function useSavePayoutMethod(onSaved: () => void) {
  const client = useQueryClient()
  const lastRequest = useRef({ content: '', id: '' })
  const add = (form: AddPayoutMethodRequest) => {
    const content = JSON.stringify(form)
    if (lastRequest.current.content !== content) lastRequest.current = { content, id: uuidv7() }
    return api.post('/api/payouts/methods', { ...form, id: lastRequest.current.id }, PayoutMethod)
  }
  const mutation = useMutation({
    scope: { id: methodsScope },
    mutationFn: ({
      id,
      form,
    }: { id: string; form: EditPayoutMethodRequest } | { id?: undefined; form: AddPayoutMethodRequest }) =>
      id === undefined ? add(form) : api.patch(`/api/payouts/methods/${id}`, form, PayoutMethod),
    onSuccess: (method, { id }) => {
      lastRequest.current = { content: '', id: '' }
      invalidateEarnings(client)
      const date = longDate(method.usableFrom)
      toast({
        title: id === undefined ? t`Payout method added` : t`Payout method saved`,
        ...(isMethodOnHold(method, Date.now()) && { description: t`You can use it from ${date}.` }),
      })
      onSaved()
    },
    // The method may have been saved even if the response was lost.
    onError: () => invalidateEarnings(client),
  })
  const save: typeof mutation.mutate = (...args) => {
    if (pendingMutationCount(client, methodsScope) === 0) mutation.mutate(...args)
  }
  return { save, isPending: mutation.isPending, error: mutation.error, reset: mutation.reset }
}

/** Makes a method the default for weekly payouts. */
export function useSetDefaultPayoutMethod() {
  const client = useQueryClient()
  return useMutation({
    scope: { id: methodsScope },
    mutationFn: ({ id }: PayoutMethod) =>
      api.patch(
        `/api/payouts/methods/${id}`,
        { isDefault: true } satisfies EditPayoutMethodRequest,
        PayoutMethod,
      ),
    meta: {
      errorMessage: (error) => errorMessage(error, t`Couldn't change the default method. Try again.`),
    },
    onSuccess: (_response, { id }) => {
      client.setQueryData(payoutMethodsQuery.queryKey, (methods) =>
        methods?.map((method) => ({ ...method, isDefault: method.id === id })),
      )
    },
    onSettled: () => invalidateEarnings(client),
  })
}

/** Removes a method. One that no longer exists counts as removed. */
export function useRemovePayoutMethod() {
  const client = useQueryClient()
  return useMutation({
    scope: { id: methodsScope },
    mutationFn: ({ id }: PayoutMethod) => ignoreNotFound(api.delete(`/api/payouts/methods/${id}`)),
    meta: {
      errorMessage: (error) => errorMessage(error, t`Couldn't remove the payout method. Try again.`),
    },
    onSuccess: (_response, { id }) => {
      client.setQueryData(payoutMethodsQuery.queryKey, (methods) =>
        methods?.filter((method) => method.id !== id),
      )
      toast({ title: t`Payout method removed` })
    },
    onSettled: () => invalidateEarnings(client),
  })
}

/** Whether weekly payouts are on, and when the next one is due. */
export const payoutScheduleQuery = queryOptions({
  queryKey: earningsKeys.schedule,
  queryFn: ({ signal }) => api.get('/api/payouts/schedule', PayoutSchedule, { signal }),
  ...alwaysStale,
})

/** Switches weekly payouts on or off. The update is optimistic, with a rollback on error. */
export function useSetPayoutSchedule() {
  const client = useQueryClient()
  const { queryKey } = payoutScheduleQuery
  return useMutation({
    scope: { id: 'earnings:schedule' },
    mutationFn: (weekly: boolean) => api.patch('/api/payouts/schedule', { weekly }, PayoutSchedule),
    meta: {
      errorMessage: (error) => errorMessage(error, t`Couldn't change the payout schedule. Try again.`),
    },
    onMutate: async (weekly) => {
      await client.cancelQueries({ queryKey })
      const previous = client.getQueryData(queryKey)
      client.setQueryData(queryKey, previous && { ...previous, weekly })
      return previous
    },
    onSuccess: (response) => {
      client.setQueryData(queryKey, response)
      void client.invalidateQueries({ queryKey: earningsKeys.overview })
    },
    onError: (_error, _weekly, previous) => {
      client.setQueryData(queryKey, previous)
    },
  })
}

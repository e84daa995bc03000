import { OwnUser } from '@contract/user.ts'
import { type Mutation, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import { ApiError, api, errorMessage, isUnauthorized } from '@/lib/api'
import { queryKeys } from '@/lib/query-keys'
import { profileMutationScope } from '@/profile/pending-changes'
import { currentUserQuery, useCurrentUser } from '@/session/session'
import { toast } from '@/ui/toaster'
import { applyChanges, isSuperseded, SettingChange } from './setting-changes'

const places: Record<SettingChange['of'], string> = {
  privacy: '/api/settings/privacy',
  notifications: '/api/settings/notifications',
  security: '/api/settings/security',
}

const waits = {
  status: 'pending',
  predicate: (one: Mutation) => one.options.scope?.id === profileMutationScope,
} as const

function changeOf(mutation: Mutation): SettingChange[] {
  const change = SettingChange.safeParse(mutation.state.variables)
  return change.success ? [change.data] : []
}

/** The changes that wait behind the one that is being sent. They are sent one after the other, the oldest first. */
function laterOnes(client: QueryClient): SettingChange[] {
  return client.getMutationCache().findAll(waits).slice(1).flatMap(changeOf)
}

/** What was pressed and has no answer yet. The cache learns of it a moment later, in which a switch would jump back. */
const usePressed = create<{ changes: readonly SettingChange[] }>(() => ({ changes: [] }))

/** The own record as the person wants it by now. */
export function useOptimisticOwnUser(): OwnUser | null {
  const { user } = useCurrentUser()
  const changes = usePressed((state) => state.changes)
  return user && applyChanges(user, changes)
}

/** The record as the server last told it, while the cache is ahead of it. */
const stored = new WeakMap<QueryClient, OwnUser>()

/** Takes in the record that the server answered; changes that wait behind it stay shown. */
export async function applySavedUser(client: QueryClient, user: OwnUser): Promise<void> {
  const { queryKey } = currentUserQuery
  if (stored.has(client)) stored.set(client, user)
  await client.cancelQueries({ queryKey })
  client.setQueryData(queryKey, applyChanges(user, laterOnes(client)))
}

/**
 * Saves a change of one's own record: at once on every screen, then as the server answers, back again when it fails.
 * Of several that name the same, only the one being sent and the last one are sent, so that the last choice stays.
 */
export function useSaveSetting(): (change: SettingChange) => void {
  const client = useQueryClient()
  const { queryKey } = currentUserQuery
  const show = (user: OwnUser) => client.setQueryData(queryKey, applyChanges(user, laterOnes(client)))
  const { mutate } = useMutation({
    scope: { id: profileMutationScope },
    mutationFn: async (change: SettingChange) =>
      isSuperseded(change, laterOnes(client)) ? null : api.patch(places[change.of], change.fields, OwnUser),
    onMutate: async (change) => {
      const known = client.getQueryData(queryKey)
      if (known && !stored.has(client)) stored.set(client, known)
      await client.cancelQueries({ queryKey })
      const user = client.getQueryData(queryKey)
      if (user) client.setQueryData(queryKey, applyChanges(user, [change]))
    },
    onSuccess: async (user, change) => {
      if (!user) return
      await applySavedUser(client, user)
      toast(saved(change))
      // Their own record as others see it, and their name beside posts.
      if (change.of === 'privacy') void client.invalidateQueries({ queryKey: queryKeys.users })
    },
    onError: (error, change) => {
      const before = stored.get(client)
      if (before) show(before)
      if (isUnauthorized(error) || isSuperseded(change, laterOnes(client))) return
      const failed = failedText(change)
      // A refusal has its reason, which trying again does not change.
      const refused = error instanceof ApiError && [403, 429].includes(error.status)
      const description = refused ? errorMessage(error, failed) : failed
      toast({ title: 'Error', description, tone: 'destructive' })
    },
    onSettled: (_user, _error, change) => {
      usePressed.setState(({ changes }) => ({ changes: changes.filter((one) => one !== change) }))
      if (laterOnes(client).length > 0) return
      stored.delete(client)
      // What another page changed meanwhile, and whether a change without an answer was made after all.
      void client.invalidateQueries({ queryKey })
    },
  })
  return (change) => {
    usePressed.setState(({ changes }) => ({ changes: [...changes, change] }))
    mutate(change)
  }
}

/** Login alerts are chosen among what concerns the safety of an account, and kept with the other news. */
const isSecurity = ({ of, fields }: SettingChange) =>
  of === 'security' || (of === 'notifications' && 'loginAlerts' in fields)

function failedText(change: SettingChange): string {
  if (change.of === 'privacy') return 'Failed to update privacy settings. Please try again.'
  return `Failed to update ${isSecurity(change) ? 'security' : 'notification'} settings. Please try again.`
}

function saved(change: SettingChange): Parameters<typeof toast>[0] {
  if (change.of === 'privacy') {
    return { title: 'Privacy settings updated', description: 'Your privacy preferences have been saved.' }
  }
  return { title: isSecurity(change) ? 'Security Setting Updated' : 'Notification Setting Updated' }
}

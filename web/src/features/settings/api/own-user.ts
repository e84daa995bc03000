import type { ErrorCode } from '@contract/errors.ts'
import { NotificationSettingsRequest } from '@contract/notification-settings.ts'
import { PrivacyRequest, type ProfileRequest, SecurityRequest } from '@contract/settings.ts'
import { OwnUser } from '@contract/user.ts'
import { type Mutation, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { create } from 'zustand'
import { openUpgradeDialog } from '@/billing/creator-pro'
import { ApiError, api, errorMessage, isUnauthorized } from '@/lib/api'
import { queryKeys } from '@/lib/query-client'
import { profileMutationScope } from '@/profile/own-profile'
import { currentUserQuery, useCurrentUser } from '@/session/session'
import { toast } from '@/ui/toaster'

/** A change that is saved as soon as it is made: the fields to change in one section of the settings. */
export const SettingChange = z.discriminatedUnion('section', [
  z.object({ section: z.literal('privacy'), fields: PrivacyRequest }),
  z.object({ section: z.literal('notifications'), fields: NotificationSettingsRequest }),
  z.object({ section: z.literal('security'), fields: SecurityRequest }),
])
export type SettingChange = z.infer<typeof SettingChange>

const endpoints: Record<SettingChange['section'], string> = {
  privacy: '/api/settings/privacy',
  notifications: '/api/settings/notifications',
  security: '/api/settings/security',
}

/**
 * The changes without a response. `onMutate` updates the cache only after it has cancelled the queries; without this
 * store, a switch would jump back until then.
 */
const usePendingChanges = create<{ changes: readonly SettingChange[] }>(() => ({ changes: [] }))

/** Returns the current user with all pending changes of the settings applied. */
export function useOptimisticOwnUser(): OwnUser | null {
  const { user } = useCurrentUser()
  const changes = usePendingChanges((state) => state.changes)
  return user && applyChanges(user, changes)
}

/** The user as the server last returned them, while the cache contains optimistic changes. */
const serverUser = new WeakMap<QueryClient, OwnUser>()

/**
 * Returns a function that saves a change of the settings. The change appears on every screen immediately and is rolled
 * back if the request fails. If several changes set the same fields, only the one in flight and the last one are sent,
 * so that the last choice wins.
 */
export function useSaveSetting(): (change: SettingChange) => void {
  const client = useQueryClient()
  const { queryKey } = currentUserQuery
  const { mutate } = useMutation({
    scope: { id: profileMutationScope },
    mutationFn: async (change: SettingChange) =>
      isSuperseded(change, queuedChanges(client))
        ? null
        : api.patch(endpoints[change.section], change.fields, OwnUser),
    onMutate: async (change) => {
      const cached = client.getQueryData(queryKey)
      if (cached && !serverUser.has(client)) serverUser.set(client, cached)
      await client.cancelQueries({ queryKey })
      const user = client.getQueryData(queryKey)
      if (user) client.setQueryData(queryKey, applyChanges(user, [change]))
    },
    onSuccess: async (user, change) => {
      if (!user) return
      await applySavedUser(client, user)
      toast(successToast(change))
      // The cached users include the current user as other users see them.
      if (change.section === 'privacy') void client.invalidateQueries({ queryKey: queryKeys.users })
    },
    onError: (error, change) => {
      const user = serverUser.get(client)
      if (user) client.setQueryData(queryKey, applyChanges(user, queuedChanges(client)))
      if (isUnauthorized(error) || isSuperseded(change, queuedChanges(client))) return
      const fallback = failureText(change)
      // The server gives a reason for these, and a retry would not help.
      const isRefusal = error instanceof ApiError && [403, 429].includes(error.status)
      const description = isRefusal ? errorMessage(error, fallback) : fallback
      toast({ title: 'Error', description, tone: 'destructive' })
    },
    onSettled: (_user, _error, change) => {
      usePendingChanges.setState(({ changes }) => ({
        changes: changes.filter((pending) => pending !== change),
      }))
      if (queuedChanges(client).length > 0) return
      serverUser.delete(client)
      // Another tab may have changed the user, and a request without a response may have succeeded.
      void client.invalidateQueries({ queryKey })
    },
  })
  return (change) => {
    usePendingChanges.setState(({ changes }) => ({ changes: [...changes, change] }))
    mutate(change)
  }
}

/** Puts the user that the server returned into the cache, with the queued changes still applied. */
async function applySavedUser(client: QueryClient, user: OwnUser): Promise<void> {
  const { queryKey } = currentUserQuery
  if (serverUser.has(client)) serverUser.set(client, user)
  await client.cancelQueries({ queryKey })
  client.setQueryData(queryKey, applyChanges(user, queuedChanges(client)))
}

const pendingProfileMutations = {
  status: 'pending',
  predicate: (mutation: Mutation) => mutation.options.scope?.id === profileMutationScope,
} as const

/** Returns the changes that are queued behind the one in flight, oldest first. The scope sends one at a time. */
function queuedChanges(client: QueryClient): SettingChange[] {
  const queued = client.getMutationCache().findAll(pendingProfileMutations).slice(1)
  return queued.flatMap((mutation) => {
    const change = SettingChange.safeParse(mutation.state.variables)
    return change.success ? [change.data] : []
  })
}

/** Returns the user with the changes applied in order. */
export function applyChanges(user: OwnUser, changes: readonly SettingChange[]): OwnUser {
  let result = user
  for (const { section, fields } of changes) {
    result =
      section === 'notifications'
        ? { ...result, notificationSettings: { ...result.notificationSettings, ...fields } }
        : { ...result, ...fields }
  }
  return result
}

/** Returns whether later changes set every field of the change, so that it need not be sent. */
export function isSuperseded(change: SettingChange, laterChanges: SettingChange[]): boolean {
  const laterFields = new Set(
    laterChanges
      .filter((later) => later.section === change.section)
      .flatMap(({ fields }) => Object.keys(fields)),
  )
  return Object.keys(change.fields).every((name) => laterFields.has(name))
}

/** Login alerts appear on the Security tab but are stored with the notification settings. */
const isSecurity = ({ section, fields }: SettingChange) =>
  section === 'security' || (section === 'notifications' && 'loginAlerts' in fields)

function failureText(change: SettingChange): string {
  if (change.section === 'privacy') return 'Failed to update privacy settings. Please try again.'
  return `Failed to update ${isSecurity(change) ? 'security' : 'notification'} settings. Please try again.`
}

function successToast(change: SettingChange): Parameters<typeof toast>[0] {
  if (change.section === 'privacy') {
    return { title: 'Privacy settings updated', description: 'Your privacy preferences have been saved.' }
  }
  return { title: isSecurity(change) ? 'Security Setting Updated' : 'Notification Setting Updated' }
}

/**
 * Saves the changed fields of the profile form, after any other pending change of the user. The form shows the errors
 * of single fields; a toast shows all others.
 *
 * @param onResponse called with the saved user before the cache is updated
 */
export function useSaveProfile(onResponse: (user: OwnUser) => void) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: profileMutationScope },
    mutationFn: (fields: ProfileRequest) => api.patch('/api/profile', fields, OwnUser),
    onSuccess: async (user, fields) => {
      onResponse(user)
      await applySavedUser(client, user)
      // The email address does not change until the new one is confirmed.
      const needsConfirmation = fields.email !== undefined && user.pendingEmail !== null
      const description = needsConfirmation
        ? 'Confirm your new address by the mail we sent to it.'
        : undefined
      toast({ title: 'Profile updated successfully!', description })
      // Posts and comments include their author's name and avatar.
      for (const queryKey of [queryKeys.users, queryKeys.posts, queryKeys.comments]) {
        void client.invalidateQueries({ queryKey })
      }
    },
    onError: (error) => {
      if (isUnauthorized(error) || Object.keys(fieldErrors(error)).length > 0) return
      // The form keeps its values, so that the user can save them after the upgrade.
      if (error instanceof ApiError && error.code === 'creator_pro_required') {
        void client.invalidateQueries({ queryKey: queryKeys.creatorPro })
        openUpgradeDialog()
        return
      }
      const fallback = 'Failed to update profile. Please try again.'
      // The server gives a reason for these, and a retry would not help.
      const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500
      toast({
        title: 'Error',
        description: isRefusal ? errorMessage(error, fallback) : fallback,
        tone: 'destructive',
      })
    },
    onSettled: () => void client.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
  })
}

/** Requests the confirmation mail for the pending email address again. The server sends at most one every 2 minutes. */
export function useResendEmailConfirmation() {
  const client = useQueryClient()
  return useMutation({
    scope: { id: profileMutationScope },
    mutationFn: (email: string) => api.patch('/api/profile', { email }, OwnUser),
    onSuccess: async (user) => {
      await applySavedUser(client, user)
      toast({
        title: 'The mail is on its way',
        description: 'It can take a few minutes. Another one is sent after two at the earliest.',
      })
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      const description = errorMessage(error, 'The mail could not be sent again. Please try again.')
      toast({ title: 'Error', description, tone: 'destructive' })
    },
    onSettled: () => void client.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
  })
}

/** Maps the error codes that concern a single field to that field. */
const fieldOfErrorCode: Partial<Record<ErrorCode, string>> = {
  username_taken: 'username',
  username_reserved: 'username',
  email_taken: 'email',
}

/** Returns the error messages for single fields, by field name. */
export function fieldErrors(error: unknown): Record<string, string[]> {
  if (!(error instanceof ApiError)) return {}
  const field = error.code && fieldOfErrorCode[error.code]
  return field ? { [field]: [error.serverMessage], ...error.errors } : error.errors
}

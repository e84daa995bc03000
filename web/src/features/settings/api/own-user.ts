import { NotificationSettingsRequest } from '@contract/notification-settings.ts'
import {
  PrivacyRequest,
  type ProfileRequest,
  SecurityRequest,
  UsernameAvailability,
} from '@contract/settings.ts'
import { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import {
  type Mutation,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { z } from 'zod'
import { create } from 'zustand'
import { openUpgradeDialog } from '@/billing/creator-pro'
import { api } from '@/lib/api'
import { ApiError, errorMessage, serverFieldErrors } from '@/lib/errors'
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
 * The changes that the server has not responded to yet. `onMutate` updates the cache only after it has cancelled the
 * queries; without this store, a switch would jump back until then.
 */
const usePendingChanges = create<{ changes: readonly SettingChange[] }>(() => ({ changes: [] }))

/** Returns the current user with all pending changes to the settings applied. */
export function useOptimisticOwnUser(): OwnUser | null {
  const { user } = useCurrentUser()
  const changes = usePendingChanges((state) => state.changes)
  return user && applyChanges(user, changes)
}

/** The user as the server last returned them, while the cache contains optimistic changes. */
const serverUser = new WeakMap<QueryClient, OwnUser>()

/**
 * Returns a function that saves a change to the settings. The change appears on every screen immediately and is rolled
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
      // The cached users include the current user's public profile.
      if (change.section === 'privacy') void client.invalidateQueries({ queryKey: queryKeys.users })
    },
    meta: { errorMessage: (error) => saveErrorMessage(client, error) },
    onError: () => {
      const user = serverUser.get(client)
      if (user) client.setQueryData(queryKey, applyChanges(user, queuedChanges(client)))
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

/**
 * Returns the change in flight and the changes queued behind it, oldest first. The mutations in a scope run one at a
 * time. `inFlight` is undefined if the running one does not change a setting, for example if it saves the profile form.
 */
function pendingChanges(client: QueryClient): {
  inFlight: SettingChange | undefined
  queued: SettingChange[]
} {
  const [inFlight, ...queued] = client
    .getMutationCache()
    .findAll(pendingProfileMutations)
    .map((mutation) => SettingChange.safeParse(mutation.state.variables).data)
  return { inFlight, queued: queued.filter((change) => change !== undefined) }
}

const queuedChanges = (client: QueryClient) => pendingChanges(client).queued

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

/** Returns whether later changes set every field of the change, so that the change need not be sent. */
export function isSuperseded(change: SettingChange, laterChanges: SettingChange[]): boolean {
  const laterFields = new Set(
    laterChanges
      .filter((later) => later.section === change.section)
      .flatMap(({ fields }) => Object.keys(fields)),
  )
  return Object.keys(change.fields).every((name) => laterFields.has(name))
}

/** Login alerts appear under Security but are stored with the notification settings. */
const isSecurity = ({ section, fields }: SettingChange) =>
  section === 'security' || (section === 'notifications' && 'loginAlerts' in fields)

/** Returns the error message for the failed change, or null if a queued change supersedes that change. */
function saveErrorMessage(client: QueryClient, error: unknown): string | null {
  const { inFlight: change, queued } = pendingChanges(client)
  if (!change || isSuperseded(change, queued)) return null
  // For these statuses, the server gives a reason, and an immediate retry would not help.
  const isRefusal = error instanceof ApiError && [403, 429].includes(error.status)
  return isRefusal ? errorMessage(error, failureText(change)) : failureText(change)
}

function failureText(change: SettingChange): string {
  if (change.section === 'privacy') return t`Failed to update privacy settings. Please try again.`
  return isSecurity(change)
    ? t`Couldn't update security settings. Try again.`
    : t`Couldn't update notification settings. Try again.`
}

function successToast(change: SettingChange): Parameters<typeof toast>[0] {
  if (change.section === 'privacy') {
    return {
      title: t`Privacy settings updated`,
      description: t`Your privacy preferences have been saved.`,
    }
  }
  return { title: isSecurity(change) ? t`Security Setting Updated` : t`Notification Setting Updated` }
}

/** Returns a query that checks whether the user can change their username to this one. Saving applies the same rule. */
export const usernameQuery = (username: string) =>
  queryOptions({
    queryKey: [...queryKeys.users, 'username', username],
    queryFn: ({ signal }) =>
      api.get(`/api/users/username-availability?username=${username}`, UsernameAvailability, { signal }),
    staleTime: 0,
  })

/**
 * Saves changed fields of the profile, after any other pending changes to the user. The form shows errors in individual
 * fields; a toast shows all other errors.
 *
 * @param onResponse called with the saved user before the cache is updated
 * @param showsErrors whether the form shows all errors, so that no toast does
 */
export function useSaveProfile({
  onResponse,
  showsErrors = false,
}: {
  onResponse: (user: OwnUser) => void
  showsErrors?: boolean
}) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: profileMutationScope },
    mutationFn: (fields: ProfileRequest) => api.patch('/api/profile', fields, OwnUser),
    onSuccess: async (user, fields) => {
      onResponse(user)
      await applySavedUser(client, user)
      // The email address does not change until the new one is confirmed.
      const needsConfirmation = fields.email !== undefined && user.pendingEmail !== null
      toast({
        title: t`Profile updated successfully!`,
        description: needsConfirmation
          ? t`We sent a confirmation link to your new email address.`
          : undefined,
      })
      // Posts and comments include their author's name and avatar.
      for (const queryKey of [queryKeys.users, queryKeys.posts, queryKeys.comments]) {
        void client.invalidateQueries({ queryKey })
      }
    },
    meta: {
      errorMessage: (error) => {
        if (showsErrors || needsUpgrade(error) || Object.keys(serverFieldErrors(error)).length > 0)
          return null
        const fallback = t`Failed to update profile. Please try again.`
        // For client errors, the server gives a reason, and a retry would not help.
        const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500
        return isRefusal ? errorMessage(error, fallback) : fallback
      },
    },
    onError: (error) => {
      if (!needsUpgrade(error)) return
      // The form keeps its values, so that the user can save them after the upgrade.
      void client.invalidateQueries({ queryKey: queryKeys.creatorPro })
      openUpgradeDialog()
    },
    onSettled: () => void client.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
  })
}

const needsUpgrade = (error: unknown) => error instanceof ApiError && error.code === 'creator_pro_required'

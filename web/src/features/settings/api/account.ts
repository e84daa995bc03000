import { ActiveSession, type ChangePasswordRequest } from '@contract/auth.ts'
import { StorageUsage } from '@contract/media.ts'
import { t } from '@lingui/core/macro'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { api } from '@/lib/api'
import { saveFile } from '@/lib/browser'
import { errorMessage, ignoreNotFound } from '@/lib/errors'
import { queryKeys } from '@/lib/query-client'
import { deleteAccountAndSignOut } from '@/session/session'
import { toast } from '@/ui/toaster'

/** Lists the user's active sessions, the current one first. Refetches on every mount. */
export const sessionsQuery = queryOptions({
  queryKey: queryKeys.sessions,
  queryFn: ({ signal }) => api.get('/api/auth/sessions', z.array(ActiveSession), { signal }),
  staleTime: 0,
})

/** Ends another session. Also succeeds if that session has already ended. */
export function useEndSession(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => ignoreNotFound(api.delete(`/api/auth/sessions/${id}`)),
    onSuccess: async () => {
      await client.cancelQueries({ queryKey: queryKeys.sessions })
      client.setQueryData(sessionsQuery.queryKey, (sessions) =>
        sessions?.filter((session) => session.id !== id),
      )
      toast({ title: t`Device logged out` })
    },
    meta: { errorMessage: t`Couldn't log out the device. Try again.` },
  })
}

/** Ends every session except the current one. */
export function useEndOtherSessions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.delete('/api/auth/sessions'),
    onSuccess: async () => {
      await client.cancelQueries({ queryKey: queryKeys.sessions })
      client.setQueryData(sessionsQuery.queryKey, (sessions) =>
        sessions?.filter((session) => session.current),
      )
      toast({ title: t`Logged out everywhere else` })
    },
    meta: { errorMessage: t`Couldn't log out your other devices. Try again.` },
  })
}

/** Changes the password, which ends all other sessions. `ChangePasswordDialog` shows the errors. */
export function useChangePassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (form: ChangePasswordRequest) => api.command('POST', '/api/auth/change-password', form),
    onSuccess: () =>
      toast({
        title: t`Password changed`,
        description: t`You’re logged out on all other devices.`,
      }),
    // The server also revokes access tokens and cancels a pending email change.
    onSettled: () => {
      for (const queryKey of [queryKeys.sessions, queryKeys.accessTokens, queryKeys.currentUser])
        void client.invalidateQueries({ queryKey })
    },
  })
}

/** The storage that the user's uploads take up. Refetches on every mount. */
export const storageUsageQuery = queryOptions({
  queryKey: ['storage-usage'],
  queryFn: ({ signal }) => api.get('/api/account/storage', StorageUsage, { signal }),
  staleTime: 0,
})

/** Downloads the export of the user's data and saves it as a file, but only if it is complete. */
export function useDownloadData() {
  return useMutation({
    mutationFn: async () => {
      const { blob, name } = await api.download('/api/account/export')
      if (!(await isComplete(blob))) throw new Error('The export is incomplete.')
      saveFile(blob, name ?? 'ovation-data.json')
    },
    onSuccess: () => toast({ title: t`Data downloaded` }),
    meta: { errorMessage: (error) => errorMessage(error, t`Couldn't download your data. Try again.`) },
  })
}

/** Returns whether the export was transferred completely: its last field marks the end. */
async function isComplete(blob: Blob): Promise<boolean> {
  return (await blob.slice(-32).text()).trimEnd().endsWith('"complete":true}')
}

/** Deletes the account permanently and signs out. `DeleteAccountDialog` shows the errors. */
export function useDeleteAccount(userId: string) {
  return useMutation({
    mutationFn: (form: { password: string; giveUpBalance: boolean }) =>
      deleteAccountAndSignOut(userId, () => api.delete('/api/account', form)),
  })
}

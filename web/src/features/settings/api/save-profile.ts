import type { ErrorCode } from '@contract/errors.ts'
import type { ProfileRequest } from '@contract/settings.ts'
import { OwnUser } from '@contract/user.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { openUpgradeDialog } from '@/billing/creator-pro'
import { ApiError, api, errorMessage, isUnauthorized } from '@/lib/api'
import { queryKeys } from '@/lib/query-keys'
import { profileMutationScope } from '@/profile/pending-changes'
import { currentUserQuery } from '@/session/session'
import { toast } from '@/ui/toaster'
import { applySavedUser } from './own-user'

/**
 * Saves what was changed of the profile's form, behind any other change of one's record that is on its way. What the
 * server says about single fields is the form's to show; everything else that fails is told here.
 *
 * @param onAnswer called with the record as it is stored, before any screen shows it
 */
export function useSaveProfile(onAnswer: (user: OwnUser) => void) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: profileMutationScope },
    mutationFn: (fields: ProfileRequest) => api.patch('/api/profile', fields, OwnUser),
    onSuccess: async (user, fields) => {
      onAnswer(user)
      await applySavedUser(client, user)
      // Nothing has changed of the address until it is confirmed.
      const waits = fields.email !== undefined && user.pendingEmail !== null
      const description = waits ? 'Confirm your new address by the mail we sent to it.' : undefined
      toast({ title: 'Profile updated successfully!', description })
      // Names and pictures stand beside everything that was written.
      for (const queryKey of [queryKeys.users, queryKeys.posts, queryKeys.comments]) {
        void client.invalidateQueries({ queryKey })
      }
    },
    onError: (error) => {
      if (isUnauthorized(error) || Object.keys(fieldErrors(error)).length > 0) return
      // What was typed stays in the form, and is saved once the upgrade is paid.
      if (error instanceof ApiError && error.code === 'creator_pro_required') {
        void client.invalidateQueries({ queryKey: queryKeys.creatorPro })
        openUpgradeDialog()
        return
      }
      const failed = 'Failed to update profile. Please try again.'
      // A refusal has its reason, which trying again does not change.
      const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500
      toast({
        title: 'Error',
        description: isRefusal ? errorMessage(error, failed) : failed,
        tone: 'destructive',
      })
    },
    onSettled: () => void client.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
  })
}

/** Asks for the mail to the address that waits once more. The server sends it again when the last one is 2 minutes old. */
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

/** Refusals that are about one field, and which. */
const fieldOf: Partial<Record<ErrorCode, string>> = {
  username_taken: 'username',
  username_reserved: 'username',
  email_taken: 'email',
}

/** What the server said about single fields, by their names. */
export function fieldErrors(error: unknown): Record<string, string[]> {
  if (!(error instanceof ApiError)) return {}
  const field = error.code && fieldOf[error.code]
  return field ? { [field]: [error.serverMessage], ...error.errors } : error.errors
}

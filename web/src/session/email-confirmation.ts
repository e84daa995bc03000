import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { ApiError, errorMessage } from '@/lib/errors'
import { queryKeys } from '@/lib/query-client'
import { toast } from '@/ui/toaster'

/**
 * Returns a mutation that emails the user a new confirmation link: to the new address of a pending change or, without
 * one, to the unconfirmed address of the account.
 */
export function useResendConfirmation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.command('POST', '/api/auth/resend-confirmation'),
    onSuccess: () =>
      toast({
        title: t`Confirmation email sent`,
        description: t`It can take a few minutes to arrive. Links in earlier emails no longer work.`,
      }),
    meta: { errorMessage: (error) => errorMessage(error, t`Couldn't send the email. Try again.`) },
    // The address may have been confirmed in the meantime.
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.currentUser }),
  })
}

/** Returns the address to which the latest confirmation link was sent. */
export const addressToConfirm = ({ email, pendingEmail }: Pick<OwnUser, 'email' | 'pendingEmail'>) =>
  pendingEmail ?? email

/** Shows a toast if the server rejected a request because the user's email address is not confirmed. */
export async function showConfirmationNeeded(client: QueryClient, error: unknown): Promise<void> {
  if (!(error instanceof ApiError) || error.code !== 'email_unconfirmed') return
  const cachedUser = () => client.getQueryData<OwnUser | null>(queryKeys.currentUser)
  if (cachedUser()?.emailConfirmed !== false) await client.refetchQueries({ queryKey: queryKeys.currentUser })
  const user = cachedUser()
  const address = user && addressToConfirm(user)
  toast({
    title: t`Confirm your email address first`,
    description: address
      ? t`Open the link that we sent to ${address}. You can request another one in Settings → Security.`
      : undefined,
    tone: 'destructive',
  })
}

import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, translateServerText } from '@/lib/errors'
import { queryKeys } from '@/lib/query-client'
import { isolateBidi } from '@/lib/text'
import { fullTime } from '@/lib/time'
import { toast } from '@/ui/toaster'

/** Returns why an account is read-only, in the app's language, or null if it is not. */
export function readOnlyReasonText({
  readOnlyReason,
  suspension,
}: Pick<OwnUser, 'readOnlyReason' | 'suspension'>): string | null {
  if (!readOnlyReason) return null
  if (!suspension) return translateServerText(readOnlyReason)
  const reason = isolateBidi(suspension.reason)
  if (!suspension.until) return t`Suspended: ${reason}`
  const endTime = fullTime(suspension.until)
  return t`Suspended until ${endTime}: ${reason}`
}

/**
 * If the server rejected a change because the account is read-only, shows the reason in a toast. This toast replaces
 * the screen's own error, because a retry does not help. Refetches the current user if the cached one is not read-only
 * yet, for example because the account has just been suspended.
 */
export async function showReadOnlyReason(client: QueryClient, error: unknown): Promise<void> {
  if (!(error instanceof ApiError) || error.code !== 'account_read_only') return
  const cachedReason = () => {
    const user = client.getQueryData<OwnUser | null>(queryKeys.currentUser)
    return user ? readOnlyReasonText(user) : null
  }
  if (!cachedReason()) await client.refetchQueries({ queryKey: queryKeys.currentUser })
  toast({
    title: t`Your account is read-only`,
    description: cachedReason() ?? translateServerText(error.serverMessage),
    tone: 'destructive',
  })
}

import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, translateServerText } from '@/lib/errors'
import { queryKeys } from '@/lib/query-client'
import { toast } from '@/ui/toaster'

/**
 * Shows why the server rejected a change from a read-only account. This toast replaces the screen's own error, because
 * a retry does not help. Refetches the current user if the cached one is not read-only yet, as after a new suspension.
 */
export async function showReadOnlyReason(client: QueryClient, error: unknown): Promise<void> {
  if (!(error instanceof ApiError) || error.code !== 'account_read_only') return
  const cachedReason = () => client.getQueryData<OwnUser | null>(queryKeys.currentUser)?.readOnlyReason
  if (!cachedReason()) await client.refetchQueries({ queryKey: queryKeys.currentUser })
  toast({
    title: t`Your account is read-only`,
    description: translateServerText(cachedReason() ?? error.serverMessage),
    tone: 'destructive',
  })
}

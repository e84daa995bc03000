import type { OwnUser } from '@contract/user.ts'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '@/lib/api'
import { queryKeys } from '@/lib/query-keys'
import { toast } from '@/ui/toaster'

/**
 * Says why a change was refused to a read-only account, in place of what the screen said of it: trying again does not
 * help. Who was suspended a moment ago learns it here.
 */
export async function showReadOnlyReason(client: QueryClient, error: unknown): Promise<void> {
  if (!(error instanceof ApiError) || error.code !== 'account_read_only') return
  const own = () => client.getQueryData<OwnUser | null>(queryKeys.currentUser)?.readOnlyReason
  const say = () =>
    toast({
      title: 'Your account is read-only',
      description: own() ?? error.serverMessage,
      tone: 'destructive',
    })
  if (own()) return say()
  await client.refetchQueries({ queryKey: queryKeys.currentUser })
  say()
}

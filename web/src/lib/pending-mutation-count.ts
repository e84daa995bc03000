import type { QueryClient } from '@tanstack/react-query'

/** Changes of a scope that have no answer yet, those that wait their turn among them. */
export function pendingMutationCount(client: QueryClient, scope: string): number {
  return client.isMutating({ predicate: (mutation) => mutation.options.scope?.id === scope })
}

import type { QueryClient } from '@tanstack/react-query'

/** Whether something of a scope is on its way: a second press comes before the button is drawn anew. */
export function isUnderWay(client: QueryClient, scope: string): boolean {
  return client.isMutating({ predicate: (mutation) => mutation.options.scope?.id === scope }) > 0
}

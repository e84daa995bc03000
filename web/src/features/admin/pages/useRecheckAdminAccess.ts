import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '@/lib/api'
import { queryKeys } from '@/lib/query-keys'

/**
 * Asks anew who is signed in once an admin's reading is refused: who is no admin any more learns it while the panel is
 * open, and not with one error for each of its parts.
 */
export function useRecheckAdminAccess(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return
        if (event.query.queryKey[0] !== 'admin') return
        const { error } = event.action
        if (error instanceof ApiError && error.status === 403) {
          void client.invalidateQueries({ queryKey: queryKeys.currentUser })
        }
      }),
    [client],
  )
}

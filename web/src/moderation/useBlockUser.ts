import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, isUnauthorized } from '@/lib/api'
import { isolateBidi } from '@/lib/bidi'
import { queryKeys } from '@/lib/query-keys'
import { toast } from '@/ui/toaster'

/** Blocks somebody, or takes it back; `block` says which. What the two see of each other is read again. */
export function useBlockUser(user: { id: string }, name: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (block: boolean) => api.command(block ? 'POST' : 'DELETE', `/api/users/${user.id}/block`),
    onSuccess: async (_, block) => {
      toast({ title: block ? `You blocked ${isolateBidi(name)}` : `You unblocked ${isolateBidi(name)}` })
      await Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.users }),
        client.invalidateQueries({ queryKey: queryKeys.posts }),
        client.invalidateQueries({ queryKey: queryKeys.comments }),
        client.invalidateQueries({ queryKey: queryKeys.messages }),
      ])
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({ title: 'Error', description: 'That did not work. Please try again.', tone: 'destructive' })
    },
  })
}

import { FollowAnswer, type User } from '@contract/user.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { displayName } from '@/lib/person'
import { queryKeys } from '@/lib/queryKeys'
import { isUnauthorized } from '@/lib/unauthorized'
import { toast } from '@/ui/toaster'
import { applyFollow, nextStatus } from '../realtime/follow'
import { userKeys } from './keys'

/** The scope of follow calls for one person; while one runs, events about the same relation wait for its answer. */
export const followScope = (userId: string) => `follow:${userId}`

/** Follows, asks to follow, or takes either back: at once on the screen, then as the server answers. */
export function useToggleFollow(user: User) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: followScope(user.id) },
    mutationFn: () => api.post(`/api/users/${user.id}/follow`, undefined, FollowAnswer),
    onMutate: () => {
      applyFollow(client, user.id, nextStatus(user))
      return user.followStatus
    },
    onSuccess: (answer, _, before) => {
      applyFollow(client, user.id, answer.status)
      // With the relation changes what may be seen: the profile, the counts, the posts.
      void client.invalidateQueries({ queryKey: userKeys.details, predicate: isOf(user) })
      void client.invalidateQueries({ queryKey: userKeys.stats(user.id) })
      if (user.profileVisibility !== 'public')
        void client.invalidateQueries({ queryKey: queryKeys.postLists })
      toast({ title: told(answer.status, before, displayName(user)) })
    },
    onError: (error, _, before) => {
      if (before) applyFollow(client, user.id, before)
      if (isUnauthorized(error)) return
      toast({
        title: 'Failed to update follow',
        description: 'Failed to update follow status. Please try again.',
        tone: 'destructive',
      })
    },
  })
}

function told(status: FollowAnswer['status'], before: FollowAnswer['status'], name: string): string {
  if (status === 'following') return `You are now following ${name}`
  if (status === 'requested') return `You asked to follow ${name}`
  return before === 'requested' ? `You took back your request to ${name}` : `You no longer follow ${name}`
}

function isOf(user: User) {
  return (query: { queryKey: readonly unknown[] }) =>
    [user.id, user.handle, user.username].includes(String(query.queryKey[2]))
}

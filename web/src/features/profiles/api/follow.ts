import { FollowResponse, type User } from '@contract/user.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { isolated } from '@/lib/bidi'
import { holdReading } from '@/lib/optimistic'
import { displayName } from '@/lib/person'
import { queryKeys } from '@/lib/queryKeys'
import { isUnauthorized } from '@/lib/unauthorized'
import { underWay } from '@/lib/underWay'
import { toast } from '@/ui/toaster'
import { applyFollow, findUser, nextStatus } from '../realtime/follow'
import { userKeys } from './keys'

const followScope = (userId: string) => `follow:${userId}`

/** Presses of one person's follow button without an answer; meanwhile events about that relation have to wait. */
export function pressesOf(client: QueryClient, userId: string): number {
  return underWay(client, followScope(userId))
}

/** Follows, asks to follow, or takes either back: at once on the screen, then as the server answers. */
export function useToggleFollow(user: User) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: followScope(user.id) },
    mutationFn: () => api.post(`/api/users/${user.id}/follow`, undefined, FollowResponse),
    onMutate: async () => {
      const resume = await holdReading(client, {
        queryKey: userKeys.all,
        predicate: (query) => isOf(user)(query) || isList(query),
      })
      // As it is now: a second press comes before the button is drawn anew.
      const now = findUser(client, user.id) ?? user
      applyFollow(client, user.id, nextStatus(now))
      return { before: now.followStatus, resume }
    },
    onSuccess: (answer, _, { before }) => {
      // While another press waits its turn, the screen already shows what comes after it.
      if (pressesOf(client, user.id) <= 1) applyFollow(client, user.id, answer.status)
      if (user.profileVisibility !== 'public')
        void client.invalidateQueries({ queryKey: queryKeys.postLists })
      toast({ title: told(answer.status, before, isolated(displayName(user))) })
    },
    // With the relation changes what may be seen: the profile, the counts, the posts.
    onSettled: (_answer, _error, _sent, shown) => {
      shown?.resume()
      if (pressesOf(client, user.id) <= 1)
        void client.invalidateQueries({ queryKey: userKeys.all, predicate: isOf(user) })
    },
    onError: (error, _, shown) => {
      if (shown) applyFollow(client, user.id, shown.before)
      if (isUnauthorized(error)) return
      toast({
        title: 'Failed to update follow',
        description: 'Failed to update follow status. Please try again.',
        tone: 'destructive',
      })
    },
  })
}

function told(status: FollowResponse['status'], before: FollowResponse['status'], name: string): string {
  if (status === 'following') return `You are now following ${name}`
  if (status === 'requested') return `You asked to follow ${name}`
  return before === 'requested' ? `You took back your request to ${name}` : `You no longer follow ${name}`
}

const lists = [userKeys.lists, userKeys.directories, queryKeys.userSearch]

/** A list of people: its next page, asked for before the press, would bring the old relation back. */
function isList({ queryKey }: { queryKey: readonly unknown[] }) {
  return lists.some((list) => list[1] === queryKey[1])
}

/** What is kept of one person: by id, or by a name in any letter case, as it stood in the address. */
function isOf(user: User) {
  const names = [user.id, user.handle, user.username].map((name) => name.toLowerCase())
  return (query: { queryKey: readonly unknown[] }) => names.includes(String(query.queryKey[2]).toLowerCase())
}

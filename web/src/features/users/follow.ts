import { FollowResponse, type User } from '@contract/user.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, isUnauthorized } from '@/lib/api'
import { isolateBidi } from '@/lib/bidi'
import { pauseRefetching } from '@/lib/pause-refetching'
import { pendingMutationCount } from '@/lib/pending-mutation-count'
import { queryKeys } from '@/lib/query-keys'
import { displayName } from '@/lib/text'
import { toast } from '@/ui/toaster'
import { applyFollowStatus, findCachedUser, nextFollowStatus } from './follow-cache'
import { userKeys } from './keys'

const followScope = (userId: string) => `follow:${userId}`

/** Presses of one person's follow button without an answer; meanwhile events about that relation have to wait. */
export function pendingFollowCount(client: QueryClient, userId: string): number {
  return pendingMutationCount(client, followScope(userId))
}

/** Follows, asks to follow, or takes either back: at once on the screen, then as the server answers. */
export function useToggleFollow(user: User) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: followScope(user.id) },
    mutationFn: () => api.post(`/api/users/${user.id}/follow`, undefined, FollowResponse),
    onMutate: async () => {
      const resume = await pauseRefetching(client, {
        queryKey: userKeys.all,
        predicate: (query) => isOf(user)(query) || isList(query),
      })
      // As it is now: a second press comes before the button is drawn anew.
      const now = findCachedUser(client, user.id) ?? user
      applyFollowStatus(client, user.id, nextFollowStatus(now))
      return { before: now.followStatus, resume }
    },
    onSuccess: (answer, _, { before }) => {
      // While another press waits its turn, the screen already shows what comes after it.
      if (pendingFollowCount(client, user.id) <= 1) applyFollowStatus(client, user.id, answer.status)
      if (user.profileVisibility !== 'public')
        void client.invalidateQueries({ queryKey: queryKeys.postLists })
      toast({ title: told(answer.status, before, isolateBidi(displayName(user))) })
    },
    // With the relation changes what may be seen: the profile, the counts, the posts.
    onSettled: (_answer, _error, _sent, shown) => {
      shown?.resume()
      if (pendingFollowCount(client, user.id) <= 1)
        void client.invalidateQueries({ queryKey: userKeys.all, predicate: isOf(user) })
    },
    onError: (error, _, shown) => {
      if (shown) applyFollowStatus(client, user.id, shown.before)
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

import { userEvents } from '@contract/events.ts'
import { useQueryClient } from '@tanstack/react-query'
import { queryKeys } from '@/lib/query-keys'
import { pendingProfileChanges } from '@/profile/pending-changes'
import { useUserChannel } from '@/realtime'
import { currentUserQuery } from '@/session/session'
import { pendingFollowCount } from './follow'
import { applyFollowStatus } from './follow-cache'
import { userKeys } from './keys'

/** Keeps people's relations, and the own record, as other pages and people change them. */
export function useUsersRealtime(userId: string | undefined): void {
  const client = useQueryClient()
  const readAgain = () => {
    void client.invalidateQueries({ queryKey: userKeys.details })
    void client.invalidateQueries({ queryKey: userKeys.allStats })
  }
  useUserChannel(userId, {
    onJoined: readAgain,
    onEvent: (event, payload) => {
      if (event === 'profile.changed') {
        // The answer to a change that waits says more than this event.
        if (pendingProfileChanges(client) === 0)
          void client.invalidateQueries({ queryKey: currentUserQuery.queryKey })
        // A plan that was paid, cancelled or has ended is told so as well.
        void client.invalidateQueries({ queryKey: queryKeys.creatorPro })
        readAgain()
      } else if (event === 'notification.created') {
        const parsed = userEvents['notification.created'].safeParse(payload)
        if (userId && parsed.success && parsed.data.kind === 'follow') {
          void client.invalidateQueries({ queryKey: userKeys.stats(userId) })
          void client.invalidateQueries({ queryKey: userKeys.follows(userId, 'followers') })
        }
      } else if (event === 'follow.changed') {
        const parsed = userEvents['follow.changed'].safeParse(payload)
        if (!parsed.success) {
          readAgain()
          return
        }
        const { userId: otherId, status } = parsed.data
        if (pendingFollowCount(client, otherId) > 0) return
        applyFollowStatus(client, otherId, status)
        readAgain()
      }
    },
  })
}

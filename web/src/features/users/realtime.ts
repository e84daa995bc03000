import { userEvents } from '@contract/events.ts'
import { useQueryClient } from '@tanstack/react-query'
import { queryKeys } from '@/lib/query-client'
import { pendingProfileChanges, useSyncOwnUserCard } from '@/profile/own-profile'
import { useUserChannel } from '@/realtime/channel-hooks'
import { currentUserQuery, useCurrentUser } from '@/session/session'
import { applyFollowStatus, pendingFollowCount, userKeys } from './api'

/** Keeps the cached users up to date while a user is signed in. Renders nothing; the shell mounts it once. */
export function UsersRealtime() {
  const { user } = useCurrentUser()
  useUsersRealtime(user?.id)
  useSyncOwnUserCard(user)
  return null
}

/** Updates the cache when events report changes of follow relations or of the user's own profile. */
function useUsersRealtime(userId: string | undefined): void {
  const client = useQueryClient()
  const refresh = () => {
    void client.invalidateQueries({ queryKey: userKeys.details })
    void client.invalidateQueries({ queryKey: userKeys.allStats })
  }
  const refreshOwn = () => {
    // The response of a pending change is newer than the event.
    if (pendingProfileChanges(client) === 0)
      void client.invalidateQueries({ queryKey: currentUserQuery.queryKey })
    void client.invalidateQueries({ queryKey: queryKeys.creatorPro })
    refresh()
  }
  useUserChannel(userId, {
    onJoined: refreshOwn,
    onEvent: (event, payload) => {
      if (event === 'profile.changed') {
        // The same event reports that a Creator Pro plan was paid, cancelled or has ended.
        refreshOwn()
      } else if (event === 'notification.created') {
        const parsed = userEvents['notification.created'].safeParse(payload)
        if (userId && parsed.success && parsed.data.kind === 'follow') {
          void client.invalidateQueries({ queryKey: userKeys.stats(userId) })
          void client.invalidateQueries({ queryKey: userKeys.follows(userId, 'followers') })
        }
      } else if (event === 'follow.changed') {
        const parsed = userEvents['follow.changed'].safeParse(payload)
        if (!parsed.success) {
          refresh()
          return
        }
        const { userId: otherId, status } = parsed.data
        if (pendingFollowCount(client, otherId) > 0) return
        applyFollowStatus(client, otherId, status)
        refresh()
      }
    },
  })
}

import type { Presence } from '@contract/message.ts'
import { fullTime, timeAgo } from '@/lib/format'
import { useNow } from '@/lib/time'

/**
 * When somebody was last here: 'Online', else 'last seen 5 minutes ago', else nothing. What the open conversation's
 * channel says (`here`) is newer than what the list knew.
 */
export function LastSeen({ here, presence }: { here: boolean; presence: Presence | undefined }) {
  const now = useNow()
  if (here || presence?.online) return <>{' · '}Online</>
  if (!presence?.lastSeenAt) return null
  return (
    <>
      {' · '}
      <time dateTime={presence.lastSeenAt} title={fullTime(presence.lastSeenAt)}>
        last seen {timeAgo(presence.lastSeenAt, now)}
      </time>
    </>
  )
}

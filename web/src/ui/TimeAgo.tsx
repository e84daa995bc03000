import { fullTime, timeAgo } from '@/lib/format'
import { useNow } from '@/lib/time'

/** How long ago something was, with its time in full. */
export function TimeAgo({ at }: { at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={fullTime(at)}>
      {timeAgo(at, now)}
    </time>
  )
}

import {
  compactAge,
  compactTimeAgo,
  dayAndTime,
  fullTime,
  isSameDay,
  postDate,
  postTime,
  timeAgo,
  useNow,
} from '@/lib/time'
import { VisuallyHidden } from './layout'

/** Shows how long ago something happened, with the full date as the title. */
export function TimeAgo({ at }: { at: string }) {
  return <RelativeTime at={at} format={timeAgo} />
}

/** Shows how long ago something happened in as few characters as possible, with the full date as the title. */
export function CompactTimeAgo({ at }: { at: string }) {
  return <RelativeTime at={at} format={compactTimeAgo} />
}

/**
 * Shows how long ago a message was sent. From the next day on, shows the day and the time instead.
 */
export function MessageTime({ at }: { at: string }) {
  const now = useNow()
  const ago = compactTimeAgo(at, now)
  return (
    <time dateTime={at} title={fullTime(at)}>
      {isSameDay(at, now) ? (
        ago
      ) : (
        <>
          {dayAndTime(at, now)}
          <VisuallyHidden> {ago}</VisuallyHidden>
        </>
      )}
    </time>
  )
}

/** Shows an age in a short form such as '2h', with the full date as the title. */
export function CompactAge({ at }: { at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={fullTime(at)}>
      <VisuallyHidden>{timeAgo(at, now)}</VisuallyHidden>
      <span aria-hidden>{compactAge(at, now)}</span>
    </time>
  )
}

/** Shows the age of a post, with the full date as the title. */
export function PostTime({ at }: { at: string }) {
  return <RelativeTime at={at} format={postTime} />
}

/** Shows the age of a post or comment, or its date if it is at least a week old, with the full date as the title. */
export function PostDate({ at }: { at: string }) {
  return <RelativeTime at={at} format={postDate} />
}

/** A separate component, so that the clock rerenders nothing else. */
function RelativeTime({ at, format }: { at: string; format: (at: string, now: number) => string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={fullTime(at)}>
      {format(at, now)}
    </time>
  )
}

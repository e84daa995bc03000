import { Box, chakra } from '@chakra-ui/react'
import { useNow } from '@/lib/time'

const Line = chakra('div', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    textStyle: 'caption',
    fontWeight: 'medium',
    color: 'muted',
    _before: { content: '""', flex: '1', borderTopWidth: '1px' },
    _after: { content: '""', flex: '1', borderTopWidth: '1px' },
  },
  variants: {
    highlighted: {
      true: {
        color: 'ember.text',
        fontWeight: 'semibold',
        _before: { borderColor: 'ember.ring' },
        _after: { borderColor: 'ember.ring' },
      },
    },
  },
})

/** Shows the start of a day. */
export function DayDivider({ time }: { time: string }) {
  const now = useNow()
  return (
    <Line>
      <Box asChild>
        <time dateTime={time.slice(0, 10)}>{formatDay(new Date(time), new Date(now))}</time>
      </Box>
    </Line>
  )
}

/** Shows the start of the messages that were unread when the thread was opened. */
export function UnreadDivider() {
  return (
    <Line highlighted data-unread>
      New messages
    </Line>
  )
}

const thisYearFormat = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
const otherYearFormat = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})

/** Returns 'Today', 'Yesterday' or the date in the browser's locale, with the year if it is not the current one. */
function formatDay(day: Date, now: Date): string {
  if (day.toDateString() === now.toDateString()) return 'Today'
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  if (day.toDateString() === yesterday.toDateString()) return 'Yesterday'
  return (day.getFullYear() === now.getFullYear() ? thisYearFormat : otherYearFormat).format(day)
}

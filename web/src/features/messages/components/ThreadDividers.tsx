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
    news: {
      true: {
        color: 'ember.text',
        fontWeight: 'semibold',
        _before: { borderColor: 'ember.ring' },
        _after: { borderColor: 'ember.ring' },
      },
    },
  },
})

/** A day begins. */
export function DayDivider({ time }: { time: string }) {
  const now = useNow()
  return (
    <Line>
      <Box asChild>
        <time dateTime={time.slice(0, 10)}>{dayName(new Date(time), new Date(now))}</time>
      </Box>
    </Line>
  )
}

/** Here begins what was unread when the thread was opened. */
export function UnreadDivider() {
  return (
    <Line news data-unread>
      New messages
    </Line>
  )
}

const ofThisYear = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
const ofOtherYear = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})

/** 'Today', 'Yesterday', or the day in the reader's own words; the year where it is another one. */
function dayName(day: Date, now: Date): string {
  if (day.toDateString() === now.toDateString()) return 'Today'
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  if (day.toDateString() === yesterday.toDateString()) return 'Yesterday'
  return (day.getFullYear() === now.getFullYear() ? ofThisYear : ofOtherYear).format(day)
}

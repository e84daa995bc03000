import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { dateFormat } from '@/lib/format'
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
        <time dateTime={time}>{formatDay(new Date(time), new Date(now))}</time>
      </Box>
    </Line>
  )
}

/** Shows the start of the messages that were unread when the thread was opened. */
export function UnreadDivider() {
  return (
    <Line highlighted data-unread>
      {t`New messages`}
    </Line>
  )
}

const dayFormat: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long' }

/** Returns 'Today', 'Yesterday' or the date, with the year if it is not the current one. */
function formatDay(day: Date, now: Date): string {
  if (day.toDateString() === now.toDateString()) return t`Today`
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  if (day.toDateString() === yesterday.toDateString()) return t`Yesterday`
  const isThisYear = day.getFullYear() === now.getFullYear()
  return dateFormat(isThisYear ? dayFormat : { ...dayFormat, year: 'numeric' }).format(day)
}

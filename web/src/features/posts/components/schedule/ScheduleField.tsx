import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import type { RefObject } from 'react'
import { fullTime, useNow } from '@/lib/time'
import { IconButton } from '@/ui/IconButton'
import { ClockIcon, CloseIcon } from '@/ui/icons'
import { changePostDraft } from '../../post-draft'
import { dayAndTime } from '../../schedule-times'

/** Shows when a draft will be published, with a button that removes the time. */
export default function ScheduleField({
  userId,
  publishAt,
  disabled,
  fallbackFocusTarget,
}: {
  userId: string
  publishAt: string
  disabled: boolean
  /** Receives the focus when the time is removed. */
  fallbackFocusTarget: RefObject<HTMLElement | null>
}) {
  const now = useNow()
  const isTooEarly = Date.parse(publishAt) < now + limits.scheduledPosts.minMinutesAhead * 60_000
  const when = dayAndTime(publishAt, now)
  const remove = () => {
    changePostDraft(userId, { publishAt: null })
    fallbackFocusTarget.current?.focus()
  }
  return (
    <Box
      role="group"
      aria-label={t`Publishing time`}
      display="flex"
      alignItems="center"
      gap="2"
      marginTop="3"
      paddingInlineStart="3"
      borderRadius="md"
      bg={isTooEarly ? 'danger.wash' : 'ember.wash'}
      color={isTooEarly ? 'danger.text' : 'ember.text'}
      textStyle="small"
    >
      <Box fontSize="lg" aria-hidden>
        <ClockIcon />
      </Box>
      <Box flex="1" minWidth="0" paddingBlock="2" role="status">
        <time dateTime={publishAt} title={fullTime(publishAt)}>
          {isTooEarly ? t`Choose a later time than ${when}.` : t`Publishes ${when}`}
        </time>
      </Box>
      <IconButton label={t`Don't schedule`} color="inherit" disabled={disabled} onClick={remove}>
        <CloseIcon />
      </IconButton>
    </Box>
  )
}

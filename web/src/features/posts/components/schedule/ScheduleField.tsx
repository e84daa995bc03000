import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import type { RefObject } from 'react'
import { fullTime, useNow } from '@/lib/time'
import { IconButton } from '@/ui/IconButton'
import { ClockIcon, CloseIcon } from '@/ui/icons'
import { isTooSoon, publishingTimeText } from '../../model'
import { changePostDraft } from '../../post-draft'

/** Shows when a draft will be published, with a button that removes the time. */
export function ScheduleField({
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
  const isInvalid = isTooSoon(publishAt, now)
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
      bg={isInvalid ? 'danger.wash' : 'ember.wash'}
      color={isInvalid ? 'danger.text' : 'ember.text'}
      textStyle="small"
    >
      <Box fontSize="lg" aria-hidden>
        <ClockIcon />
      </Box>
      <Box flex="1" minWidth="0" paddingBlock="2">
        <time dateTime={publishAt} title={fullTime(publishAt)}>
          {publishingTimeText(publishAt, now)}
        </time>
      </Box>
      <IconButton label={t`Don't schedule`} color="inherit" disabled={disabled} onClick={remove}>
        <CloseIcon />
      </IconButton>
    </Box>
  )
}

import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Button } from '@/ui/Button'
import { ClockIcon } from '@/ui/icons'
import { Popover } from '@/ui/Popover'
import { Spinner } from '@/ui/Skeleton'
import { InlineError } from '@/ui/states'
import type SchedulePicker from './SchedulePicker'

/** Shows the composer's button that opens a popover with times. The popover's content is loaded when it is opened. */
export function ScheduleButton({
  publishAt,
  onChange,
  disabled,
}: {
  /** The chosen time as an ISO 8601 time, or null. */
  publishAt: string | null
  onChange: (publishAt: string) => void
  disabled: boolean
}) {
  const [open, setOpen] = useState(false)
  const [picker, setPicker] = useState<{ default: typeof SchedulePicker } | 'failed'>()
  const load = () => import('./SchedulePicker').then(setPicker, () => setPicker('failed'))
  return (
    <Popover
      open={open}
      onOpenChange={(nextOpen) => {
        setOpen(nextOpen)
        if (nextOpen && typeof picker !== 'object') void load()
      }}
      placement="bottom-start"
      title={t`Schedule post`}
      trigger={
        <Button
          size="icon"
          variant="ghost"
          aria-label={t({ message: 'Schedule', context: 'verb' })}
          disabled={disabled}
          {...(publishAt && { bg: 'ember.wash', color: 'ember.text' })}
        >
          <ClockIcon />
        </Button>
      }
    >
      {typeof picker === 'object' ? (
        <picker.default
          publishAt={publishAt}
          onChoose={(at) => {
            setOpen(false)
            onChange(at)
          }}
          onClose={() => setOpen(false)}
        />
      ) : (
        <Box display="grid" placeItems="center" minHeight="10.5rem">
          {picker ? <InlineError text={t`Couldn't load this`} onRetry={load} /> : <Spinner />}
        </Box>
      )}
    </Popover>
  )
}

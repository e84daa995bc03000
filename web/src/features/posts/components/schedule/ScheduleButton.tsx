import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Button } from '@/ui/Button'
import { ClockIcon } from '@/ui/icons'
import { LazyPart } from '@/ui/LazyPart'
import { Popover } from '@/ui/Popover'
import { dayAndTime } from '../../model'

/**
 * Loads everything that the composer needs to schedule a post, so that nothing is left to load when the post is
 * submitted.
 */
export const loadScheduling = () => import('./scheduling')

/** Shows the composer's button that opens a popover with times. */
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
  const when = publishAt && dayAndTime(publishAt)
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      placement="bottom-start"
      title={t`Schedule post`}
      trigger={
        <Button
          size="icon"
          variant="ghost"
          aria-label={when ? t`Change publishing time, ${when}` : t`Choose publishing time`}
          disabled={disabled}
          {...(publishAt && { bg: 'ember.wash', color: 'ember.text' })}
        >
          <ClockIcon />
        </Button>
      }
    >
      <LazyPart load={loadScheduling} minHeight="10.5rem">
        {({ SchedulePicker }) => (
          <SchedulePicker
            publishAt={publishAt}
            onChoose={(at) => {
              setOpen(false)
              onChange(at)
            }}
            onClose={() => setOpen(false)}
          />
        )}
      </LazyPart>
    </Popover>
  )
}

import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { dateFormat } from '@/lib/format'
import { useNow } from '@/lib/time'
import { FieldError, TextField } from '@/ui/Field'
import { dateRange, fromTimeInputs, type TimeInputs } from '../../schedule-times'

const errorId = 'schedule-error'

/** Shows inputs for the day and the time at which to publish a post, and names the browser's time zone. */
export function TimeFields({
  inputs,
  onChange,
  error,
  disabled = false,
}: {
  inputs: TimeInputs
  onChange: (inputs: TimeInputs) => void
  /** Shown instead of the time zone's name. */
  error: string | undefined
  disabled?: boolean
}) {
  const now = useNow()
  const invalid = error ? ({ 'aria-invalid': true, 'aria-describedby': errorId } as const) : {}
  return (
    <div>
      <Box display="grid" gridTemplateColumns="minmax(0, 1.15fr) minmax(0, 1fr)" gap="2">
        <TextField
          label={t`Date`}
          type="date"
          {...dateRange(now)}
          paddingInline="3"
          value={inputs.date}
          onChange={(event) => onChange({ ...inputs, date: event.target.value })}
          disabled={disabled}
          {...invalid}
        />
        <TextField
          label={t`Time`}
          type="time"
          paddingInline="3"
          value={inputs.time}
          onChange={(event) => onChange({ ...inputs, time: event.target.value })}
          disabled={disabled}
          {...invalid}
        />
      </Box>
      {error ? (
        <FieldError id={errorId}>{error}</FieldError>
      ) : (
        <Box textStyle="small" color="muted" marginTop="1.5">
          {timeZoneName(fromTimeInputs(inputs) ?? new Date(now))}
        </Box>
      )}
    </div>
  )
}

/** Returns the name of the browser's time zone at a point in time, such as 'Central European Summer Time'. */
function timeZoneName(at: Date): string {
  const parts = dateFormat({ timeZoneName: 'long' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

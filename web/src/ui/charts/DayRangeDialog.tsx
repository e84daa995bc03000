import { Box } from '@chakra-ui/react'
import { addDays, currentDay, DayRange } from '@contract/analytics.ts'
import { limits } from '@contract/limits.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { fieldErrorText } from '@/lib/errors'
import { Button } from '../Button'
import { Dialog } from '../Dialog'
import { TextField } from '../Field'

/** Returns the last `count` days in UTC, including today. */
export function lastDays(count: number): DayRange {
  const to = currentDay()
  return { from: addDays(to, 1 - count), to }
}

/** Asks for the range of days that a chart shows. Closes when a valid range is submitted. */
export function DayRangeDialog({
  open,
  onClose,
  initial,
  onSubmit,
}: {
  open: boolean
  onClose: () => void
  initial: DayRange
  onSubmit: (range: DayRange) => void
}) {
  return (
    <Dialog open={open} onClose={onClose} title={t`Custom period`}>
      <DayRangeForm
        initial={initial}
        onSubmit={(range) => {
          onClose()
          onSubmit(range)
        }}
      />
    </Dialog>
  )
}

function DayRangeForm({ initial, onSubmit }: { initial: DayRange; onSubmit: (range: DayRange) => void }) {
  const id = useId()
  const {
    register,
    handleSubmit,
    formState: { errors },
  } = useForm({
    resolver: zodResolver(DayRange),
    defaultValues: initial,
  })
  const dateField = { type: 'date', min: limits.analytics.firstDay, max: currentDay() } as const
  return (
    <form id={id} noValidate onSubmit={handleSubmit(onSubmit)}>
      <Box display="grid" gridTemplateColumns="repeat(auto-fit, minmax(9rem, 1fr))" gap="4">
        <TextField
          {...dateField}
          label={t`From (UTC)`}
          error={fieldErrorText(errors.from)}
          {...register('from', { deps: 'to' })}
        />
        <TextField {...dateField} label={t`To (UTC)`} error={fieldErrorText(errors.to)} {...register('to')} />
      </Box>
      <Box display="flex" alignItems="center" justifyContent="space-between" gap="4" paddingBlock="5">
        <Box textStyle="small" color="muted">
          {t`Up to one year. Compared with the same number of days before.`}
        </Box>
        <Button type="submit" variant="ember" flexShrink={0}>
          {t`Apply`}
        </Button>
      </Box>
    </form>
  )
}

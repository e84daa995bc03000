import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { paths } from '@/lib/paths'
import { useNow } from '@/lib/time'
import { Button, ButtonLink } from '@/ui/Button'
import { ClockIcon } from '@/ui/icons'
import { dayAndTime } from '../../model'
import {
  fromTimeInputs,
  nextRoundHour,
  scheduleProblem,
  suggestTimes,
  toTimeInputs,
} from '../../schedule-times'
import { TimeFields } from './TimeFields'

/** Lets the author of a draft choose when to publish it: one of three suggested times, or any other time. */
export function SchedulePicker({
  publishAt,
  onChoose,
  onClose,
}: {
  publishAt: string | null
  onChoose: (publishAt: string) => void
  /** Called when the user follows the link to the scheduled posts. */
  onClose: () => void
}) {
  const now = useNow()
  const [inputs, setInputs] = useState(() =>
    toTimeInputs(publishAt && Date.parse(publishAt) > now ? new Date(publishAt) : nextRoundHour(now)),
  )
  const [error, setError] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const { tomorrowMorning, tomorrowEvening, monday } = suggestTimes(now)
  const suggestions = [
    { label: t`Tomorrow morning`, at: tomorrowMorning },
    { label: t`Tomorrow evening`, at: tomorrowEvening },
    { label: t`Monday morning`, at: monday },
  ]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The popover is a descendant of the composer's form, which must not be submitted.
    event.stopPropagation()
    const problem = scheduleProblem(inputs, Date.now())
    // Renders the error synchronously, so that the invalid input can be focused.
    flushSync(() => setError(problem))
    if (problem) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    const at = fromTimeInputs(inputs)
    if (!problem && at) onChoose(at.toISOString())
  }
  return (
    <Box padding="2">
      <Box as="ul" listStyleType="none">
        {suggestions.map(({ label, at }) => (
          <li key={label}>
            <Suggestion type="button" onClick={() => onChoose(at.toISOString())}>
              <Box as="span" textStyle="label">
                {label}
              </Box>
              <Box as="span" textStyle="small" color="muted" fontVariantNumeric="tabular-nums">
                {dayAndTime(at.toISOString(), now)}
              </Box>
            </Suggestion>
          </li>
        ))}
      </Box>
      <Form
        ref={form}
        noValidate
        onSubmit={submit}
        // The composer ignores Enter in its inputs.
        onKeyDown={(event) => event.key === 'Enter' && event.stopPropagation()}
        aria-label={t`Another time`}
      >
        <TimeFields
          inputs={inputs}
          onChange={(next) => {
            setError(undefined)
            setInputs(next)
          }}
          error={error}
        />
        <Button type="submit" variant="tinted" width="100%">
          {t`Set time`}
        </Button>
      </Form>
      <ButtonLink
        to={paths.scheduled.getHref()}
        variant="ghost"
        size="sm"
        width="100%"
        marginTop="2"
        onClick={onClose}
      >
        <ClockIcon /> {t`Scheduled posts`}
      </ButtonLink>
    </Box>
  )
}

const Suggestion = chakra('button', {
  base: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '3',
    width: '100%',
    minHeight: 'target',
    paddingInline: '3',
    borderRadius: 'md',
    textAlign: 'start',
    cursor: 'pointer',
    _hover: { bg: 'hover' },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

const Form = chakra('form', {
  base: {
    display: 'grid',
    gap: '3',
    marginTop: '2',
    paddingInline: '3',
    paddingTop: '4',
    paddingBottom: '3',
    borderBlockWidth: '1px',
  },
})

import { intervals } from '@contract/intervals.ts'
import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useState } from 'react'
import { z } from 'zod'
import { TextField } from './Field'

/**
 * Shows a field for the first or last day of a filter. Reports the day once it is complete and the user has paused or
 * left the field, because each digit of a year that the user types results in a different date, such as 0020-01-01.
 */
export function DayField({
  label,
  day,
  min,
  max,
  error,
  onDayChange,
  onUnappliedChange,
}: {
  label: string
  day: string
  min?: string | undefined
  max?: string | undefined
  error?: string | undefined
  onDayChange: (day: string) => void
  /** Called with whether the field shows something other than `day`. */
  onUnappliedChange?: (isUnapplied: boolean) => void
}) {
  const [text, setText] = useState(day)
  const [isPartial, setPartial] = useState(false)
  const [isLeft, setLeft] = useState(false)
  const [lastDay, setLastDay] = useState(day)
  if (lastDay !== day) {
    setLastDay(day)
    setText(day)
  }
  const isValid = !isPartial && (text === '' || isFilterDay(text))
  const report = useEffectEvent(onDayChange)
  useEffect(() => {
    if (!isValid || text === day) return
    const timer = setTimeout(() => report(text), intervals.searchDebounceMs)
    return () => clearTimeout(timer)
  }, [text, isValid, day])
  const isUnapplied = isPartial || text !== day
  const reportUnapplied = useEffectEvent((value: boolean) => onUnappliedChange?.(value))
  useEffect(() => reportUnapplied(isUnapplied), [isUnapplied])
  return (
    <TextField
      type="date"
      label={label}
      min={min}
      max={max}
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        // The browser reports a date with missing parts as an empty value.
        setPartial(target.validity.badInput)
        setLeft(false)
      }}
      onBlur={({ target }) => {
        setPartial(target.validity.badInput)
        setLeft(true)
        if (isValid && text !== day) onDayChange(text)
      }}
      error={isLeft && !isValid ? t`Enter a complete date in 2000 or later.` : error}
    />
  )
}

/** Returns whether `text` is a valid day for a filter: a date from 2000 or later. */
export const isFilterDay = (text: string) => z.iso.date().safeParse(text).success && text >= '2000'

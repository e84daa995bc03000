import { Box, chakra } from '@chakra-ui/react'
import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { formatCount, numberFormat } from '@/lib/format'

/**
 * How a metric differs from its value in the previous period, which has the same number of days.
 *
 * `change`: the signed difference, such as '+12%', '-$5.00' or '+1.2 points'. `multiple`: at least ten times the
 * previous value. `similar`: a change of less than 0.1%. `same`: no change. `new`: the previous value was zero.
 * `no-views`: the previous rate is undefined.
 */
export type Comparison =
  | { kind: 'change'; trend: 'up' | 'down'; change: string }
  | { kind: 'multiple'; times: string }
  | { kind: 'same' | 'similar' | 'new' | 'no-views' }

/** Compares a metric with the previous period. `format` formats a difference, with a minus sign if it is negative. */
export function compareAmounts(value: number, previous: number, format = formatCount): Comparison {
  if (value === previous) return { kind: 'same' }
  if (previous === 0 && value > 0) return { kind: 'new' }
  const trend = value > previous ? 'up' : 'down'
  // A percentage is meaningless if either value is negative (refunds can exceed revenue).
  if (value < 0 || previous <= 0) {
    const difference = format(value - previous)
    return { kind: 'change', trend, change: trend === 'up' ? `+${difference}` : difference }
  }
  if (value >= previous * 10) return { kind: 'multiple', times: wholeNumber(value / previous) }
  const ratio = value / previous - 1
  if (Math.abs(ratio) < 0.001) return { kind: 'similar' }
  const percent = numberFormat({
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: Math.abs(ratio) < 0.1 ? 1 : 0,
  })
  return { kind: 'change', trend, change: percent.format(ratio) }
}

/** Compares a rate in percentage points. Returns null if the current rate is undefined (no views). */
export function compareRates(value: number | null, previous: number | null): Comparison | null {
  if (value === null) return null
  if (previous === null) return { kind: 'no-views' }
  if (value === previous) return { kind: 'same' }
  const points = Math.round(Math.abs(value - previous) * 10) / 10
  const difference = numberFormat({ signDisplay: 'exceptZero', maximumFractionDigits: 1 }).format(
    value - previous,
  )
  return {
    kind: 'change',
    trend: value > previous ? 'up' : 'down',
    change: plural(points, { one: `${difference} point`, other: `${difference} points` }),
  }
}

const wholeNumber = (value: number) => numberFormat({ maximumFractionDigits: 0 }).format(value)

const Change = chakra('span', {
  base: { fontWeight: 'medium', whiteSpace: 'nowrap' },
  variants: { trend: { up: { color: 'success.text' }, down: { color: 'danger.text' } } },
})

/**
 * Shows a comparison, such as '+12% vs. 1,100', without naming the period. On phones, the previous value is hidden.
 *
 * @param previous the formatted value of the previous period
 */
export function ComparisonResult({ comparison, previous }: { comparison: Comparison; previous: string }) {
  const result = comparisonResult(comparison)
  // The other kinds imply the previous value.
  const hasPrevious = ['change', 'multiple', 'similar'].includes(comparison.kind)
  return (
    <Box as="span" textStyle="small" color="muted" fontVariantNumeric="tabular-nums">
      {hasPrevious ? (
        <Trans>
          {result}{' '}
          <Box as="span" hideBelow="md">
            vs. {previous}
          </Box>
        </Trans>
      ) : (
        result
      )}
    </Box>
  )
}

function comparisonResult(comparison: Comparison): ReactNode {
  switch (comparison.kind) {
    case 'change':
      return <Change trend={comparison.trend}>{comparison.change}</Change>
    case 'multiple':
      return <Change trend="up">{comparison.times}×</Change>
    case 'similar':
      return t`About the same`
    case 'same':
      return t`No change`
    case 'new':
      return t`New`
    case 'no-views':
      return t`No earlier views`
  }
}

/**
 * Shows a comparison that names the period, such as '+12% vs. previous 30 days'.
 *
 * @param days the length of the period
 */
export function ComparisonText({ comparison, days }: { comparison: Comparison; days: number }) {
  return (
    <Box as="span" textStyle="small" color="muted" fontVariantNumeric="tabular-nums">
      {comparisonPhrase(comparison, days)}
    </Box>
  )
}

/** @param days the length of the period; 365 is a year */
function comparisonPhrase(comparison: Comparison, days: number): ReactNode {
  switch (comparison.kind) {
    case 'change': {
      const { trend, change } = comparison
      return (
        <Plural
          value={days}
          _365={
            <Trans>
              <Change trend={trend}>{change}</Change> vs. previous year
            </Trans>
          }
          one={
            <Trans>
              <Change trend={trend}>{change}</Change> vs. previous day
            </Trans>
          }
          other={
            <Trans>
              <Change trend={trend}>{change}</Change> vs. previous # days
            </Trans>
          }
        />
      )
    }
    case 'multiple': {
      const { times } = comparison
      return (
        <Plural
          value={days}
          _365={
            <Trans>
              <Change trend="up">{times}×</Change> the previous year
            </Trans>
          }
          one={
            <Trans>
              <Change trend="up">{times}×</Change> the previous day
            </Trans>
          }
          other={
            <Trans>
              <Change trend="up">{times}×</Change> the previous # days
            </Trans>
          }
        />
      )
    }
    case 'similar':
      return (
        <Plural
          value={days}
          _365="About the same as the previous year"
          one="About the same as the previous day"
          other="About the same as the previous # days"
        />
      )
    case 'same':
      return (
        <Plural
          value={days}
          _365="Same as the previous year"
          one="Same as the previous day"
          other="Same as the previous # days"
        />
      )
    case 'new':
      return (
        <Plural
          value={days}
          _365="New: none in the previous year"
          one="New: none on the previous day"
          other="New: none in the previous # days"
        />
      )
    case 'no-views':
      return (
        <Plural
          value={days}
          _365="No views in the previous year"
          one="No views on the previous day"
          other="No views in the previous # days"
        />
      )
  }
}

import { Box, chakra } from '@chakra-ui/react'
import type { AnalyticsPeriod } from '@contract/analytics.ts'
import { periods } from '../period'

const Choice = chakra('button', {
  base: {
    minHeight: '9',
    '@media (pointer: coarse)': { minHeight: 'target' },
    // As much room as a narrow phone leaves.
    paddingInline: 'clamp({spacing.1}, 2vw, {spacing.3.5})',
    flexGrow: '1',
    borderRadius: 'full',
    textStyle: 'small',
    fontWeight: 'medium',
    whiteSpace: 'nowrap',
    color: 'muted',
    cursor: 'pointer',
    transition: 'background-color {durations.fast}, color {durations.fast}',
    _hover: { color: 'text' },
    '&[aria-pressed=true]': { bg: { _light: 'surface', _dark: 'pressed' }, color: 'text', boxShadow: 'low' },
  },
})

/** Which stretch of time the figures are about. */
export function PeriodPicker({
  value,
  onChange,
}: {
  value: AnalyticsPeriod
  onChange: (period: AnalyticsPeriod) => void
}) {
  return (
    <Box
      role="group"
      aria-label="Period"
      display="inline-flex"
      flexWrap="wrap"
      bg="sunken"
      // Round in one row, and no more than that in two.
      borderRadius="1.5rem"
      padding="0.5"
      maxWidth="100%"
    >
      {periods.map(([period, name]) => (
        <Choice key={period} type="button" aria-pressed={period === value} onClick={() => onChange(period)}>
          {name}
        </Choice>
      ))}
    </Box>
  )
}

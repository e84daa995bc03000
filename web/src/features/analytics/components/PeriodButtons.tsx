import { Box, chakra } from '@chakra-ui/react'
import type { AnalyticsPeriod } from '@contract/analytics.ts'
import { periods } from '../period'

const Choice = chakra('button', {
  base: {
    minHeight: '9',
    '@media (pointer: coarse)': { minHeight: 'target' },
    paddingInline: { base: '2.5', sm: '3.5' },
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
export function PeriodButtons({
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
      bg="sunken"
      borderRadius="full"
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

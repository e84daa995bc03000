import { Box, chakra } from '@chakra-ui/react'
import { ChartFrame } from './ChartFrame'

/** One row; `before` is what it had in the period before. */
export interface Bar {
  name: string
  value: number
  before?: number
}

const Track = chakra('div', { base: { height: '2', borderRadius: 'full', minWidth: '2px' } })

/**
 * Values of the same kind beneath each other, each with its name and figure beside it. Not drawn in a canvas: names may
 * be long, and the page is narrow on a phone.
 *
 * @param label what is compared: 'Followers by age'
 * @param head what the names and the values are, for the table: ['Age', 'Share']
 * @param before how the period before is called, where bars have one
 * @param end the value of a full bar; the largest one when left out
 */
export function BarChart({
  label,
  head,
  bars,
  format,
  before = 'Period before',
  end,
}: {
  label: string
  head: [name: string, value: string]
  bars: Bar[]
  format: (value: number) => string
  before?: string
  end?: number
}) {
  const compared = bars.some((bar) => bar.before !== undefined)
  const full = end ?? Math.max(1e-9, ...bars.flatMap((bar) => [bar.value, bar.before ?? 0]))
  const width = (value: number) => `${Math.min(100, (100 * Math.max(0, value)) / full)}%`
  return (
    <ChartFrame
      label={label}
      table={{
        head: [...head, ...(compared ? [before] : [])],
        rows: bars.map((bar) => [
          bar.name,
          format(bar.value),
          ...(compared ? [bar.before === undefined ? '–' : format(bar.before)] : []),
        ]),
      }}
    >
      <Box aria-hidden display="grid" gap="3" textStyle="small">
        {bars.map((bar) => (
          <div key={bar.name}>
            <Box display="flex" justifyContent="space-between" gap="4" marginBottom="1">
              <Box minWidth="0" truncate>
                {bar.name}
              </Box>
              <Box fontVariantNumeric="tabular-nums" fontWeight="medium">
                {format(bar.value)}
              </Box>
            </Box>
            <Box bg="pressed" borderRadius="full">
              <Track bg="ember.ring" style={{ width: width(bar.value) }} />
            </Box>
            {bar.before !== undefined && (
              <Box display="flex" alignItems="center" gap="2" marginTop="1">
                <Track bg="outline" height="1" style={{ width: width(bar.before) }} />
                <Box color="muted" textStyle="caption" whiteSpace="nowrap">
                  {before}: {format(bar.before)}
                </Box>
              </Box>
            )}
          </div>
        ))}
        {bars.length === 0 && <Box color="muted">Nothing to show yet.</Box>}
      </Box>
    </ChartFrame>
  )
}

import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { formatPercent } from '@/lib/format'
import { ChartFrame } from './ChartFrame'

export interface Bar {
  name: string
  value: number
  /** The share in percent, shown beside the value. */
  percentage?: number
}

const Track = chakra('div', { base: { height: '2', borderRadius: 'full', minWidth: '2px' } })

/**
 * Shows comparable values as bars, one below the other, each with its name and value. Built from HTML elements rather
 * than with the chart library, because names can be long and phones are narrow.
 *
 * @param label what is compared, e.g. 'Followers by age'
 * @param head the table's column headers, e.g. ['Age', 'Share']
 * @param end the value of a full bar; the largest value by default
 */
export function BarChart({
  label,
  head,
  bars,
  format,
  end,
}: {
  label: string
  head: [name: string, value: string]
  bars: Bar[]
  format: (value: number) => string
  end?: number
}) {
  const full = end ?? Math.max(1e-9, ...bars.map((bar) => bar.value))
  const hasShares = bars.some(({ percentage }) => percentage !== undefined)
  const width = (value: number) => `${Math.min(100, (100 * Math.max(0, value)) / full)}%`
  return (
    <ChartFrame
      label={label}
      table={{
        head: hasShares ? [...head, t`Share`] : head,
        rows: bars.map(({ name, value, percentage }) => [
          name,
          format(value),
          ...(percentage === undefined ? [] : [formatPercent(percentage)]),
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
              <Box fontVariantNumeric="tabular-nums" fontWeight="medium" whiteSpace="nowrap">
                {format(bar.value)}
                {bar.percentage !== undefined && (
                  <Box
                    as="span"
                    display="inline-block"
                    minWidth="2.75rem"
                    color="muted"
                    fontWeight="normal"
                    textAlign="end"
                  >
                    {formatPercent(bar.percentage)}
                  </Box>
                )}
              </Box>
            </Box>
            <Box bg="pressed" borderRadius="full">
              <Track bg="ember.ring" style={{ width: width(bar.value) }} />
            </Box>
          </div>
        ))}
        {bars.length === 0 && <Box color="muted">{t`No data yet`}</Box>}
      </Box>
    </ChartFrame>
  )
}

/** One part of a whole; `percentage` is its share as a whole percentage. */
interface Share {
  name: string
  value: number
  percentage: number
}

/** The opacities of the parts, from the largest to the smallest. All parts have the same color. */
const shareOpacities = [1, 0.62, 0.36, 0.2]
const shareOpacity = (index: number) => shareOpacities[Math.min(index, shareOpacities.length - 1)]

/**
 * Shows how a whole is split, as one bar, with the name, value and share of each part below it.
 *
 * @param label what is split, e.g. 'Revenue by source'
 * @param head the table's column headers, e.g. ['Source', 'Revenue']
 * @param parts from the largest to the smallest
 */
export function ShareBar({
  label,
  head,
  parts,
  format,
}: {
  label: string
  head: [name: string, value: string]
  parts: Share[]
  format: (value: number) => string
}) {
  const nonEmpty = parts.filter((part) => part.value > 0)
  return (
    <ChartFrame
      label={label}
      table={{
        head: [...head, t`Share`],
        rows: parts.map((part) => [part.name, format(part.value), formatPercent(part.percentage)]),
      }}
    >
      <Box aria-hidden>
        <Box display="flex" gap="0.5" height="3" borderRadius="full" overflow="hidden" bg="sunken">
          {nonEmpty.map((part, index) => (
            <Box
              key={part.name}
              bg="ember.ring"
              minWidth="3px"
              style={{ flexGrow: part.value, flexBasis: 0, opacity: shareOpacity(index) }}
            />
          ))}
        </Box>
        <Box display="grid" marginTop="3" textStyle="small" fontVariantNumeric="tabular-nums">
          {parts.map((part) => (
            <Box
              key={part.name}
              display="grid"
              gridTemplateColumns="auto minmax(0, 1fr) auto 2.5rem"
              columnGap="2.5"
              alignItems="center"
              paddingBlock="3.5"
              borderTopWidth="1px"
              _first={{ borderTopWidth: '0' }}
            >
              <Box
                boxSize="2.5"
                borderRadius="xs"
                bg={part.value > 0 ? 'ember.ring' : 'sunken'}
                style={part.value > 0 ? { opacity: shareOpacity(nonEmpty.indexOf(part)) } : undefined}
              />
              <Box overflowWrap="anywhere">{part.name}</Box>
              <Box fontWeight="medium">{format(part.value)}</Box>
              <Box color="muted" textAlign="end">
                {formatPercent(part.percentage)}
              </Box>
            </Box>
          ))}
          {parts.length === 0 && <Box color="muted">{t`No data yet`}</Box>}
        </Box>
      </Box>
    </ChartFrame>
  )
}

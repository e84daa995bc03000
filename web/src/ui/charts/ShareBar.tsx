import { Box } from '@chakra-ui/react'
import { ChartFrame } from './ChartFrame'

/** One part of a whole; `percentage` is its share in whole percent. */
export interface Share {
  name: string
  value: number
  percentage: number
}

/** From the largest part to the smallest, in one hue. */
const strengths = [1, 0.62, 0.36, 0.2]
const strengthAt = (index: number) => strengths[Math.min(index, strengths.length - 1)]

/**
 * How a whole is split, as one bar, with each part's name, amount and share below it. Give the largest part first.
 *
 * @param label what is split: 'Revenue by source'
 * @param head what the parts and their values are, for the table: ['Source', 'Revenue']
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
  const shown = parts.filter((part) => part.value > 0)
  return (
    <ChartFrame
      label={label}
      table={{
        head: [...head, 'Share'],
        rows: parts.map((part) => [part.name, format(part.value), `${part.percentage}%`]),
      }}
    >
      <Box aria-hidden>
        <Box display="flex" gap="0.5" height="3" borderRadius="full" overflow="hidden" bg="sunken">
          {shown.map((part, index) => (
            <Box
              key={part.name}
              bg="ember.ring"
              minWidth="3px"
              style={{ flexGrow: part.value, flexBasis: 0, opacity: strengthAt(index) }}
            />
          ))}
        </Box>
        <Box display="grid" gap="2" marginTop="4" textStyle="small" fontVariantNumeric="tabular-nums">
          {parts.map((part) => (
            <Box
              key={part.name}
              display="grid"
              gridTemplateColumns="auto minmax(0, 1fr) auto 3rem"
              columnGap="3"
              alignItems="center"
            >
              <Box
                boxSize="2.5"
                borderRadius="xs"
                bg={part.value > 0 ? 'ember.ring' : 'sunken'}
                style={part.value > 0 ? { opacity: strengthAt(shown.indexOf(part)) } : undefined}
              />
              <Box truncate>{part.name}</Box>
              <Box fontWeight="medium">{format(part.value)}</Box>
              <Box color="muted" textAlign="end">
                {part.percentage}%
              </Box>
            </Box>
          ))}
          {parts.length === 0 && <Box color="muted">Nothing to show yet.</Box>}
        </Box>
      </Box>
    </ChartFrame>
  )
}

import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import { ChartFrame } from './ChartFrame'
import { formatHour, type HourCell, weekdayName, weekdays } from './time-axis'

const hours = Array.from({ length: 24 }, (_, hour) => hour)
/**
 * The opacities of cells, from no value to the highest value. Steps are easier to tell apart than a continuous scale.
 */
const opacitySteps = [0, 0.16, 0.32, 0.52, 0.74, 1] as const

/**
 * Shows values by weekday and hour; a stronger color means a higher value. Pointing at a cell or touching it shows its
 * value below the grid.
 *
 * @param label what is counted, e.g. 'Views by weekday and hour'
 * @param format formats a value with its unit, e.g. '12 views'
 * @param formatPlain formats a value without the unit, for the table
 * @param hint the text below the grid while no cell is selected
 */
export function HourHeatmap({
  label,
  cells,
  format,
  formatPlain,
  hint,
}: {
  label: string
  cells: HourCell[]
  format: (value: number) => string
  formatPlain: (value: number) => string
  hint: string
}) {
  const [selected, setSelected] = useState<HourCell | null>(null)
  const values = new Map(cells.map((cell) => [cell.weekday * 24 + cell.hour, cell.value]))
  const valueAt = (weekday: number, hour: number) => values.get(weekday * 24 + hour) ?? 0
  const highest = Math.max(0, ...values.values())
  return (
    <ChartFrame
      label={label}
      table={{
        head: [t`Weekday`, ...hours.map(formatHour)],
        rows: weekdays.map((weekday) => [
          weekdayName(weekday),
          ...hours.map((hour) => formatPlain(valueAt(weekday, hour))),
        ]),
      }}
    >
      <Box
        aria-hidden
        onPointerLeave={({ pointerType }) => {
          // Lifting a finger also fires this event. The touched cell stays selected, so that its value can be read.
          if (pointerType === 'mouse') setSelected(null)
        }}
      >
        <Box
          display="grid"
          gridTemplateColumns="auto repeat(24, minmax(0, 1fr))"
          gap={{ base: '1px', md: '0.5' }}
          alignItems="center"
        >
          {weekdays.map((weekday) => (
            <WeekdayRow key={weekday} name={weekdayName(weekday, 'short')}>
              {hours.map((hour) => (
                <Box
                  key={hour}
                  height={{ base: '5', md: '6' }}
                  borderRadius="xs"
                  bg="sunken"
                  overflow="hidden"
                  outline={selected?.weekday === weekday && selected.hour === hour ? '2px solid' : undefined}
                  outlineColor="text"
                  onPointerEnter={() => setSelected({ weekday, hour, value: valueAt(weekday, hour) })}
                  onPointerDown={() => setSelected({ weekday, hour, value: valueAt(weekday, hour) })}
                >
                  <Box
                    height="100%"
                    bg="ember.ring"
                    style={{ opacity: opacityOf(valueAt(weekday, hour), highest) }}
                  />
                </Box>
              ))}
            </WeekdayRow>
          ))}
          <span />
          {hours.map((hour) => (
            <Box
              key={hour}
              textStyle="caption"
              color="muted"
              width="0"
              whiteSpace="nowrap"
              fontVariantNumeric="tabular-nums"
            >
              {hour % 6 === 0 ? formatHour(hour) : ''}
            </Box>
          ))}
        </Box>
        <Box textStyle="small" color="muted" marginTop="2" fontVariantNumeric="tabular-nums">
          {selected ? cellText(selected, format) : hint}
        </Box>
      </Box>
    </ChartFrame>
  )
}

function cellText({ weekday, hour, value }: HourCell, format: (value: number) => string): string {
  const day = weekdayName(weekday)
  const start = formatHour(hour)
  const end = formatHour((hour + 1) % 24)
  const valueText = format(value)
  return t`${day}, ${start}–${end}: ${valueText}`
}

function WeekdayRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <Box textStyle="caption" color="muted" paddingInlineEnd="2">
        {name}
      </Box>
      {children}
    </>
  )
}

function opacityOf(value: number, highest: number): number {
  if (value <= 0 || highest <= 0) return opacitySteps[0]
  return opacitySteps[Math.ceil((value / highest) * (opacitySteps.length - 1))] ?? 1
}

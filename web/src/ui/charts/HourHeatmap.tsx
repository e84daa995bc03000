import { Box } from '@chakra-ui/react'
import { useState } from 'react'
import { ChartFrame } from './ChartFrame'
import { type HourCell, weekdays } from './week'

const hours = Array.from({ length: 24 }, (_, hour) => hour)
const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`
/** How strong the hue is, from none to most: steps can be told apart, a scale without steps cannot. */
const steps = [0, 0.16, 0.32, 0.52, 0.74, 1] as const

/**
 * Values by weekday and hour, the stronger the hue the more. Pointer and finger show a cell's figures below the grid.
 *
 * @param label what is counted: 'Views by weekday and hour'
 * @param rest what stands below the grid while nothing is pointed at
 * @param format a value with its unit: '12 views'
 * @param plain the same without it, for the table
 */
export function HourHeatmap({
  label,
  cells,
  format,
  plain,
  rest,
}: {
  label: string
  cells: HourCell[]
  format: (value: number) => string
  plain: (value: number) => string
  rest: string
}) {
  const [pointed, setPointed] = useState<HourCell | null>(null)
  const values = new Map(cells.map((cell) => [cell.weekday * 24 + cell.hour, cell.value]))
  const at = (weekday: number, hour: number) => values.get(weekday * 24 + hour) ?? 0
  const most = Math.max(0, ...values.values())
  return (
    <ChartFrame
      label={label}
      table={{
        head: ['Weekday', ...hours.map(clock)],
        rows: weekdays.map((name, weekday) => [name, ...hours.map((hour) => plain(at(weekday, hour)))]),
      }}
    >
      <Box
        aria-hidden
        onPointerLeave={({ pointerType }) => {
          // A finger leaves whenever it is lifted: what it pressed stays, to be read.
          if (pointerType === 'mouse') setPointed(null)
        }}
      >
        <Box
          display="grid"
          gridTemplateColumns="auto repeat(24, minmax(0, 1fr))"
          gap={{ base: '1px', md: '0.5' }}
          alignItems="center"
        >
          {weekdays.map((name, weekday) => (
            <Row key={name} name={name}>
              {hours.map((hour) => (
                <Box
                  key={hour}
                  height={{ base: '5', md: '6' }}
                  borderRadius="xs"
                  bg="sunken"
                  overflow="hidden"
                  outline={pointed?.weekday === weekday && pointed.hour === hour ? '2px solid' : undefined}
                  outlineColor="text"
                  onPointerEnter={() => setPointed({ weekday, hour, value: at(weekday, hour) })}
                  onPointerDown={() => setPointed({ weekday, hour, value: at(weekday, hour) })}
                >
                  <Box height="100%" bg="ember.ring" style={{ opacity: strength(at(weekday, hour), most) }} />
                </Box>
              ))}
            </Row>
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
              {hour % 6 === 0 ? clock(hour) : ''}
            </Box>
          ))}
        </Box>
        <Box textStyle="small" color="muted" marginTop="2" fontVariantNumeric="tabular-nums">
          {pointed
            ? `${weekdays[pointed.weekday]} ${clock(pointed.hour)}–${clock((pointed.hour + 1) % 24)}: ${format(pointed.value)}`
            : rest}
        </Box>
      </Box>
    </ChartFrame>
  )
}

function Row({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <Box textStyle="caption" color="muted" paddingInlineEnd="2">
        {name.slice(0, 3)}
      </Box>
      {children}
    </>
  )
}

function strength(value: number, most: number): number {
  if (value <= 0 || most <= 0) return steps[0]
  return steps[Math.ceil((value / most) * (steps.length - 1))] ?? 1
}

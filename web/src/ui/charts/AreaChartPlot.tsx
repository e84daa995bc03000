import { Box } from '@chakra-ui/react'
import { useId } from 'react'
import { Area, AreaChart, CartesianGrid, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts'
import { chartColors } from './chart-colors'
import {
  formatDay,
  formatMonth,
  formatPoint,
  plotHeight as height,
  isWholeMonth,
  splitAtUnfinished,
  type TimePoint,
} from './time-axis'

const tick = { fill: chartColors.words }
const activeDot = { r: 4, fill: chartColors.accent, stroke: chartColors.paper, strokeWidth: 2 }

interface Words {
  point: TimePoint
  label: string
  format: (value: number) => string
  before: string
}

/** The drawing of `AreaOverTime`, in a file of its own: what it is drawn with is large. */
export default function AreaChartPlot({
  points,
  label,
  format,
  axisFormat,
  before,
  compared,
  lines,
}: Omit<Words, 'point'> & {
  points: TimePoint[]
  axisFormat: (value: number) => string
  /** Whether the grey line is drawn. */
  compared: boolean
  /** Values that have a line across, the lowest first. */
  lines: number[]
}) {
  const gradient = useId()
  const [start = 0] = lines
  const end = lines.at(-1) ?? 0
  const drawn = splitAtUnfinished(points)
  return (
    <Box
      height={`${height}px`}
      css={{
        '& .recharts-surface': { outlineOffset: '2px', borderRadius: 'sm', overflow: 'visible' },
        '& .recharts-surface:focus:not(:focus-visible)': { outline: 'none' },
        '& text': { fontSize: 'xs', fontVariantNumeric: 'tabular-nums' },
      }}
    >
      <AreaChart
        responsive
        data={drawn}
        style={{ width: '100%', height }}
        // Half of the last date has room on the right: dates that would be cut are left out, and others with them.
        margin={{ top: 10, right: 24, bottom: 0, left: 0 }}
        aria-label={`${label} over time: arrow keys go through the days, and a table follows`}
      >
        <defs>
          <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
            <stop offset="0%" stopColor={chartColors.accent} stopOpacity={0.26} />
            <stop offset="100%" stopColor={chartColors.accent} stopOpacity={0.02} />
          </linearGradient>
        </defs>
        <CartesianGrid vertical={false} stroke={chartColors.grid} />
        {/* A day of refunds is below nothing: which side is which, its line says. */}
        {start < 0 && <ReferenceLine y={0} stroke={chartColors.before} />}
        <XAxis
          dataKey="day"
          tickFormatter={points.every(isWholeMonth) ? formatMonth : formatDay}
          tick={tick}
          axisLine={{ stroke: chartColors.grid }}
          tickLine={false}
          tickMargin={8}
          minTickGap={44}
          interval="equidistantPreserveStart"
        />
        <YAxis
          width="auto"
          // Where all is nothing, the line lies at the bottom.
          domain={[start, start === end ? start + 1 : end]}
          ticks={lines}
          tickFormatter={axisFormat}
          tick={tick}
          axisLine={false}
          tickLine={false}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: chartColors.before, strokeDasharray: '3 3' }}
          content={({ active, payload }) => {
            const point = points.find(({ day }) => day === payload?.[0]?.payload.day)
            return active && point ? <Figures {...{ point, label, format, before }} /> : null
          }}
        />
        {compared && (
          <Area
            dataKey="before"
            type="linear"
            isAnimationActive={false}
            fill="none"
            stroke={chartColors.before}
            strokeWidth={1.25}
            strokeDasharray="4 3"
            dot={false}
            activeDot={false}
          />
        )}
        <Area
          dataKey="over"
          type="linear"
          isAnimationActive={false}
          fill={`url(#${gradient})`}
          fillOpacity={1}
          stroke={chartColors.accent}
          strokeWidth={1.75}
          // A single point makes no line.
          dot={points.length === 1 ? { fill: chartColors.accent, r: 4 } : false}
          activeDot={activeDot}
        />
        {drawn.some((point) => point.open !== null) && (
          <Area
            dataKey="open"
            type="linear"
            isAnimationActive={false}
            fill="none"
            stroke={chartColors.accent}
            strokeWidth={1.75}
            strokeDasharray="2 4"
            dot={false}
            activeDot={activeDot}
          />
        )}
      </AreaChart>
    </Box>
  )
}

function Figures({ point, label, format, before }: Words) {
  return (
    <Box
      role="status"
      bg="raised"
      borderWidth="1px"
      borderRadius="sm"
      boxShadow="mid"
      paddingInline="3"
      paddingBlock="2"
      textStyle="small"
      fontVariantNumeric="tabular-nums"
    >
      <Box color="muted">{formatPoint(point)}</Box>
      <Box textStyle="label">
        {label}: {format(point.value)}
      </Box>
      {point.before !== undefined && (
        <Box color="muted">
          {before}: {format(point.before)}
        </Box>
      )}
    </Box>
  )
}

import { Box } from '@chakra-ui/react'
import { useId } from 'react'
import { Area, AreaChart, CartesianGrid, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts'
import { colors } from './colors'
import {
  dayText,
  plotHeight as height,
  isMonth,
  monthText,
  type Place,
  stretchText,
  type TimePoint,
} from './days'

const tick = { fill: colors.words }

interface Words {
  point: TimePoint
  label: string
  format: (value: number) => string
  before: string
}

/** The drawing of `AreaOverTime`, in a file of its own: what it is drawn with is large. */
export default function AreaPlot({
  points,
  label,
  format,
  axisFormat,
  before,
  compared,
  lines,
  place,
}: Omit<Words, 'point'> & {
  points: TimePoint[]
  axisFormat: (value: number) => string
  /** Whether the grey line is drawn. */
  compared: boolean
  /** Values that have a line across, the lowest first. */
  lines: number[]
  /** Where the grey line is named. */
  place: Place | null
}) {
  const gradient = useId()
  const [start = 0] = lines
  const end = lines.at(-1) ?? 0
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
        data={points}
        style={{ width: '100%', height }}
        // Half of the last date has room on the right: dates that would be cut are left out, and others with them.
        margin={{ top: 10, right: 24, bottom: 0, left: 0 }}
        aria-label={`${label} over time: arrow keys go through the days, and a table follows`}
      >
        <defs>
          <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
            <stop offset="0%" stopColor={colors.accent} stopOpacity={0.26} />
            <stop offset="100%" stopColor={colors.accent} stopOpacity={0.02} />
          </linearGradient>
        </defs>
        <CartesianGrid vertical={false} stroke={colors.grid} />
        {/* A day of refunds is below nothing: which side is which, its line says. */}
        {start < 0 && <ReferenceLine y={0} stroke={colors.before} />}
        <XAxis
          dataKey="day"
          tickFormatter={points.every(isMonth) ? monthText : dayText}
          tick={tick}
          axisLine={{ stroke: colors.grid }}
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
          cursor={{ stroke: colors.before, strokeDasharray: '3 3' }}
          content={({ active, payload }) => {
            const point: TimePoint | undefined = payload?.[0]?.payload
            return active && point ? <Figures {...{ point, label, format, before }} /> : null
          }}
        />
        {compared && (
          <Area
            dataKey="before"
            type="linear"
            isAnimationActive={false}
            fill="none"
            stroke={colors.before}
            strokeWidth={1.25}
            strokeDasharray="4 3"
            dot={false}
            activeDot={false}
            label={(at) => (
              <Name
                key={at.index}
                shown={at.index === place?.index}
                x={Number(at.x)}
                y={Number(at.y)}
                below={place?.side === 'below'}
                text={before}
              />
            )}
          />
        )}
        <Area
          dataKey="value"
          type="linear"
          isAnimationActive={false}
          fill={`url(#${gradient})`}
          fillOpacity={1}
          stroke={colors.accent}
          strokeWidth={1.75}
          // A single point makes no line.
          dot={points.length === 1 ? { fill: colors.accent, r: 4 } : false}
          activeDot={{ r: 4, fill: colors.accent, stroke: colors.paper, strokeWidth: 2 }}
        />
      </AreaChart>
    </Box>
  )
}

/** The grey line's name, on the line itself. */
function Name({
  shown,
  x,
  y,
  below,
  text,
}: {
  shown: boolean
  x: number
  y: number
  below: boolean
  text: string
}) {
  if (!shown) return null
  return (
    <text
      x={x}
      y={y + (below ? 18 : -10)}
      textAnchor="middle"
      fill={colors.words}
      stroke={colors.paper}
      strokeWidth={4}
      strokeLinejoin="round"
      paintOrder="stroke"
    >
      {text}
    </text>
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
      <Box color="muted">{stretchText(point)}</Box>
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

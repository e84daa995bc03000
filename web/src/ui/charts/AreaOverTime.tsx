import { Box } from '@chakra-ui/react'
import { useId } from 'react'
import { Area, AreaChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts'
import { ChartFrame, type ChartTable } from './ChartFrame'
import { colors } from './colors'
import { axisLines, dayText, isMonth, monthText, namingPlace, stretchText, type TimePoint } from './days'

const height = 220
const tick = { fill: colors.words }

/**
 * One measure over time as an area, with the period before as a grey line where its points tell of it. Pointer, finger
 * and arrow keys show the figures of a day.
 *
 * @param label what is measured: 'Views'
 * @param format a value in full, for the tooltip and the table
 * @param axisFormat a value in short, for the axis; `format` when left out
 * @param before how the period before is called: '30 days before'
 */
export function AreaOverTime({
  label,
  points,
  format,
  axisFormat = format,
  before = 'Period before',
}: {
  label: string
  points: TimePoint[]
  format: (value: number) => string
  axisFormat?: (value: number) => string
  before?: string
}) {
  const gradient = useId()
  const compared = points.some((point) => point.before !== undefined)
  const values = points.flatMap((point) => [point.value, point.before ?? 0])
  // A day of refunds is below nothing.
  const below = axisLines(values.map((value) => -value))
    .slice(1)
    .map((line) => -line)
  const lines = [...below.reverse(), ...axisLines(values)]
  const end = lines.at(-1) ?? 0
  const place = compared ? namingPlace(points, end) : null
  return (
    <ChartFrame
      label={`${label} over time`}
      table={tableOf(points, { label, format, before, compared })}
      // On the line itself where there is room.
      note={compared && !place ? `Grey: ${before}` : undefined}
    >
      {points.length === 0 ? (
        <Nothing />
      ) : (
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
            margin={{ top: 10, right: 12, bottom: 0, left: 0 }}
            aria-label={`${label} over time: arrow keys go through the days, and a table follows`}
          >
            <defs>
              <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
                <stop offset="0%" stopColor={colors.accent} stopOpacity={0.26} />
                <stop offset="100%" stopColor={colors.accent} stopOpacity={0.02} />
              </linearGradient>
            </defs>
            <CartesianGrid vertical={false} stroke={colors.grid} />
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
              domain={[lines[0] ?? 0, end || 1]}
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
      )}
    </ChartFrame>
  )
}

function tableOf(
  points: TimePoint[],
  { label, format, before, compared }: Omit<Words, 'point'> & { compared: boolean },
): ChartTable {
  return {
    head: [
      points.length > 0 && points.every(isMonth) ? 'Month (UTC)' : 'Day (UTC)',
      label,
      ...(compared ? [before] : []),
    ],
    rows: points.map((point) => [
      stretchText(point),
      format(point.value),
      ...(compared ? [point.before === undefined ? '–' : format(point.before)] : []),
    ]),
  }
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

interface Words {
  point: TimePoint
  label: string
  format: (value: number) => string
  before: string
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

function Nothing() {
  return (
    <Box height={`${height}px`} display="grid" placeItems="center" color="muted" textStyle="small">
      Nothing to show yet.
    </Box>
  )
}

import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { useId } from 'react'
import {
  Area,
  Bar,
  CartesianGrid,
  Cell,
  ComposedChart,
  Line,
  ReferenceDot,
  ReferenceLine,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import {
  formatDay,
  formatMonth,
  formatPoint,
  isWholeMonth,
  plotHeight,
  plotMarginRight,
  splitAtUnfinished,
  type TimePoint,
} from './time-axis'

/** One accent for the metric, and grays for everything else. */
const chartColors = {
  accent: 'var(--ov-colors-ember-ring)',
  tint: 'var(--ov-colors-ember-wash)',
  reference: 'var(--ov-colors-outline)',
  grid: 'var(--ov-colors-hairline)',
  axisText: 'var(--ov-colors-muted)',
  text: 'var(--ov-colors-text)',
  /** Separates dots and labels from what is below them. */
  surface: 'var(--ov-colors-surface)',
} as const

const tick = { fill: chartColors.axisText }
const activeDot = { r: 4, fill: chartColors.accent, stroke: chartColors.surface, strokeWidth: 2 }

/** The distance in pixels between the axis and the dots of events below it. */
const eventDotOffset = 7

/** The dotted outline of the bar of a day that is not over. */
const unfinishedBar = {
  fill: chartColors.tint,
  stroke: chartColors.accent,
  strokeDasharray: '2 3',
} as const
/** The minimum height in pixels of the unfinished bar, unless its value is 0. */
const unfinishedBarHeight = 6

/** The line for the previous period. */
const previousLine = { stroke: chartColors.axisText, strokeWidth: 1.5, strokeDasharray: '4 3' } as const
/**
 * Separates that line from bars. The line is in front of them, because taller bars would cover parts of it, and it
 * would hardly contrast with their color.
 */
const previousLineGap = { stroke: chartColors.surface, strokeWidth: 5 } as const

interface TooltipContentProps {
  point: TimePoint
  label: string
  format: (value: number) => string
  /** The name of the previous period, if the points have its values. */
  previousLabel: string | undefined
  /** The name of the event, if some points are marked with it. */
  eventLabel: string | undefined
}

/** Shows the plot of `TimeChart`. This file is loaded lazily, because the chart library is large. */
export default function TimeChartPlot({
  kind,
  points,
  label,
  format,
  axisFormat,
  previousLabel,
  eventLabel,
  ticks,
}: Omit<TooltipContentProps, 'point'> & {
  kind: 'area' | 'bars'
  points: TimePoint[]
  axisFormat: (value: number) => string
  /** Values with a grid line, in ascending order. */
  ticks: number[]
}) {
  const gradient = useId()
  const [start = 0] = ticks
  const end = ticks.at(-1) ?? 0
  const plotData = splitAtUnfinished(points)
  const isMonthly = points.every(isWholeMonth)
  const labeled = labeledPoint(points)
  return (
    <Box
      height={`${plotHeight}px`}
      // Time runs from left to right in every language, and recharts places its labels accordingly.
      dir="ltr"
      css={{
        '& .recharts-surface': { outlineOffset: '2px', borderRadius: 'sm', overflow: 'visible' },
        '& .recharts-surface:focus:not(:focus-visible)': { outline: 'none' },
        '& text': { fontSize: 'xs', fontVariantNumeric: 'tabular-nums' },
        '& .recharts-label': { fontWeight: 'semibold' },
      }}
    >
      <ComposedChart
        responsive
        data={plotData}
        style={{ width: '100%', height: plotHeight }}
        margin={{ top: 18, right: plotMarginRight(points), bottom: 0, left: 0 }}
        aria-label={t`${label} over time. Use the arrow keys to move between points. A table follows.`}
      >
        <defs>
          <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
            <stop offset="0%" stopColor={chartColors.accent} stopOpacity={0.26} />
            <stop offset="100%" stopColor={chartColors.accent} stopOpacity={0.02} />
          </linearGradient>
        </defs>
        <CartesianGrid vertical={false} stroke={chartColors.grid} />
        {/* Values can be negative, for example on a day with many refunds: this line marks zero. */}
        {start < 0 && <ReferenceLine y={0} stroke={chartColors.reference} />}
        <XAxis
          dataKey="day"
          tickFormatter={isMonthly ? formatMonth : formatDay}
          tick={tick}
          axisLine={{ stroke: chartColors.grid }}
          tickLine={false}
          tickMargin={eventLabel === undefined ? 8 : 14}
          minTickGap={isMonthly ? 8 : 44}
          interval="equidistantPreserveEnd"
        />
        <YAxis
          width="auto"
          // If all values are 0, the line is at the bottom.
          domain={[start, start === end ? start + 1 : end]}
          ticks={ticks}
          tickFormatter={axisFormat}
          tick={tick}
          axisLine={false}
          tickLine={false}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: chartColors.reference, strokeDasharray: '3 3' }}
          content={({ active, payload }) => {
            const point = points.find(({ day }) => day === payload?.[0]?.payload.day)
            return active && point ? (
              <TooltipContent {...{ point, label, format, previousLabel, eventLabel }} />
            ) : null
          }}
        />
        {kind === 'bars' && (
          <Bar
            dataKey="value"
            isAnimationActive={false}
            barSize={`${70 / Math.max(1, points.length)}%`}
            radius={[3, 3, 0, 0]}
            minPointSize={(value, index) => (value && points[index]?.unfinished ? unfinishedBarHeight : 0)}
            activeBar={{ fill: chartColors.accent, fillOpacity: 1 }}
          >
            {points.map(({ day, unfinished }) => (
              <Cell key={day} fill={chartColors.accent} {...(unfinished && unfinishedBar)} />
            ))}
          </Bar>
        )}
        {kind === 'area' && (
          <Area
            dataKey="finished"
            type="linear"
            isAnimationActive={false}
            fill={`url(#${gradient})`}
            fillOpacity={1}
            stroke={chartColors.accent}
            strokeWidth={1.75}
            // A single point has no line, so it gets a dot.
            dot={points.length === 1 ? { fill: chartColors.accent, r: 4 } : false}
            activeDot={activeDot}
          />
        )}
        {kind === 'area' && plotData.some((point) => point.unfinished !== null) && (
          <Area
            dataKey="unfinished"
            type="linear"
            isAnimationActive={false}
            fill={`url(#${gradient})`}
            fillOpacity={0.5}
            stroke={chartColors.accent}
            strokeWidth={1.75}
            strokeDasharray="2 4"
            dot={false}
            activeDot={activeDot}
          />
        )}
        {previousLabel !== undefined &&
          (kind === 'bars' ? [previousLineGap, previousLine] : [previousLine]).map((style) => (
            <Line
              key={style.strokeWidth}
              dataKey="previous"
              type="linear"
              isAnimationActive={false}
              dot={false}
              activeDot={false}
              {...style}
            />
          ))}
        {eventLabel !== undefined &&
          points.map(
            ({ day, marked }) =>
              marked && (
                <ReferenceDot
                  key={day}
                  x={day}
                  y={start}
                  shape={({ cx = 0, cy = 0 }) => (
                    <circle cx={cx} cy={cy + eventDotOffset} r={2} fill={chartColors.text} />
                  )}
                />
              ),
          )}
        {labeled && (
          <ReferenceDot
            x={labeled.day}
            y={labeled.value}
            {...activeDot}
            r={kind === 'area' ? activeDot.r : 0}
            label={{
              value: labeled.unfinished ? soFarText(format(labeled.value)) : format(labeled.value),
              position: 'top',
              offset: kind === 'area' ? 6 : 4,
              textAnchor: labelAnchor(points.indexOf(labeled) / Math.max(1, points.length - 1)),
              fill: chartColors.text,
              stroke: chartColors.surface,
              strokeWidth: 4,
              paintOrder: 'stroke',
            }}
          />
        )}
      </ComposedChart>
    </Box>
  )
}

/** Returns the point that gets a label: the current month in a monthly chart, otherwise the highest value. */
function labeledPoint(points: readonly TimePoint[]): TimePoint | undefined {
  if (points.every(isWholeMonth)) return points.at(-1)
  const highest = Math.max(0, ...points.map(({ value }) => value))
  return highest > 0 ? points.find(({ value }) => value === highest) : undefined
}

const soFarText = (amount: string) => t`${amount} so far`

/** Returns the anchor that keeps a label within the plot. `position` is 0 at the plot's start and 1 at its end. */
function labelAnchor(position: number): 'start' | 'middle' | 'end' {
  if (position < 0.03) return 'start'
  return position > 0.97 ? 'end' : 'middle'
}

function TooltipContent({ point, label, format, previousLabel, eventLabel }: TooltipContentProps) {
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
      {point.previous !== undefined && previousLabel !== undefined && (
        <Box color="muted">
          {previousLabel}: {format(point.previous)}
        </Box>
      )}
      {point.marked && eventLabel !== undefined && <Box color="muted">{eventLabel}</Box>}
      {point.note && <Box color="muted">{point.note}</Box>}
    </Box>
  )
}

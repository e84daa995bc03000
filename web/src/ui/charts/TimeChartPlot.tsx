import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import {
  Area,
  Bar,
  CartesianGrid,
  Cell,
  ComposedChart,
  DefaultZIndexes,
  Line,
  ReferenceDot,
  ReferenceLine,
  Tooltip,
  useActiveTooltipLabel,
  useIsTooltipActive,
  usePlotArea,
  useXAxisScale,
  useYAxisScale,
  XAxis,
  YAxis,
  ZIndexLayer,
} from 'recharts'
import { useMinWidth } from '../useMinWidth'
import {
  eventRowHeight,
  formatAxisHour,
  formatDay,
  formatMonth,
  formatPoint,
  halfDays,
  isHour,
  isWholeMonth,
  plotMarginRight,
  spacedEvents,
  splitAtUnfinished,
  type TimePoint,
} from './time-axis'

/** One accent for the metric, and grays for everything else. */
const chartColors = {
  accent: 'var(--ov-colors-ember-ring)',
  /** Bars without a label, so that the labeled bar stands out. */
  pale: 'var(--ov-colors-ember-pale)',
  tint: 'var(--ov-colors-ember-wash)',
  reference: 'var(--ov-colors-outline)',
  grid: 'var(--ov-colors-hairline)',
  axisText: 'var(--ov-colors-muted)',
  text: 'var(--ov-colors-text)',
  /** The background of the picture of an event. */
  tile: 'var(--ov-colors-sunken)',
  /** Separates dots and labels from what is behind them. */
  surface: 'var(--ov-colors-surface)',
} as const

const tick = { fill: chartColors.axisText }
const activeDot = { r: 4, fill: chartColors.accent, stroke: chartColors.surface, strokeWidth: 2 }

/** The dotted outline of the bar of a day that is not over. */
const unfinishedBar = {
  fill: chartColors.tint,
  stroke: chartColors.accent,
  strokeDasharray: '2 3',
} as const
/** The minimum height in pixels of the unfinished bar, which is visible even if its value is 0. */
const unfinishedBarHeight = 6

/** The line of the previous period: a short one at each bar, or a pale dashed one in an area chart. */
const previousLines = {
  bars: { stroke: chartColors.axisText, strokeWidth: 1.5 },
  area: { stroke: chartColors.axisText, strokeOpacity: 0.55, strokeWidth: 1.25, strokeDasharray: '4 4' },
} as const

interface TooltipContentProps {
  point: TimePoint
  label: string
  format: (value: number) => string
  /** The name of the previous period, if the points have its values. */
  previousLabel: string | undefined
  /** The label for the points' events, if they have any. */
  eventLabel: string | undefined
  /** Says how to open the page that a point links to. */
  linkHint: string | undefined
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
  linkHint,
  ticks,
  height,
}: Omit<TooltipContentProps, 'point'> & {
  kind: 'area' | 'bars'
  points: TimePoint[]
  axisFormat: (value: number) => string
  /** Values with a grid line, in ascending order. */
  ticks: number[]
  /** In pixels. */
  height: number
}) {
  const gradient = useId()
  const navigate = useNavigate()
  const activeLink = useRef<string>(undefined)
  const [start = 0] = ticks
  const end = ticks.at(-1) ?? 0
  const plotData = splitAtUnfinished(points)
  const isMonthly = points.every(isWholeMonth)
  const isHourly = points.some(isHour)
  const labeled = labeledPoint(points)
  const hasEvents = eventLabel !== undefined
  const isWide = useMinWidth('md')
  return (
    <Box
      height={`${height}px`}
      // Time runs from left to right in every language, and recharts places its labels accordingly.
      dir="ltr"
      onKeyDown={({ key, target, ctrlKey, metaKey }) => {
        const isInLink = target instanceof Element && target.closest('a') !== null
        if (key !== 'Enter' || !activeLink.current || isInLink) return
        if (ctrlKey || metaKey) window.open(activeLink.current)
        else void navigate(activeLink.current)
      }}
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
        style={{ width: '100%', height }}
        margin={{
          // Leaves room for the legend, which is shown only with a previous period.
          top: previousLabel === undefined ? 18 : 32,
          right: plotMarginRight(points, { hasBars: kind === 'bars', isWide }),
          bottom: 0,
          left: 0,
        }}
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
          tickFormatter={isHourly ? formatAxisHour : isMonthly ? formatMonth : formatDay}
          tick={tick}
          axisLine={{ stroke: chartColors.grid }}
          tickLine={false}
          height={hasEvents ? 30 + eventRowHeight : 30}
          tickMargin={hasEvents ? 8 + eventRowHeight : 8}
          {...(isHourly
            ? { ticks: halfDays(points), minTickGap: 8 }
            : { minTickGap: isMonthly ? 8 : 44, interval: 'equidistantPreserveEnd' as const })}
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
              <TooltipContent {...{ point, label, format, previousLabel, eventLabel, linkHint }} />
            ) : null
          }}
        />
        {kind === 'bars' && (
          <Bar
            dataKey="value"
            isAnimationActive={false}
            barSize={`${70 / Math.max(1, points.length)}%`}
            radius={[3, 3, 0, 0]}
            minPointSize={(_, index) => (points[index]?.unfinished ? unfinishedBarHeight : 0)}
            activeBar={{ fill: chartColors.accent }}
          >
            {points.map((point) => (
              <Cell
                key={point.day}
                fill={point === labeled ? chartColors.accent : chartColors.pale}
                {...(point.unfinished && unfinishedBar)}
              />
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
            strokeWidth={2}
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
            strokeWidth={2}
            strokeDasharray="2 4"
            dot={false}
            activeDot={activeDot}
          />
        )}
        {previousLabel !== undefined && kind === 'bars' && <PreviousValues points={points} />}
        {previousLabel !== undefined && kind === 'area' && (
          <Line
            dataKey="previous"
            type="linear"
            isAnimationActive={false}
            // A single point has no line, so it gets a dot.
            dot={points.length === 1}
            activeDot={false}
            {...previousLines.area}
          />
        )}
        {previousLabel !== undefined && (
          <PeriodLegend
            kind={kind}
            previousLabel={previousLabel}
            atEnd={labeled !== undefined && points.indexOf(labeled) < points.length / 2}
          />
        )}
        {hasEvents && <EventRow points={points} />}
        {points.some(({ to }) => to) && <PointLinks points={points} activeLink={activeLink} />}
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

/**
 * Returns the point that gets a label: the current month in a monthly chart, otherwise the point with the highest
 * value. In an hourly chart, no point has a label: the highest value says little, and is often that of the oldest hour,
 * which is about to leave the chart.
 */
function labeledPoint(points: readonly TimePoint[]): TimePoint | undefined {
  if (points.every(isWholeMonth)) return points.at(-1)
  if (points.some(isHour)) return undefined
  const highest = Math.max(0, ...points.map(({ value }) => value))
  return highest > 0 ? points.find(({ value }) => value === highest) : undefined
}

const soFarText = (amount: string) => t`${amount} so far`

/** Returns the anchor that keeps a label within the plot. `position` is 0 at the plot's start and 1 at its end. */
function labelAnchor(position: number): 'start' | 'middle' | 'end' {
  if (position < 0.03) return 'start'
  return position > 0.97 ? 'end' : 'middle'
}

/** The widths in pixels of a symbol in the legend, of the gap after it, and of the gap between two entries. */
const legend = { symbol: 14, gap: 6, entryGap: 14 }

/** Names both periods above the plot, on the side that is farther from the labeled point. */
function PeriodLegend({
  kind,
  previousLabel,
  atEnd,
}: {
  kind: 'area' | 'bars'
  previousLabel: string
  atEnd: boolean
}) {
  const area = usePlotArea()
  const [group, setGroup] = useState<SVGGElement | null>(null)
  const [widths, setWidths] = useState({ current: 0, previous: 0 })
  useLayoutEffect(() => {
    const [current = 0, previous = 0] = [...(group?.querySelectorAll('text') ?? [])].map((text) =>
      text.getComputedTextLength(),
    )
    setWidths({ current, previous })
  }, [group])
  if (!area) return null
  const { symbol, gap, entryGap } = legend
  const previousX = symbol + gap + widths.current + entryGap
  const width = previousX + symbol + gap + widths.previous
  const y = area.y - 22
  return (
    <g ref={setGroup} transform={`translate(${atEnd ? area.x + area.width - width : area.x} ${y})`}>
      {kind === 'bars' ? (
        <rect width={symbol} height={10} y={-5} rx={2} fill={chartColors.pale} />
      ) : (
        <line x2={symbol} stroke={chartColors.accent} strokeWidth={2} />
      )}
      <text x={symbol + gap} dominantBaseline="central" fill={chartColors.axisText}>
        {t`This period`}
      </text>
      <line x1={previousX} x2={previousX + symbol} {...previousLines[kind]} />
      <text x={previousX + symbol + gap} dominantBaseline="central" fill={chartColors.axisText}>
        {previousLabel}
      </text>
    </g>
  )
}

/** Shows the value of the previous period at each bar, as a line that is a little wider than the bar. */
function PreviousValues({ points }: { points: readonly TimePoint[] }) {
  const area = usePlotArea()
  const scaleX = useXAxisScale()
  const scaleY = useYAxisScale()
  if (!area || !scaleX || !scaleY) return null
  const halfWidth = (0.43 * area.width) / points.length
  return (
    <ZIndexLayer zIndex={DefaultZIndexes.line}>
      {points.map(({ day, previous }) => {
        const x = scaleX(day, { position: 'middle' })
        const y = previous === undefined ? undefined : scaleY(previous)
        if (x === undefined || y === undefined) return null
        return <line key={day} x1={x - halfWidth} x2={x + halfWidth} y1={y} y2={y} {...previousLines.bars} />
      })}
    </ZIndexLayer>
  )
}

const pictureSize = 24
/** The minimum distance between two pictures in pixels, which is also the minimum width of their click areas. */
const eventSpacing = 26
/** The size of a click area, unless the next picture is closer. */
const targetSize = 44

/** Shows the events in a row below the axis, as small pictures that link to them. */
function EventRow({ points }: { points: readonly TimePoint[] }) {
  const area = usePlotArea()
  const scaleX = useXAxisScale()
  if (!area || !scaleX) return null
  const events = spacedEvents(
    points.flatMap(({ day, event }) => {
      const x = event && scaleX(day, { position: 'middle' })
      return event && x !== undefined ? { ...event, day, x } : []
    }),
    eventSpacing,
  )
  const axis = area.y + area.height
  // In front of the dates, which the click areas cover.
  return (
    <ZIndexLayer zIndex={DefaultZIndexes.label}>
      {events.map(({ day, to, text, picture, x }, index) => {
        const left = Math.max(x - targetSize / 2, (x + (events[index - 1]?.x ?? -targetSize)) / 2)
        const right = Math.min(
          x + targetSize / 2,
          (x + (events[index + 1]?.x ?? Number.POSITIVE_INFINITY)) / 2,
        )
        return (
          <EventLink key={day} to={to} aria-label={text}>
            <title>{text}</title>
            <rect x={left} y={axis} width={right - left} height={targetSize} fill="transparent" />
            <EventPicture x={x - pictureSize / 2} y={axis + 6} picture={picture} />
          </EventLink>
        )
      })}
    </ZIndexLayer>
  )
}

const EventLink = chakra(Link, {
  base: {
    outline: 'none',
    '& [data-frame]': { stroke: 'hairline', strokeWidth: '1px' },
    '&:hover [data-frame]': { stroke: 'text', strokeWidth: '1.5px' },
    '&:focus-visible [data-frame]': { stroke: 'focus', strokeWidth: '2.5px' },
  },
})

function EventPicture({ x, y, picture }: { x: number; y: number; picture: string | null }) {
  const box = { x, y, width: pictureSize, height: pictureSize, rx: 4 }
  return (
    <>
      <rect {...box} fill={chartColors.tile} />
      {picture ? (
        <image
          {...box}
          href={picture}
          preserveAspectRatio="xMidYMid slice"
          style={{ clipPath: 'inset(0 round 4px)' }}
        />
      ) : (
        <path
          d={`M${x + 7} ${y + 8}h10m-10 4h10m-10 4h6`}
          stroke={chartColors.axisText}
          strokeWidth={1.25}
          strokeLinecap="round"
        />
      )}
      <rect data-frame {...box} fill="none" />
    </>
  )
}

/**
 * Turns the column of each point into a link, and stores the link of the active point in `activeLink`. A first tap only
 * shows the point's values.
 */
function PointLinks({
  points,
  activeLink,
}: {
  points: readonly TimePoint[]
  activeLink: RefObject<string | undefined>
}) {
  const area = usePlotArea()
  const scaleX = useXAxisScale()
  const activeDay = useActiveTooltipLabel()
  const isActive = useIsTooltipActive()
  const isFirstTap = useRef(false)
  useEffect(() => {
    activeLink.current = isActive ? points.find(({ day }) => day === activeDay)?.to : undefined
  }, [points, activeDay, isActive, activeLink])
  if (!area || !scaleX) return null
  const middles = points.map(({ day }) => scaleX(day, { position: 'middle' }) ?? 0)
  return (
    <ZIndexLayer zIndex={DefaultZIndexes.label}>
      {points.map((point, index) => {
        const [before, x = 0, after] = [middles[index - 1], middles[index], middles[index + 1]]
        const left = before === undefined ? area.x : (before + x) / 2
        const right = after === undefined ? area.x + area.width : (x + after) / 2
        return (
          point.to && (
            <PointLink
              key={point.day}
              to={point.to}
              tabIndex={-1}
              draggable={false}
              aria-label={formatPoint(point)}
              onPointerDown={({ pointerType }) => {
                isFirstTap.current = pointerType === 'touch' && !(isActive && activeDay === point.day)
              }}
              onClick={(event) => {
                if (isFirstTap.current) event.preventDefault()
              }}
            >
              <rect x={left} y={area.y} width={right - left} height={area.height} fill="transparent" />
            </PointLink>
          )
        )
      })}
    </ZIndexLayer>
  )
}

/** The keyboard moves between points with the arrow keys, so the links do not receive the focus with Tab. */
const PointLink = chakra(Link, { base: { outline: 'none' } })

function TooltipContent({ point, label, format, previousLabel, eventLabel, linkHint }: TooltipContentProps) {
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
      {point.event && eventLabel !== undefined && (
        <Box color="muted" maxWidth="16rem" truncate>
          {eventLabel}: {point.event.text}
        </Box>
      )}
      {point.note && <Box color="muted">{point.note}</Box>}
      {point.to && linkHint !== undefined && <Box color="ember.text">{linkHint}</Box>}
    </Box>
  )
}

import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../Skeleton'
import { useMinWidth } from '../useMinWidth'
import { ChartFrame, type ChartTable } from './ChartFrame'
import { axisTicks, formatPoint, isHour, isWholeMonth, plotHeight, type TimePoint } from './time-axis'

const TimeChartPlot = lazy(() => import('./TimeChartPlot'))

/**
 * Shows a metric over time. If the points have values of the previous period, these are shown as gray lines, and a
 * legend above the plot names both periods. An unfinished hour, day, week or month is dotted. Pictures below the axis
 * link to the events of the points. Pointer, touch and arrow keys show the values of a point. Clicking a point,
 * pressing Enter or tapping twice opens the page that the point links to, and so does its row in the table.
 *
 * @param kind 'bars' for counts, 'area' for amounts of money
 * @param isLarge whether this is the main chart of the page, which is taller except on phones
 * @param label the metric, e.g. 'Views'
 * @param format formats a value in full, for the tooltip and the table
 * @param axisFormat formats a value for the axis, in short; `format` by default
 * @param previous the name of the previous period, e.g. 'Previous 30 days'
 * @param event the label for the points' events, e.g. 'Post published'
 * @param linkHint a line in the tooltip of points with a link, e.g. 'Select to see transactions'
 */
export function TimeChart({
  kind,
  isLarge = false,
  label,
  points,
  format,
  axisFormat = format,
  previous,
  event,
  linkHint,
}: {
  kind: 'area' | 'bars'
  isLarge?: boolean
  label: string
  points: TimePoint[]
  format: (value: number) => string
  axisFormat?: (value: number) => string
  previous?: string
  event?: string
  linkHint?: string
}) {
  const previousLabel = points.some((point) => point.previous !== undefined) ? previous : undefined
  const eventLabel = points.some((point) => point.event) ? event : undefined
  const isWide = useMinWidth('md')
  const height = plotHeight(eventLabel !== undefined, isLarge && isWide)
  const ticks = axisTicks(points.flatMap((point) => [point.value, point.previous ?? 0]))
  return (
    <ChartFrame
      label={t`${label} over time`}
      table={createTable(points, { label, format, previousLabel, eventLabel })}
      note={unfinishedNote(points)}
    >
      {points.length === 0 ? (
        <NoData height={height} />
      ) : (
        // The table is available immediately; the chart library loads with the first chart.
        <Suspense fallback={<Skeleton height={`${height}px`} borderRadius="md" />}>
          <TimeChartPlot
            {...{
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
            }}
          />
        </Suspense>
      )}
    </ChartFrame>
  )
}

/** Returns a note if the last hour or day is not over. An unfinished month has a label in the plot instead. */
function unfinishedNote(points: readonly TimePoint[]): string | undefined {
  const last = points.at(-1)
  if (!last?.unfinished || isWholeMonth(last)) return undefined
  return isHour(last) ? t`This hour's figure is still coming in.` : t`Today's figure is still coming in.`
}

function spanHeader(points: readonly TimePoint[]): string {
  if (points.some(isHour)) return t`Hour`
  return points.length > 0 && points.every(isWholeMonth) ? t`Month (UTC)` : t`Day (UTC)`
}

function createTable(
  points: TimePoint[],
  {
    label,
    format,
    previousLabel,
    eventLabel,
  }: {
    label: string
    format: (value: number) => string
    previousLabel: string | undefined
    eventLabel: string | undefined
  },
): ChartTable {
  return {
    head: [
      spanHeader(points),
      label,
      ...(previousLabel === undefined ? [] : [previousLabel]),
      ...(eventLabel === undefined ? [] : [eventLabel]),
    ],
    rows: points.map((point) => [
      formatPoint(point),
      format(point.value),
      ...(previousLabel === undefined ? [] : [point.previous === undefined ? '–' : format(point.previous)]),
      ...(eventLabel === undefined ? [] : [point.event ? t`Yes` : '–']),
    ]),
    links: points.map(({ to }) => to),
  }
}

function NoData({ height }: { height: number }) {
  return (
    <Box height={`${height}px`} display="grid" placeItems="center" color="muted" textStyle="small">
      {t`No data yet`}
    </Box>
  )
}

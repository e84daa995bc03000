import { Box } from '@chakra-ui/react'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../Skeleton'
import { ChartFrame, type ChartTable } from './ChartFrame'
import { axisTicks, formatPoint, isWholeMonth, plotHeight, type TimePoint } from './time-axis'

const AreaChartPlot = lazy(() => import('./AreaChartPlot'))

/**
 * Shows a metric over time as an area, with the previous period as a gray line if the points have one. The unfinished
 * part is dashed. Pointer, touch and arrow keys show the values of a point.
 *
 * @param label the metric, e.g. 'Views'
 * @param format formats a value in full, for the tooltip and the table
 * @param axisFormat formats a value for the axis, in short; `format` by default
 * @param previousLabel the name of the previous period, e.g. '30 days before'
 */
export function AreaChart({
  label,
  points,
  format,
  axisFormat = format,
  previousLabel = 'Period before',
}: {
  label: string
  points: TimePoint[]
  format: (value: number) => string
  axisFormat?: (value: number) => string
  previousLabel?: string
}) {
  const hasPrevious = points.some((point) => point.previous !== undefined)
  const ticks = axisTicks(points.flatMap((point) => [point.value, point.previous ?? 0]))
  return (
    <ChartFrame
      label={`${label} over time`}
      table={createTable(points, { label, format, previousLabel, hasPrevious })}
      // Below the plot: a label in it would overlap a line sooner or later.
      note={[hasPrevious && `Grey: ${previousLabel}.`, points.at(-1)?.unfinished && 'Today is not over yet.']
        .filter(Boolean)
        .join(' ')}
    >
      {points.length === 0 ? (
        <NoData />
      ) : (
        // The table is available immediately; the chart library loads with the first chart.
        <Suspense fallback={<Skeleton height={`${plotHeight}px`} borderRadius="md" />}>
          <AreaChartPlot {...{ points, label, format, axisFormat, previousLabel, hasPrevious, ticks }} />
        </Suspense>
      )}
    </ChartFrame>
  )
}

function createTable(
  points: TimePoint[],
  {
    label,
    format,
    previousLabel,
    hasPrevious,
  }: { label: string; format: (value: number) => string; previousLabel: string; hasPrevious: boolean },
): ChartTable {
  return {
    head: [
      points.length > 0 && points.every(isWholeMonth) ? 'Month (UTC)' : 'Day (UTC)',
      label,
      ...(hasPrevious ? [previousLabel] : []),
    ],
    rows: points.map((point) => [
      formatPoint(point),
      format(point.value),
      ...(hasPrevious ? [point.previous === undefined ? '–' : format(point.previous)] : []),
    ]),
  }
}

function NoData() {
  return (
    <Box height={`${plotHeight}px`} display="grid" placeItems="center" color="muted" textStyle="small">
      Nothing to show yet.
    </Box>
  )
}

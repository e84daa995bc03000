import { Box } from '@chakra-ui/react'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../Skeleton'
import { ChartFrame, type ChartTable } from './ChartFrame'
import { axisTicks, formatPoint, isWholeMonth, plotHeight, type TimePoint } from './time-axis'

const AreaPlot = lazy(() => import('./AreaChartPlot'))

/**
 * One measure over time as an area, with the period before as a grey line where its points tell of it; what is not over
 * yet is dashed. Pointer, finger
 * and arrow keys show the figures of a day.
 *
 * @param label what is measured: 'Views'
 * @param format a value in full, for the tooltip and the table
 * @param axisFormat a value in short, for the axis; `format` when left out
 * @param before how the period before is called: '30 days before'
 */
export function AreaChart({
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
  const compared = points.some((point) => point.before !== undefined)
  const lines = axisTicks(points.flatMap((point) => [point.value, point.before ?? 0]))
  return (
    <ChartFrame
      label={`${label} over time`}
      table={tableOf(points, { label, format, before, compared })}
      // Below the drawing: on the lines a name would lie on one of them sooner or later.
      note={[compared && `Grey: ${before}.`, points.at(-1)?.open && 'Today is not over yet.']
        .filter(Boolean)
        .join(' ')}
    >
      {points.length === 0 ? (
        <Nothing />
      ) : (
        // The table is there at once; what draws is fetched when a chart is shown.
        <Suspense fallback={<Skeleton height={`${plotHeight}px`} borderRadius="md" />}>
          <AreaPlot {...{ points, label, format, axisFormat, before, compared, lines }} />
        </Suspense>
      )}
    </ChartFrame>
  )
}

function tableOf(
  points: TimePoint[],
  {
    label,
    format,
    before,
    compared,
  }: { label: string; format: (value: number) => string; before: string; compared: boolean },
): ChartTable {
  return {
    head: [
      points.length > 0 && points.every(isWholeMonth) ? 'Month (UTC)' : 'Day (UTC)',
      label,
      ...(compared ? [before] : []),
    ],
    rows: points.map((point) => [
      formatPoint(point),
      format(point.value),
      ...(compared ? [point.before === undefined ? '–' : format(point.before)] : []),
    ]),
  }
}

function Nothing() {
  return (
    <Box height={`${plotHeight}px`} display="grid" placeItems="center" color="muted" textStyle="small">
      Nothing to show yet.
    </Box>
  )
}

import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../Skeleton'
import { ChartFrame, type ChartTable } from './ChartFrame'
import { axisTicks, formatPoint, isWholeMonth, plotHeight, type TimePoint } from './time-axis'

const TimeChartPlot = lazy(() => import('./TimeChartPlot'))

/**
 * Shows a metric over time, with the previous period as a gray line if the points have one: stepped over bars, dashed
 * over an area. The unfinished part is dotted. Pointer, touch and arrow keys show the values of a point.
 *
 * @param kind 'bars' for counts, 'area' for amounts of money
 * @param label the metric, e.g. 'Views'
 * @param format formats a value in full, for the tooltip and the table
 * @param axisFormat formats a value for the axis, in short; `format` by default
 * @param previous the name of the previous period, e.g. 'Previous 30 days'
 */
export function TimeChart({
  kind,
  label,
  points,
  format,
  axisFormat = format,
  previous,
}: {
  kind: 'area' | 'bars'
  label: string
  points: TimePoint[]
  format: (value: number) => string
  axisFormat?: (value: number) => string
  previous?: string
}) {
  const previousLabel = points.some((point) => point.previous !== undefined) ? previous : undefined
  const ticks = axisTicks(points.flatMap((point) => [point.value, point.previous ?? 0]))
  return (
    <ChartFrame
      label={t`${label} over time`}
      table={createTable(points, { label, format, previousLabel })}
      note={unfinishedNote(points)}
    >
      {previousLabel !== undefined && <Legend {...{ kind, label, previousLabel }} />}
      {points.length === 0 ? (
        <NoData />
      ) : (
        // The table is available immediately; the chart library loads with the first chart.
        <Suspense fallback={<Skeleton height={`${plotHeight}px`} borderRadius="md" />}>
          <TimeChartPlot {...{ kind, points, label, format, axisFormat, previousLabel, ticks }} />
        </Suspense>
      )}
    </ChartFrame>
  )
}

/** Shows the colors of the metric and of the previous period. It is above the plot, so that it covers no value. */
function Legend({
  kind,
  label,
  previousLabel,
}: {
  kind: 'area' | 'bars'
  label: string
  previousLabel: string
}) {
  return (
    <Box
      display="flex"
      flexWrap="wrap"
      justifyContent="flex-end"
      columnGap="4"
      textStyle="caption"
      color="muted"
    >
      <LegendEntry>
        <Box boxSize="2.5" borderRadius="xs" bg="ember.ring" />
        {label}
      </LegendEntry>
      <LegendEntry>
        <Box
          width="4"
          borderTopWidth="2px"
          {...(kind === 'bars'
            ? { borderColor: 'text/60' }
            : { borderStyle: 'dashed', borderColor: 'muted' })}
        />
        {previousLabel}
      </LegendEntry>
    </Box>
  )
}

const LegendEntry = chakra('span', { base: { display: 'inline-flex', alignItems: 'center', gap: '1.5' } })

/** Returns a note if the last day is not over. An unfinished month has a label in the plot instead. */
function unfinishedNote(points: readonly TimePoint[]): string | undefined {
  const last = points.at(-1)
  return last?.unfinished && !isWholeMonth(last) ? t`Today's figure is still coming in.` : undefined
}

function createTable(
  points: TimePoint[],
  {
    label,
    format,
    previousLabel,
  }: { label: string; format: (value: number) => string; previousLabel: string | undefined },
): ChartTable {
  return {
    head: [
      points.length > 0 && points.every(isWholeMonth) ? t`Month (UTC)` : t`Day (UTC)`,
      label,
      ...(previousLabel === undefined ? [] : [previousLabel]),
    ],
    rows: points.map((point) => [
      formatPoint(point),
      format(point.value),
      ...(previousLabel === undefined ? [] : [point.previous === undefined ? '–' : format(point.previous)]),
    ]),
  }
}

function NoData() {
  return (
    <Box height={`${plotHeight}px`} display="grid" placeItems="center" color="muted" textStyle="small">
      {t`No data yet`}
    </Box>
  )
}

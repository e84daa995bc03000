import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { BarChart } from '@/ui/charts/BarChart'
import { HourHeatmap } from '@/ui/charts/HourHeatmap'
import { weekdayName } from '@/ui/charts/time-axis'
import { hoursQuery, topPostsQuery, useAnalyticsRequest } from '../api'
import {
  averageByWeekday,
  formatAverage,
  includesToday,
  peakHourText,
  rangeLength,
  rangeName,
  shiftToZone,
  wholeHourZone,
} from '../model'
import {
  errorWithoutData,
  Panel,
  PanelError,
  PanelPair,
  PanelSkeleton,
  PanelStack,
  StaleDataNotice,
} from './Panel'
import { TopPostsPanel } from './TopPostsPanel'

/** Shows the posts with the most views, and the hours and weekdays with the most views. */
export function ContentTab() {
  const request = useAnalyticsRequest()
  const posts = useQuery(topPostsQuery(request))
  const hours = useQuery(hoursQuery(request))
  return (
    <PanelStack>
      <StaleDataNotice queries={[posts, hours]} />
      <PanelPair alignItems="start">
        <TopPostsPanel />
        <HoursPanel />
      </PanelPair>
    </PanelStack>
  )
}

/** Shows the average views by weekday and hour, and by weekday. */
function HoursPanel() {
  const request = useAnalyticsRequest()
  const { data, error, isPlaceholderData: isUpdating, refetch } = useQuery(hoursQuery(request))
  const { hours, name: zone } = wholeHourZone(new Date().getTimezoneOffset())
  const cells = useMemo(() => shiftToZone(data ?? [], hours), [data, hours])
  const loadError = errorWithoutData({ data, error })
  if (loadError) return <PanelError error={loadError} onRetry={() => void refetch()} />
  if (!data) return <PanelSkeleton label={t`Loading your best hours`} contentHeight="13rem" />
  // TopPostsPanel already shows the empty state.
  if (cells.length === 0 && !isUpdating) return null
  const weekdayBars = averageByWeekday(cells).map((value, index) => ({ name: weekdayName(index), value }))
  const days = rangeLength(request.range)
  const name = rangeName(request.range)
  return (
    <PanelStack>
      <Panel
        title={t`Best hours`}
        note={peakHourText(cells) ?? t`No views before today`}
        isUpdating={isUpdating}
      >
        <HourHeatmap
          label={t`Average views by weekday and hour (${zone})`}
          cells={cells}
          format={(value) => {
            const average = formatAverage(value)
            return t`${average} views on average`
          }}
          formatPlain={formatAverage}
          hint={
            hours === 0
              ? t`Average views per hour, in UTC. A stronger color means more views.`
              : t`Average views per hour, in your time (${zone}). A stronger color means more views.`
          }
        />
      </Panel>
      {cells.some(({ value }) => value > 0) && (
        <Panel
          title={t`Best days`}
          note={
            includesToday(request.range)
              ? t`Average views per weekday, last ${days} full days`
              : t`Average views per weekday, ${name}`
          }
          isUpdating={isUpdating}
        >
          <BarChart
            label={t`Average views by weekday (${zone})`}
            head={[t`Weekday`, t`Average views`]}
            bars={weekdayBars}
            format={formatAverage}
          />
        </Panel>
      )}
    </PanelStack>
  )
}

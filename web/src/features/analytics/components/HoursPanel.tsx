import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { BarChart } from '@/ui/charts/BarChart'
import { HourHeatmap } from '@/ui/charts/HourHeatmap'
import { weekdays } from '@/ui/charts/week'
import { hoursQuery } from '../api'
import { averageByWeekday, peakHourText, shiftToZone, wholeHourZone } from '../hours'
import { formatAverage } from '../model'
import { periodLength } from '../period'
import { useAnalyticsRequest } from '../useAnalyticsRequest'
import { Panel } from './Panel'
import { PanelError } from './PanelError'
import { PanelSkeleton } from './PanelSkeleton'
import { PanelStack } from './PanelStack'
import { errorWithoutData } from './StaleDataNotice'

/** When posts are seen: by weekday and hour, and by weekday alone. */
export function HoursPanel() {
  const asked = useAnalyticsRequest()
  const { data, error, isPlaceholderData: pale, refetch } = useQuery(hoursQuery(asked))
  const { hours, name } = wholeHourZone(new Date().getTimezoneOffset())
  const cells = useMemo(() => shiftToZone(data ?? [], { hours, name }), [data, hours, name])
  const failure = errorWithoutData({ data, error })
  if (failure) return <PanelError error={failure} onRetry={() => void refetch()} />
  if (!data) return <PanelSkeleton label="Loading your best hours" plot="13rem" />
  // That no post was seen is said beside it.
  if (cells.length === 0 && !pale) return null
  const days = averageByWeekday(cells).map((value, index) => ({ name: weekdays[index] ?? '', value }))
  return (
    <PanelStack>
      <Panel
        title="Best hours"
        note={peakHourText(cells) ?? 'No views before today to tell from yet.'}
        pale={pale}
      >
        <HourHeatmap
          label={`Average views by weekday and hour (${name})`}
          cells={cells}
          format={(value) => `${formatAverage(value)} views on average`}
          plain={formatAverage}
          rest={`Averages without today, in ${name}. The stronger the colour, the more views.`}
        />
      </Panel>
      {cells.some(({ value }) => value > 0) && (
        <Panel
          title="Best days"
          note={`Average views of each weekday, over the ${periodLength(asked.period)} before today`}
          pale={pale}
        >
          <BarChart
            label={`Average views by weekday (${name})`}
            head={['Weekday', 'Average views']}
            bars={days}
            format={formatAverage}
          />
        </Panel>
      )}
    </PanelStack>
  )
}

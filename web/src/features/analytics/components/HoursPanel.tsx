import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { BarsCompare } from '@/ui/charts/BarsCompare'
import { HoursGrid } from '@/ui/charts/HoursGrid'
import { weekdays } from '@/ui/charts/week'
import { hoursQuery } from '../api/figures'
import { bestHour, byWeekday, inZone, zoneOf } from '../hours'
import { lengthOf } from '../period'
import { useAsked } from '../useAsked'
import { average } from '../words'
import { failureOf } from './NotNew'
import { Panel } from './Panel'
import { PanelFailed } from './PanelFailed'
import { PanelSkeleton } from './PanelSkeleton'
import { Stack } from './Stack'

/** When posts are seen: by weekday and hour, and by weekday alone. */
export function HoursPanel() {
  const asked = useAsked()
  const { data, error, isPlaceholderData: pale, refetch } = useQuery(hoursQuery(asked))
  const { hours, name } = zoneOf(new Date().getTimezoneOffset())
  const cells = useMemo(() => inZone(data ?? [], { hours, name }), [data, hours, name])
  const failure = failureOf({ data, error })
  if (failure) return <PanelFailed error={failure} onRetry={() => void refetch()} />
  if (!data) return <PanelSkeleton label="Loading your best hours" plot="13rem" />
  // That no post was seen is said beside it.
  if (cells.length === 0 && !pale) return null
  const days = byWeekday(cells).map((value, index) => ({ name: weekdays[index] ?? '', value }))
  return (
    <Stack>
      <Panel
        title="Best hours"
        note={bestHour(cells) ?? 'No views before today to tell from yet.'}
        pale={pale}
      >
        <HoursGrid
          label={`Average views by weekday and hour (${name})`}
          cells={cells}
          format={(value) => `${average(value)} views on average`}
          plain={average}
          rest={`Averages without today, in ${name}. The stronger the colour, the more views.`}
        />
      </Panel>
      {cells.some(({ value }) => value > 0) && (
        <Panel
          title="Best days"
          note={`Average views of each weekday, over the ${lengthOf(asked.period)} before today`}
          pale={pale}
        >
          <BarsCompare
            label={`Average views by weekday (${name})`}
            head={['Weekday', 'Average views']}
            bars={days}
            format={average}
          />
        </Panel>
      )}
    </Stack>
  )
}

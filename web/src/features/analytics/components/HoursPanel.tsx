import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { BarsCompare } from '@/ui/charts/BarsCompare'
import { HoursGrid } from '@/ui/charts/HoursGrid'
import { weekdays } from '@/ui/charts/week'
import { hoursQuery } from '../api/figures'
import { bestHour, inZone, zoneOf } from '../hours'
import { useAsked } from '../useAsked'
import { count, counted } from '../words'
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
  const days = weekdays.map((weekday, index) => ({
    name: weekday,
    value: cells.reduce((sum, cell) => (cell.weekday === index ? sum + cell.value : sum), 0),
  }))
  return (
    <Stack>
      <Panel title="Best hours" note={bestHour(cells) ?? 'No views to tell from yet.'} pale={pale}>
        <HoursGrid
          label={`Views by weekday and hour (${name})`}
          cells={cells}
          format={(value) => counted(value, 'view')}
          rest={`Hours are in ${name}. The stronger the colour, the more views.`}
        />
      </Panel>
      {cells.length > 0 && (
        <Panel title="Best days" pale={pale}>
          <BarsCompare
            label={`Views by weekday (${name})`}
            head={['Weekday', 'Views']}
            bars={days}
            format={count}
          />
        </Panel>
      )}
    </Stack>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { HoursGrid } from '@/ui/charts/HoursGrid'
import { hoursQuery } from '../api/figures'
import { bestHour, inZone, zoneOf } from '../hours'
import { useAsked } from '../useAsked'
import { counted } from '../words'
import { Panel } from './Panel'
import { PanelFailed } from './PanelFailed'
import { PanelSkeleton } from './PanelSkeleton'

/** When posts are seen, by weekday and hour. */
export function HoursPanel() {
  const asked = useAsked()
  const { data, error, isPlaceholderData: pale, refetch } = useQuery(hoursQuery(asked))
  const zone = zoneOf(new Date().getTimezoneOffset())
  const { hours, name } = zone
  const cells = useMemo(() => inZone(data ?? [], { hours, name }), [data, hours, name])
  if (error) return <PanelFailed error={error} onRetry={() => void refetch()} />
  if (!data) return <PanelSkeleton label="Loading your best hours" plot="13rem" />
  const best = bestHour(cells)
  return (
    <Panel title="Best hours" note={best ?? 'No views to tell from yet.'} pale={pale}>
      <HoursGrid
        label={`Views by weekday and hour (${name})`}
        cells={cells}
        format={(value) => counted(value, 'view')}
        rest={`Hours are in ${name}. The stronger the colour, the more views.`}
      />
    </Panel>
  )
}

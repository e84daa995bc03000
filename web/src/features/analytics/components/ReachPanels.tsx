import { Box } from '@chakra-ui/react'
import type { ViewSource } from '@contract/analytics.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { compactNumber, dateFormat, formatCount } from '@/lib/format'
import { BarChart } from '@/ui/charts/BarChart'
import { lastDays } from '@/ui/charts/DayRangeDialog'
import { TimeChart } from '@/ui/charts/TimeChart'
import { recentViewsQuery, sourcesQuery, useAnalyticsRequest } from '../api'
import { includesToday, rangeLength, rangeName } from '../model'
import { errorWithoutData, Panel, PanelError, PanelSkeleton } from './Panel'

/** Shows the views per hour of the last 48 hours, regardless of the selected period. */
export function RecentViewsPanel() {
  const { data, error, refetch } = useQuery(recentViewsQuery(useAnalyticsRequest()))
  const loadError = errorWithoutData({ data, error })
  if (loadError) return <PanelError error={loadError} onRetry={() => void refetch()} />
  if (!data) return <PanelSkeleton label={t`Loading your latest views`} contentHeight="14rem" />
  const { totalViews: viewCount, hours } = data
  return (
    <Panel
      title={t`Last 48 hours`}
      value={plural(viewCount, { one: '# view', other: '# views' })}
      note={t`By hour`}
    >
      <TimeChart
        kind="bars"
        label={t`Views per hour`}
        points={hours.map(({ hour, views }, index) => ({
          day: hour,
          value: views,
          ...(index === hours.length - 1 && { unfinished: true as const }),
        }))}
        format={formatCount}
        axisFormat={compactNumber}
      />
    </Panel>
  )
}

const sourceNames: Record<ViewSource, MessageDescriptor> = {
  home: msg`Home feed`,
  profile: msg`Your profile`,
  discover: msg`Discover`,
  search: msg`Search`,
  topic: msg`Topic pages`,
  notification: msg`Notifications`,
  message: msg`Messages`,
  link: msg`Direct links and other sites`,
  other: msg`Other`,
}

/** Shows where viewers found the posts in the period. */
export function SourcesPanel() {
  const request = useAnalyticsRequest()
  const { data, error, isPlaceholderData: isUpdating, refetch } = useQuery(sourcesQuery(request))
  const loadError = errorWithoutData({ data, error })
  if (loadError) return <PanelError error={loadError} onRetry={() => void refetch()} />
  if (!data) return <PanelSkeleton label={t`Loading your traffic sources`} contentHeight="14rem" />
  const { sources, recordedSince } = data
  const { range } = request
  const { from } = 'period' in range ? lastDays(rangeLength(range)) : range
  const since = dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(recordedSince ?? from))
  const isNamed = sources.some(({ source }) => source !== 'other')
  return (
    <Panel
      title={t`Traffic sources`}
      note={
        <Box display="flex" flexWrap="wrap" columnGap="3">
          <span>{recordedSince && recordedSince > from ? t`Recorded since ${since}` : rangeName(range)}</span>
          {includesToday(range) && <span>{t`Today isn't included`}</span>}
        </Box>
      }
      isUpdating={isUpdating}
    >
      {isNamed && (
        <BarChart
          label={t`Views by source`}
          head={[t`Source`, t`Views`]}
          bars={sources.map(({ source, views, percentage }) => ({
            name: t(sourceNames[source]),
            value: views,
            percentage,
          }))}
          format={formatCount}
        />
      )}
      {!isNamed && (
        <Box textStyle="small" color="muted">
          {sources.length > 0
            ? t`Not enough views yet. A source needs at least five in a day.`
            : t`No sources on these days. The sources of a day's views appear on the next day.`}
        </Box>
      )}
    </Panel>
  )
}

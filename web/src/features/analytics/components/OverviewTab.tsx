import type { AnalyticsOverview } from '@contract/analytics.ts'
import { useQuery } from '@tanstack/react-query'
import { compactNumber } from '@/lib/format'
import { AreaChart } from '@/ui/charts/AreaChart'
import { overviewQuery } from '../api'
import { compareCounts, compareRates, formatCount, formatRate } from '../model'
import { periodLength, previousPeriodLabel, previousPeriodText } from '../period'
import { chartPoints } from '../points'
import { useAnalyticsRequest } from '../useAnalyticsRequest'
import { type Metric, MetricCards, MetricCardsSkeleton } from './MetricCards'
import { NoViewsYet } from './NoViewsYet'
import { Panel } from './Panel'
import { PanelError } from './PanelError'
import { PanelSkeleton } from './PanelSkeleton'
import { PanelStack } from './PanelStack'
import { errorWithoutData, StaleDataNotice } from './StaleDataNotice'

/** Views, likes, comments and engagement of the period, and views over its days. */
export function OverviewTab() {
  const asked = useAnalyticsRequest()
  const { data, error, isPlaceholderData: pale, refetch } = useQuery(overviewQuery(asked))
  const nothing = data !== undefined && !pale && isNothing(data)
  // Nothing in this period may still be something in a longer one.
  const year = useQuery({ ...overviewQuery({ ...asked, period: '1y' }), enabled: nothing })
  const failure = errorWithoutData({ data, error })
  if (failure) return <PanelError error={failure} onRetry={() => void refetch()} />
  if (!data || (nothing && year.isPending)) {
    return (
      <PanelStack>
        <MetricCardsSkeleton />
        <PanelSkeleton label="Loading your views" />
      </PanelStack>
    )
  }
  const notNew = <StaleDataNotice answers={[{ data, error, refetch }]} />
  if (nothing && year.data && isNothing(year.data)) {
    return (
      <PanelStack>
        {notNew}
        <NoViewsYet />
      </PanelStack>
    )
  }
  return (
    <PanelStack>
      {notNew}
      <MetricCards figures={figuresOf(data, previousPeriodText(asked.period))} pale={pale} />
      <Panel
        title="Views"
        note={`In the last ${periodLength(asked.period)}, by ${asked.period === '1y' ? 'week' : 'day'}`}
        pale={pale}
      >
        <AreaChart
          label="Views"
          points={chartPoints(data, asked.period, ({ views }) => views)}
          format={formatCount}
          axisFormat={compactNumber}
          before={previousPeriodLabel(asked.period)}
        />
      </Panel>
    </PanelStack>
  )
}

function isNothing({ totalViews, totalLikes, totalComments, previous }: AnalyticsOverview): boolean {
  return [
    totalViews,
    totalLikes,
    totalComments,
    previous.totalViews,
    previous.totalLikes,
    previous.totalComments,
  ].every((value) => value === 0)
}

function figuresOf(data: AnalyticsOverview, earlier: string): Metric[] {
  const { now, before } = data.compared
  const counts = [
    ['Views', data.totalViews, now.totalViews, before.totalViews],
    ['Likes', data.totalLikes, now.totalLikes, before.totalLikes],
    ['Comments', data.totalComments, now.totalComments, before.totalComments],
  ] as const
  return [
    ...counts.map(([name, value, whole, last]) => ({
      name,
      value: formatCount(value),
      compared: compareCounts(whole, last, earlier, formatCount),
    })),
    {
      name: 'Engagement rate',
      value: data.engagementRate === null ? '–' : formatRate(data.engagementRate),
      compared: compareRates(now.engagementRate, before.engagementRate, earlier),
    },
  ]
}

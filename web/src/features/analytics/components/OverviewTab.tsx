import type { AnalyticsOverview } from '@contract/analytics.ts'
import { useQuery } from '@tanstack/react-query'
import { compactNumber } from '@/lib/format'
import { AreaOverTime } from '@/ui/charts/AreaOverTime'
import { overviewQuery } from '../api/figures'
import { earlierOf, lengthOf, lineOf } from '../period'
import { pointsOf } from '../points'
import { useAsked } from '../useAsked'
import { compare, compareRates, count, rate } from '../words'
import { type Figure, Figures, FiguresSkeleton } from './Figures'
import { NothingYet } from './NothingYet'
import { failureOf, NotNew } from './NotNew'
import { Panel } from './Panel'
import { PanelFailed } from './PanelFailed'
import { PanelSkeleton } from './PanelSkeleton'
import { Stack } from './Stack'

/** Views, likes, comments and engagement of the period, and views over its days. */
export function OverviewTab() {
  const asked = useAsked()
  const { data, error, isPlaceholderData: pale, refetch } = useQuery(overviewQuery(asked))
  const nothing = data !== undefined && !pale && isNothing(data)
  // Nothing in this period may still be something in a longer one.
  const year = useQuery({ ...overviewQuery({ ...asked, period: '1y' }), enabled: nothing })
  const failure = failureOf({ data, error })
  if (failure) return <PanelFailed error={failure} onRetry={() => void refetch()} />
  if (!data || (nothing && year.isPending)) {
    return (
      <Stack>
        <FiguresSkeleton />
        <PanelSkeleton label="Loading your views" />
      </Stack>
    )
  }
  const notNew = <NotNew answers={[{ data, error, refetch }]} />
  if (nothing && year.data && isNothing(year.data)) {
    return (
      <Stack>
        {notNew}
        <NothingYet />
      </Stack>
    )
  }
  return (
    <Stack>
      {notNew}
      <Figures figures={figuresOf(data, earlierOf(asked.period))} pale={pale} />
      <Panel
        title="Views"
        note={`In the last ${lengthOf(asked.period)}, by ${asked.period === '1y' ? 'week' : 'day'}`}
        pale={pale}
      >
        <AreaOverTime
          label="Views"
          points={pointsOf(data, asked.period, ({ views }) => views)}
          format={count}
          axisFormat={compactNumber}
          before={lineOf(asked.period)}
        />
      </Panel>
    </Stack>
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

function figuresOf(data: AnalyticsOverview, earlier: string): Figure[] {
  const { now, before } = data.compared
  const counts = [
    ['Views', data.totalViews, now.totalViews, before.totalViews],
    ['Likes', data.totalLikes, now.totalLikes, before.totalLikes],
    ['Comments', data.totalComments, now.totalComments, before.totalComments],
  ] as const
  return [
    ...counts.map(([name, value, whole, last]) => ({
      name,
      value: count(value),
      compared: compare(whole, last, earlier, count),
    })),
    {
      name: 'Engagement rate',
      value: data.engagementRate === null ? '–' : rate(data.engagementRate),
      compared: compareRates(now.engagementRate, before.engagementRate, earlier),
    },
  ]
}

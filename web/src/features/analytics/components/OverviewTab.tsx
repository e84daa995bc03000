import { Box, chakra } from '@chakra-ui/react'
import type { AnalyticsMonthly, AnalyticsOverview } from '@contract/analytics.ts'
import { msg, plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { compactNumber, dollars, formatCount, shortDollars, wholeDollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { type Comparison, ComparisonResult, compareCounts, compareRates } from '@/ui/charts/Comparison'
import { Sparkline } from '@/ui/charts/Sparkline'
import { TimeChart } from '@/ui/charts/TimeChart'
import type { TimePoint } from '@/ui/charts/time-axis'
import { chartUnit, previousPeriodName } from '@/ui/charts/time-axis'
import { ChartIllustration } from '@/ui/illustrations'
import { Card, lineTarget, TextLink } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/states'
import { hoursQuery, monthlyQuery, overviewQuery, topPostsQuery, useAnalyticsRequest } from '../api'
import {
  type AnalyticsRange,
  bestDayText,
  chartPoints,
  engagementPoints,
  formatRate,
  formatShare,
  includesToday,
  rangeLength,
  rangeName,
  sparklineValues,
} from '../model'
import { InsightsPanel, useTabHref } from './InsightsPanel'
import {
  errorWithoutData,
  Panel,
  PanelError,
  PanelPair,
  PanelSkeleton,
  PanelStack,
  StaleDataNotice,
} from './Panel'
import { RecentViewsPanel, SourcesPanel } from './ReachPanels'
import { TopPostsPanel } from './TopPostsPanel'

const metricNames = {
  views: msg`Views`,
  likes: msg`Likes`,
  comments: msg`Comments`,
  engagement: msg`Engagement rate`,
  subscribers: msg`New subscribers`,
  revenue: msg`Revenue`,
}
type Metric = keyof typeof metricNames

/** Formatters that add the unit of each metric to its value. */
const metricFormats: Record<Metric, (value: number) => string> = {
  views: (viewCount) => plural(viewCount, { one: '# view', other: '# views' }),
  likes: (likeCount) => plural(likeCount, { one: '# like', other: '# likes' }),
  comments: (commentCount) => plural(commentCount, { one: '# comment', other: '# comments' }),
  engagement: formatRate,
  subscribers: (subscriberCount) =>
    plural(subscriberCount, { one: '# new subscriber', other: '# new subscribers' }),
  revenue: dollars,
}

/** Shows metrics for the period (reach, new subscribers and revenue) and a chart of the selected metric. */
export function OverviewTab() {
  const request = useAnalyticsRequest()
  const [metric, setMetric] = useState<Metric>('views')
  const overview = useQuery(overviewQuery(request))
  const monthly = useQuery(monthlyQuery(request))
  const posts = useQuery(topPostsQuery(request))
  const hours = useQuery(hoursQuery(request))
  const queries = [overview, monthly]
  const isUpdating = queries.some(({ isPlaceholderData }) => isPlaceholderData)
  const isPeriodEmpty =
    'period' in request.range &&
    !isUpdating &&
    [overview.data, monthly.data].every((data) => data !== undefined && isEmpty(data))
  // Even if the period has no activity, the past year may have some. The empty state is shown only if neither has any.
  const yearRequest = { ...request, range: { period: '1y' } } as const
  const yearQueries = [
    useQuery({ ...overviewQuery(yearRequest), enabled: isPeriodEmpty }),
    useQuery({ ...monthlyQuery(yearRequest), enabled: isPeriodEmpty }),
  ]
  const failed = queries.find((query) => errorWithoutData(query))
  if (failed?.error) return <PanelError error={failed.error} onRetry={() => void failed.refetch()} />
  // The insights are above the best posts. If they appeared later, they would push the best posts down.
  const isWaitingForInsights = [posts, hours].some(
    ({ isPending, failureCount }) => isPending && !failureCount,
  )
  const isWaitingForYear = isPeriodEmpty && yearQueries.some(({ isPending }) => isPending)
  if (!overview.data || !monthly.data || isWaitingForInsights || isWaitingForYear) {
    return (
      <PanelStack>
        <MetricCardsSkeleton />
        <PanelSkeleton label={t`Loading your views`} />
      </PanelStack>
    )
  }
  const staleNotice = <StaleDataNotice queries={[overview, monthly, posts, hours]} />
  if (isPeriodEmpty && yearQueries.every(({ data }) => data && isEmpty(data))) {
    return (
      <PanelStack>
        {staleNotice}
        <NoViewsYet />
      </PanelStack>
    )
  }
  const { range } = request
  const days = rangeName(range)
  const chartNotes = { day: t`${days}, by day`, week: t`${days}, by week`, month: t`${days}, by month` }
  const chartLabel = t(metricNames[metric])
  const points = metricPoints(metric, overview.data, monthly.data, range)
  return (
    <PanelStack>
      {staleNotice}
      <MetricCards
        cards={metricCards(overview.data, monthly.data, includesToday(range))}
        isLastPartial={includesToday(range)}
        selected={metric}
        onSelect={setMetric}
        isUpdating={isUpdating}
      />
      <PanelPair gridTemplateColumns={{ xl: 'minmax(0, 1fr) 18rem' }} alignItems="start">
        <PanelStack>
          <Panel
            title={chartLabel}
            note={
              <Box display="flex" flexWrap="wrap" columnGap="3">
                <span>{chartNotes[chartUnit(rangeLength(range))]}</span>
                <span>{bestDayText(points, metricFormats[metric])}</span>
              </Box>
            }
            isUpdating={isUpdating}
          >
            <TimeChart
              kind={metric === 'revenue' ? 'area' : 'bars'}
              label={chartLabel}
              points={points}
              {...chartFormats(metric)}
              previous={previousPeriodName(rangeLength(range))}
              event={t`Post published`}
            />
          </Panel>
          <InsightsPanel />
          <TopPostsPanel limit={5} action={<ViewAllPosts />} />
        </PanelStack>
        <PanelStack>
          <RecentViewsPanel />
          <SourcesPanel />
        </PanelStack>
      </PanelPair>
    </PanelStack>
  )
}

function chartFormats(metric: Metric) {
  if (metric === 'revenue') return { format: dollars, axisFormat: shortDollars }
  if (metric === 'engagement') return { format: formatRate, axisFormat: formatShare }
  return { format: formatCount, axisFormat: compactNumber }
}

/** Returns the points of a metric's chart. */
function metricPoints(
  metric: Metric,
  overview: AnalyticsOverview,
  monthly: AnalyticsMonthly,
  range: AnalyticsRange,
): TimePoint[] {
  const { publishedPosts } = overview
  switch (metric) {
    case 'engagement':
      return engagementPoints(overview, range)
    case 'subscribers':
      return chartPoints({ ...monthly, publishedPosts }, range, (day) => day.newSubscriptions)
    case 'revenue':
      return chartPoints({ ...monthly, publishedPosts }, range, (day) => day.revenue)
    default:
      return chartPoints(overview, range, (day) => day[metric])
  }
}

/** Links to the Content tab with the same date range. */
function ViewAllPosts() {
  const tabHref = useTabHref()
  return (
    <TextLink to={tabHref('content')} replace textStyle="small" {...lineTarget}>
      {t`View all`}
    </TextLink>
  )
}

/** Returns whether all totals are zero, both in the period and in the previous one. */
function isEmpty(data: AnalyticsOverview | AnalyticsMonthly): boolean {
  const totals = [data, data.previous].flatMap((period) =>
    'totalViews' in period
      ? [period.totalViews, period.totalLikes, period.totalComments]
      : [period.revenue, period.newSubscriptions],
  )
  return totals.every((value) => value === 0)
}

interface MetricCard {
  metric: Metric
  value: string
  /** Null if there is nothing to compare. */
  comparison: Comparison | null
  /** The value of the previous period. */
  previous: string
  /** The values of the sparkline. */
  series: number[]
}

function metricCards(
  overview: AnalyticsOverview,
  monthly: AnalyticsMonthly,
  isLastPartial: boolean,
): MetricCard[] {
  const { previous } = overview
  const counts = [
    ['views', overview.totalViews, previous.totalViews],
    ['likes', overview.totalLikes, previous.totalLikes],
    ['comments', overview.totalComments, previous.totalComments],
  ] as const
  const { newSubscriptions, revenue, previous: monthlyPrevious } = monthly
  // A card has no room for two large amounts with cents. The chart shows the cents.
  const formatRevenue = Math.max(revenue, monthlyPrevious.revenue) >= 1000 ? wholeDollars : dollars
  return [
    ...counts.map(([metric, total, before]) => ({
      metric,
      value: formatCount(total),
      comparison: compareCounts(total, before),
      previous: formatCount(before),
      series: sparklineValues(overview.days, (day) => day[metric]),
    })),
    {
      metric: 'engagement',
      value: formatOptionalRate(overview.engagementRate),
      comparison: compareRates(overview.engagementRate, previous.engagementRate),
      previous: formatOptionalRate(previous.engagementRate),
      series: engagementSeries(overview.days, isLastPartial),
    },
    {
      metric: 'subscribers',
      value: formatCount(newSubscriptions),
      comparison: compareCounts(newSubscriptions, monthlyPrevious.newSubscriptions),
      previous: formatCount(monthlyPrevious.newSubscriptions),
      series: sparklineValues(monthly.days, (day) => day.newSubscriptions),
    },
    {
      metric: 'revenue',
      value: formatRevenue(revenue),
      comparison: compareCounts(revenue, monthlyPrevious.revenue, dollars),
      previous: formatRevenue(monthlyPrevious.revenue),
      series: sparklineValues(monthly.days, (day) => day.revenue),
    },
  ]
}

const formatOptionalRate = (rate: number | null) => (rate === null ? '–' : formatRate(rate))

/**
 * Returns the engagement rate of each day or week, or 0 if it has no views. Like the chart, leaves out an unfinished
 * day or week.
 */
function engagementSeries(days: AnalyticsOverview['days'], isLastPartial: boolean): number[] {
  const views = sparklineValues(days, (day) => day.views)
  const interactions = sparklineValues(days, (day) => day.likes + day.comments)
  return views
    .map((viewCount, index) => (viewCount === 0 ? 0 : (interactions[index] ?? 0) / viewCount))
    .slice(0, isLastPartial ? -1 : undefined)
}

/** Lays out the cards in rows of two on phones, of three on medium screens and of six on wide screens. */
const MetricGrid = chakra('dl', {
  base: {
    display: 'grid',
    gridTemplateColumns: {
      base: 'repeat(2, minmax(0, 1fr))',
      md: 'repeat(3, minmax(0, 1fr))',
      lg: 'repeat(6, minmax(0, 1fr))',
    },
    gap: { base: '2', md: '3' },
  },
})

/** A button whose click area fills the card. */
const MetricButton = chakra('button', {
  base: {
    cursor: 'pointer',
    // Covers the border of the card.
    _after: { content: '""', position: 'absolute', inset: '-1px', borderRadius: 'lg' },
    '&[aria-pressed=true]': {
      color: 'text',
      _after: { borderWidth: '2px', borderColor: 'ember.ring' },
    },
    _focusVisible: {
      outline: 'none',
      _after: { outline: '2px solid', outlineColor: 'focus', outlineOffset: '-2px' },
    },
  },
})

/** Shows the metrics as buttons that select the chart's metric. */
function MetricCards({
  cards,
  isLastPartial,
  selected,
  onSelect,
  isUpdating,
}: {
  cards: MetricCard[]
  /** Whether the last day is unfinished. */
  isLastPartial: boolean
  selected: Metric
  onSelect: (metric: Metric) => void
  isUpdating: boolean
}) {
  return (
    <Box role="group" aria-label={t`Metric`} minWidth="0">
      <MetricGrid
        aria-busy={isUpdating || undefined}
        opacity={isUpdating ? 0.5 : undefined}
        transition="opacity {durations.fast}"
      >
        {cards.map(({ metric, value, comparison, previous, series }) => (
          <Card
            inset
            key={metric}
            position="relative"
            display="flex"
            flexDirection="column"
            paddingInline={{ base: '3', xl: '3.5' }}
            paddingBlock={{ base: '2', md: '3', xl: '3.5' }}
            minWidth="0"
            bg={metric === selected ? 'ember.wash' : 'surface'}
            transition="background-color {durations.fast}, border-color {durations.fast}"
            _hover={{ borderColor: 'outline' }}
          >
            <Box as="dt" textStyle="small" color="muted">
              <MetricButton type="button" aria-pressed={metric === selected} onClick={() => onSelect(metric)}>
                {t(metricNames[metric])}
              </MetricButton>
            </Box>
            {/* On phones, the value and the comparison share a line, which keeps the cards short. */}
            <Box
              as="dd"
              flex="1"
              display="flex"
              flexDirection={{ base: 'row', md: 'column' }}
              flexWrap={{ base: 'wrap', md: 'nowrap' }}
              alignItems={{ base: 'baseline', md: 'stretch' }}
              columnGap="2"
            >
              <Box
                textStyle="figure"
                fontSize={{ base: 'xl', md: '2xl', lg: 'xl', xl: '2xl' }}
                lineHeight={{ base: '1.75rem', md: '2rem' }}
                overflowWrap="anywhere"
              >
                {value}
              </Box>
              {comparison && <ComparisonResult comparison={comparison} previous={previous} />}
              <Box marginTop="auto" paddingTop="3" hideBelow="md">
                <Sparkline
                  values={series}
                  highlighted={metric === selected}
                  isLastPartial={isLastPartial && metric !== 'engagement'}
                />
              </Box>
            </Box>
          </Card>
        ))}
      </MetricGrid>
    </Box>
  )
}

function MetricCardsSkeleton() {
  return (
    <Loading label={t`Loading your analytics`}>
      <MetricGrid as="div">
        {Object.keys(metricNames).map((metric) => (
          <Card
            inset
            key={metric}
            paddingInline={{ base: '3', xl: '3.5' }}
            paddingBlock={{ base: '2', md: '3', xl: '3.5' }}
          >
            <Skeleton height="3" width="40%" marginTop="1" />
            <Skeleton height={{ base: '6', md: '8' }} width="60%" marginTop="2" />
            <Skeleton height="3" width="85%" marginTop="2" hideBelow="md" />
            <Skeleton height="9" marginTop="3" hideBelow="md" />
          </Card>
        ))}
      </MetricGrid>
    </Loading>
  )
}

function NoViewsYet() {
  return (
    <Card inset>
      <EmptyState
        illustration={<ChartIllustration />}
        title={t`Nobody has seen your posts yet`}
        text={t`Numbers appear as soon as someone does, and update every few minutes.`}
        action={
          <ButtonLink to={paths.profile.getHref()} variant="ember">
            {t`Go to your profile`}
          </ButtonLink>
        }
      />
    </Card>
  )
}

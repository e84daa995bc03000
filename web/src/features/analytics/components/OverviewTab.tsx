import { Box, chakra } from '@chakra-ui/react'
import { type AnalyticsOverview, type AnalyticsPeriod, periodDays } from '@contract/analytics.ts'
import { msg, plural, t } from '@lingui/core/macro'
import { Plural } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { compactNumber, formatCount } from '@/lib/format'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { Sparkline } from '@/ui/charts/Sparkline'
import { TimeChart } from '@/ui/charts/TimeChart'
import { ChartIllustration } from '@/ui/illustrations'
import { Card, lineTarget, TextLink } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/states'
import { overviewQuery, topPostsQuery, useAnalyticsRequest } from '../api'
import {
  bestDayText,
  type Comparison,
  chartPoints,
  compareCounts,
  compareRates,
  formatRate,
  previousPeriodName,
  sparklineValues,
} from '../model'
import {
  ComparisonResult,
  errorWithoutData,
  Panel,
  PanelError,
  PanelSkeleton,
  PanelStack,
  StaleDataNotice,
} from './Panel'
import { TopPostsPanel } from './TopPostsPanel'

/** The metrics with daily values, which the chart can show. */
const chartMetricNames = { views: msg`Views`, likes: msg`Likes`, comments: msg`Comments` }
type ChartMetric = keyof typeof chartMetricNames

/** Formats the values of the metrics with their units. */
const chartMetricFormats: Record<ChartMetric, (value: number) => string> = {
  views: (viewCount) => plural(viewCount, { one: '# view', other: '# views' }),
  likes: (likeCount) => plural(likeCount, { one: '# like', other: '# likes' }),
  comments: (commentCount) => plural(commentCount, { one: '# comment', other: '# comments' }),
}

/** Shows views, likes, comments and the engagement rate for the period, and a chart of the selected metric. */
export function OverviewTab() {
  const request = useAnalyticsRequest()
  const [chartMetric, setChartMetric] = useState<ChartMetric>('views')
  const { data, error, isPlaceholderData: isUpdating, refetch } = useQuery(overviewQuery(request))
  const posts = useQuery(topPostsQuery(request))
  const isPeriodEmpty = data !== undefined && !isUpdating && isEmptyOverview(data)
  // A period without activity does not mean that there was none in the whole year.
  const year = useQuery({ ...overviewQuery({ ...request, period: '1y' }), enabled: isPeriodEmpty })
  const loadError = errorWithoutData({ data, error })
  if (loadError) return <PanelError error={loadError} onRetry={() => void refetch()} />
  if (!data || (isPeriodEmpty && year.isPending)) {
    return (
      <PanelStack>
        <MetricCardsSkeleton />
        <PanelSkeleton label={t`Loading your views`} />
      </PanelStack>
    )
  }
  const staleNotice = <StaleDataNotice queries={[{ data, error, refetch }, posts]} />
  if (isPeriodEmpty && year.data && isEmptyOverview(year.data)) {
    return (
      <PanelStack>
        {staleNotice}
        <NoViewsYet />
      </PanelStack>
    )
  }
  const days = periodDays[request.period]
  const chartLabel = t(chartMetricNames[chartMetric])
  const points = chartPoints(data, request.period, (day) => day[chartMetric])
  return (
    <PanelStack>
      {staleNotice}
      <MetricCards
        metrics={overviewMetrics(data)}
        selected={chartMetric}
        onSelect={setChartMetric}
        period={request.period}
        isUpdating={isUpdating}
      />
      <Panel
        title={chartLabel}
        note={
          <>
            <div>{plural(days, { 365: 'Last year, by week', other: 'Last # days, by day' })}</div>
            <div>{bestDayText(points, chartMetricFormats[chartMetric])}</div>
          </>
        }
        isUpdating={isUpdating}
      >
        <TimeChart
          kind="bars"
          label={chartLabel}
          points={points}
          format={formatCount}
          axisFormat={compactNumber}
          previous={previousPeriodName(request.period)}
          event={t`Post published`}
        />
      </Panel>
      <TopPostsPanel limit={5} action={<ViewAllPosts />} />
    </PanelStack>
  )
}

/** Links to the Content tab with the same period. */
function ViewAllPosts() {
  const [params] = useSearchParams()
  return (
    <TextLink
      to={`?${new URLSearchParams({ ...Object.fromEntries(params), tab: 'content' })}`}
      replace
      textStyle="small"
      {...lineTarget}
    >
      {t`View all`}
    </TextLink>
  )
}

function isEmptyOverview({ totalViews, totalLikes, totalComments, previous }: AnalyticsOverview): boolean {
  return [
    totalViews,
    totalLikes,
    totalComments,
    previous.totalViews,
    previous.totalLikes,
    previous.totalComments,
  ].every((value) => value === 0)
}

interface Metric {
  name: string
  value: string
  /** Null if there is nothing to compare. */
  comparison: Comparison | null
  /** The value of the previous period. */
  previous: string
  /** The values of the sparkline. */
  series: number[]
  chartMetric?: ChartMetric
}

function overviewMetrics(data: AnalyticsOverview): Metric[] {
  const { previous } = data
  const counts = [
    ['views', data.totalViews, previous.totalViews],
    ['likes', data.totalLikes, previous.totalLikes],
    ['comments', data.totalComments, previous.totalComments],
  ] as const
  return [
    ...counts.map(([chartMetric, total, before]) => ({
      chartMetric,
      name: t(chartMetricNames[chartMetric]),
      value: formatCount(total),
      comparison: compareCounts(total, before),
      previous: formatCount(before),
      series: sparklineValues(data.days, (day) => day[chartMetric]),
    })),
    {
      name: t`Engagement rate`,
      value: formatOptionalRate(data.engagementRate),
      comparison: compareRates(data.engagementRate, previous.engagementRate),
      previous: formatOptionalRate(previous.engagementRate),
      series: engagementSeries(data.days),
    },
  ]
}

const formatOptionalRate = (rate: number | null) => (rate === null ? '–' : formatRate(rate))

/** Returns the engagement rate of each day or week, which is 0 without views. */
function engagementSeries(days: AnalyticsOverview['days']): number[] {
  const views = sparklineValues(days, (day) => day.views)
  const interactions = sparklineValues(days, (day) => day.likes + day.comments)
  return views.map((viewCount, index) => (viewCount === 0 ? 0 : (interactions[index] ?? 0) / viewCount))
}

/** Shows four cards in a row on wide screens, two on phones. */
const MetricGrid = chakra('dl', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' },
    gap: { base: '3', md: '4' },
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

/** Shows the metrics. Those with daily values are buttons that select the chart's metric. */
function MetricCards({
  metrics,
  selected,
  onSelect,
  period,
  isUpdating,
}: {
  metrics: Metric[]
  selected: ChartMetric
  onSelect: (chartMetric: ChartMetric) => void
  period: AnalyticsPeriod
  isUpdating: boolean
}) {
  return (
    <Box role="group" aria-label={t`Metric`}>
      <MetricGrid
        aria-busy={isUpdating || undefined}
        opacity={isUpdating ? 0.5 : undefined}
        transition="opacity {durations.fast}"
      >
        {metrics.map(({ name, value, comparison, previous, series, chartMetric }) => (
          <Card
            inset
            key={name}
            position="relative"
            display="flex"
            flexDirection="column"
            padding="4"
            minWidth="0"
            bg={chartMetric === selected ? 'ember.wash' : 'surface'}
            transition="background-color {durations.fast}, border-color {durations.fast}"
            _hover={chartMetric && { borderColor: 'outline' }}
          >
            <Box as="dt" textStyle="small" color="muted">
              {chartMetric ? (
                <MetricButton
                  type="button"
                  aria-pressed={chartMetric === selected}
                  onClick={() => onSelect(chartMetric)}
                >
                  {name}
                </MetricButton>
              ) : (
                name
              )}
            </Box>
            <Box as="dd" flex="1" display="flex" flexDirection="column">
              <Box textStyle="figure" fontSize={{ base: '2xl', md: '3xl' }}>
                {value}
              </Box>
              {comparison && <ComparisonResult comparison={comparison} previous={previous} />}
              <Box marginTop="auto" paddingTop="3">
                <Sparkline values={series} highlighted={chartMetric === selected} />
              </Box>
            </Box>
          </Card>
        ))}
      </MetricGrid>
      <Box textStyle="small" color="muted" marginTop="2">
        <Plural
          value={periodDays[period]}
          _365="Compared with the previous year"
          other="Compared with the previous # days"
        />
      </Box>
    </Box>
  )
}

function MetricCardsSkeleton() {
  return (
    <Loading label={t`Loading your analytics`}>
      <MetricGrid as="div">
        {['first', 'second', 'third', 'fourth'].map((key) => (
          <Card inset key={key} padding="4">
            <Skeleton height="3" width="40%" />
            <Skeleton height="8" width="60%" marginTop="2" />
            <Skeleton height="3" width="85%" marginTop="2" />
            <Skeleton height="9" marginTop="3" />
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

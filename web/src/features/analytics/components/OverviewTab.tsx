import { Box, chakra, Tabs } from '@chakra-ui/react'
import type { AnalyticsMonthly, AnalyticsOverview } from '@contract/analytics.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { compactNumber, dollars, formatCount, shortDollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useUrlParams } from '@/lib/url-params'
import { ButtonLink } from '@/ui/Button'
import { centerInRow } from '@/ui/center-in-row'
import { ComparisonResult } from '@/ui/charts/Comparison'
import { TimeChart } from '@/ui/charts/TimeChart'
import type { TimePoint } from '@/ui/charts/time-axis'
import { chartUnit, previousPeriodName } from '@/ui/charts/time-axis'
import { ChartIllustration } from '@/ui/illustrations'
import { Card, lineTarget, TextLink, VisuallyHidden } from '@/ui/layout'
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
  type Metric,
  type MetricFigure,
  metricFigures,
  rangeLength,
  rangeName,
} from '../model'
import { InsightsPanel, useTabHref } from './InsightsPanel'
import { errorWithoutData, PanelError, PanelPair, PanelStack, StaleDataNotice } from './Panel'
import { RecentViewsPanel, SourcesPanel } from './ReachPanels'
import { TopPostsPanel } from './TopPostsPanel'

const metricNames: Record<Metric, MessageDescriptor> = {
  views: msg`Views`,
  followers: msg`New followers`,
  likes: msg`Likes`,
  comments: msg`Comments`,
  engagement: msg`Engagement rate`,
  subscribers: msg`New subscribers`,
  revenue: msg`Revenue`,
}

const metrics = Object.keys(metricNames) as Metric[]

/** Formatters that add the unit of each metric to its value. */
const metricFormats: Record<Metric, (value: number) => string> = {
  views: (viewCount) => plural(viewCount, { one: '# view', other: '# views' }),
  followers: (followerCount) => plural(followerCount, { one: '# new follower', other: '# new followers' }),
  likes: (likeCount) => plural(likeCount, { one: '# like', other: '# likes' }),
  comments: (commentCount) => plural(commentCount, { one: '# comment', other: '# comments' }),
  engagement: formatRate,
  subscribers: (subscriberCount) =>
    plural(subscriberCount, { one: '# new subscriber', other: '# new subscribers' }),
  revenue: dollars,
}

/** Shows metrics for the period (reach, new subscribers and revenue) and a chart of the metric in the URL. */
export function OverviewTab() {
  const request = useAnalyticsRequest()
  const [params, changeParams] = useUrlParams()
  const metric = metrics.find((name) => name === params.get('metric')) ?? 'views'
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
        <MetricChartSkeleton />
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
  const points = metricPoints(metric, overview.data, monthly.data, range)
  return (
    <PanelStack>
      {staleNotice}
      <MetricChart
        figures={metricFigures(overview.data, monthly.data)}
        metric={metric}
        onSelect={(selected) => changeParams({ metric: selected === 'views' ? null : selected })}
        isUpdating={isUpdating}
      >
        <VisuallyHidden as="h2">{t(metricNames[metric])}</VisuallyHidden>
        <Box display="flex" flexWrap="wrap" columnGap="3" textStyle="small" color="muted" marginBottom="3">
          <span>{chartNotes[chartUnit(rangeLength(range))]}</span>
          <span>{bestDayText(points, metricFormats[metric])}</span>
        </Box>
        <TimeChart
          kind={metric === 'revenue' ? 'area' : 'bars'}
          isLarge
          label={t(metricNames[metric])}
          points={points}
          {...chartFormats(metric)}
          previous={previousPeriodName(rangeLength(range))}
          event={t`Post published`}
        />
      </MetricChart>
      <PanelPair gridTemplateColumns={{ xl: 'minmax(0, 1fr) 18rem' }} alignItems="start">
        <PanelStack>
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
    case 'followers':
      return chartPoints({ ...monthly, publishedPosts }, range, (day) => day.newFollowers)
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
      : [period.revenue, period.newFollowers, period.newSubscriptions],
  )
  return totals.every((value) => value === 0)
}

/** The figures are in a row on phones, in two rows on tablets, and in a row that wraps if necessary on wide screens. */
const figureLayout = {
  flexWrap: { xl: 'wrap' },
  display: { base: 'flex', md: 'grid', xl: 'flex' },
  gridTemplateColumns: 'repeat(4, minmax(0, 1fr))',
} as const

/** The figures at the top of the chart's card. On phones, they are in a row that scrolls horizontally and fades out. */
const FigureRow = chakra(Tabs.List, {
  base: {
    position: 'relative',
    ...figureLayout,
    overflowX: { base: 'auto', md: 'hidden' },
    scrollbarWidth: 'none',
    mdDown: {
      // Lets the user scroll the last figure out of the fade.
      paddingInlineEnd: '8',
      maskImage: 'linear-gradient(to right, {colors.text} calc(100% - {spacing.8}), transparent)',
      _rtl: { maskImage: 'linear-gradient(to left, {colors.text} calc(100% - {spacing.8}), transparent)' },
    },
  },
})

const figurePadding = { paddingInline: { base: '3.5', md: '3' }, paddingBlock: { base: '2.5', md: '3.5' } }

/** A figure, which selects the metric of the chart. */
const FigureTab = chakra(Tabs.Trigger, {
  base: {
    ...figurePadding,
    flex: '1 0 auto',
    minWidth: { base: '6.75rem', md: '7rem' },
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'flex-start',
    textAlign: 'start',
    whiteSpace: { base: 'nowrap', md: 'normal', xl: 'nowrap' },
    cursor: 'pointer',
    color: 'muted',
    transition: 'background-color {durations.fast}, box-shadow {durations.fast}',
    // The borders at the edges of the row are outside of it.
    borderInlineStartWidth: '1px',
    borderTopWidth: '1px',
    marginInlineStart: '-1px',
    marginTop: '-1px',
    // Fills the second row.
    _last: { gridColumn: 'span 2' },
    '&:hover:not([aria-selected=true])': { bg: 'hover' },
    _selected: { color: 'text', bg: 'ember.wash', boxShadow: 'inset 0 -3px {colors.ember.ring}' },
    _focusVisible: { outline: '2px solid', outlineColor: 'focus', outlineOffset: '-2px' },
  },
})

/** Shows the figures as tabs above the chart of the selected metric. Arrow keys move between them. */
function MetricChart({
  figures,
  metric: selected,
  onSelect,
  isUpdating,
  children,
}: {
  figures: MetricFigure[]
  metric: Metric
  onSelect: (metric: Metric) => void
  isUpdating: boolean
  /** The chart. */
  children: ReactNode
}) {
  const row = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another figure is selected
  useLayoutEffect(() => centerInRow(row.current, '[aria-selected=true]'), [selected])
  return (
    <Card inset minWidth="0" overflow="hidden" aria-busy={isUpdating || undefined}>
      <Tabs.Root
        unstyled
        value={selected}
        onValueChange={({ value }) => {
          const figure = figures.find(({ metric }) => metric === value)
          if (figure) onSelect(figure.metric)
        }}
        opacity={isUpdating ? 0.5 : undefined}
        transition="opacity {durations.fast}"
      >
        <FigureRow ref={row} aria-label={t`Metric`}>
          {figures.map(({ metric, value, comparison, previous }) => (
            <FigureTab key={metric} value={metric}>
              <Box as="span" textStyle="small">
                {t(metricNames[metric])}
              </Box>
              <Box
                as="span"
                textStyle="figure"
                color="text"
                fontSize={{ base: 'xl', xl: '2xl' }}
                lineHeight={{ base: '1.75rem', md: '2rem' }}
              >
                {value}
              </Box>
              {comparison && <ComparisonResult comparison={comparison} previous={previous} />}
            </FigureTab>
          ))}
        </FigureRow>
        <Tabs.Content
          value={selected}
          padding={{ base: '4', md: '5' }}
          borderTopWidth="1px"
          // The card would clip a focus ring outside of the panel.
          _focusVisible={{ outlineOffset: '-2px' }}
        >
          {children}
        </Tabs.Content>
      </Tabs.Root>
    </Card>
  )
}

function MetricChartSkeleton() {
  return (
    <Card inset minWidth="0" overflow="hidden">
      <Loading label={t`Loading your analytics`}>
        <Box {...figureLayout} overflow="hidden" borderBottomWidth="1px">
          {Object.keys(metricNames).map((metric) => (
            <Box key={metric} flex="1 0 auto" minWidth={{ base: '6.75rem', md: '7rem' }} {...figurePadding}>
              <Skeleton height="3" width="60%" marginTop="1" />
              <Skeleton height="6" width="70%" marginTop="2" />
              <Skeleton height="3" width="45%" marginTop="2" />
            </Box>
          ))}
        </Box>
        <Box padding={{ base: '4', md: '5' }}>
          <Skeleton height="3" width="12rem" />
          <Skeleton height={{ base: '16rem', md: '23rem' }} marginTop="4" borderRadius="md" />
        </Box>
      </Loading>
    </Card>
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

import { Box } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { longDate } from '@/lib/time'
import { AreaChart } from '@/ui/charts/AreaChart'
import { type Bar, BarChart } from '@/ui/charts/BarChart'
import { SearchIllustration } from '@/ui/illustrations'
import { Card } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { audienceQuery, monthlyQuery, useAnalyticsRequest } from '../api'
import {
  chartPoints,
  compareCounts,
  formatCount,
  formatShare,
  periodLength,
  previousPeriodLabel,
  previousPeriodPhrase,
  previousPeriodText,
} from '../model'
import {
  ComparisonText,
  errorWithoutData,
  Panel,
  PanelError,
  PanelPair,
  PanelSkeleton,
  PanelStack,
  StaleDataNotice,
} from './Panel'

/** Shows new followers, and the ages and countries of all followers. */
export function AudienceTab() {
  const request = useAnalyticsRequest()
  const monthly = useQuery(monthlyQuery(request))
  const audience = useQuery(audienceQuery(request))
  return (
    <PanelStack>
      <StaleDataNotice queries={[monthly, audience]} />
      <NewFollowersPanel />
      <AudienceGroups />
    </PanelStack>
  )
}

function NewFollowersPanel() {
  const request = useAnalyticsRequest()
  const { data, error, isPlaceholderData: isUpdating, refetch } = useQuery(monthlyQuery(request))
  const loadError = errorWithoutData({ data, error })
  if (loadError) return <PanelError error={loadError} onRetry={() => void refetch()} />
  if (!data) return <PanelSkeleton label="Loading your followers" />
  if (!isUpdating && data.newFollowers === 0 && data.previous.newFollowers === 0) {
    return (
      <Card>
        <EmptyState
          illustration={<SearchIllustration />}
          title="Nobody new followed you"
          text={`Neither in the last ${periodLength(request.period)} nor in ${previousPeriodPhrase(request.period)}.`}
        />
      </Card>
    )
  }
  const { now, before } = data.compared
  return (
    <Panel
      title="New followers"
      value={formatCount(data.newFollowers)}
      note={
        <ComparisonText
          comparison={compareCounts(
            now.newFollowers,
            before.newFollowers,
            previousPeriodText(request.period),
            formatCount,
          )}
        />
      }
      isUpdating={isUpdating}
    >
      <AreaChart
        label="New followers"
        points={chartPoints(data, request.period, (day) => day.newFollowers)}
        previousLabel={previousPeriodLabel(request.period)}
        format={formatCount}
      />
    </Panel>
  )
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' })

function AudienceGroups() {
  const request = useAnalyticsRequest()
  const { data, error, refetch } = useQuery(audienceQuery(request))
  const loadError = errorWithoutData({ data, error })
  if (loadError) return <PanelError error={loadError} onRetry={() => void refetch()} />
  if (!data) {
    return (
      <PanelPair>
        <PanelSkeleton label="Loading your followers’ ages" contentHeight="10rem" />
        <PanelSkeleton label="Loading your followers’ countries" contentHeight="10rem" />
      </PanelPair>
    )
  }
  const ageBars = data.ageGroups.map(({ range, percentage }) => ({
    name: range.replace('-', '–'),
    value: percentage,
  }))
  const countryBars = data.countries.map(({ name, percentage }) => ({
    name: countryNames.of(name) ?? name,
    value: percentage,
  }))
  return (
    <>
      {/* The lists often differ in length, so the panels do not stretch to the same height. */}
      <PanelPair alignItems="start">
        <SharePanel title="Age" label="Followers by age" head={['Age', 'Share']} bars={ageBars} />
        <SharePanel
          title="Country"
          label="Followers by country"
          head={['Country', 'Share']}
          bars={countryBars}
        />
      </PanelPair>
      <Box textStyle="small" color="muted" paddingInline={{ base: '4', md: '1' }}>
        Groups of fewer than five people are left out.{' '}
        {data.countedAt === null
          ? 'Your followers have not been counted yet.'
          : `Counted once a day, last on ${longDate(data.countedAt)}.`}
      </Box>
    </>
  )
}

function SharePanel({
  title,
  label,
  head,
  bars,
}: {
  title: string
  label: string
  head: [string, string]
  bars: Bar[]
}) {
  return (
    <Panel title={title} note={bars.length === 0 ? 'No group of five or more yet.' : undefined}>
      {bars.length > 0 && <BarChart label={label} head={head} bars={bars} format={formatShare} end={100} />}
    </Panel>
  )
}

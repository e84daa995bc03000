import { Box } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { longDate } from '@/lib/format'
import { AreaChart } from '@/ui/charts/AreaChart'
import { type Bar, BarChart } from '@/ui/charts/BarChart'
import { LampIllustration } from '@/ui/illustrations'
import { Card } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { audienceQuery, monthlyQuery } from '../api'
import { compareCounts, formatCount, formatShare } from '../model'
import { periodLength, previousPeriodLabel, previousPeriodPhrase, previousPeriodText } from '../period'
import { chartPoints } from '../points'
import { useAnalyticsRequest } from '../useAnalyticsRequest'
import { ComparisonText } from './ComparisonText'
import { Panel } from './Panel'
import { PanelError } from './PanelError'
import { PanelSkeleton } from './PanelSkeleton'
import { PanelPair, PanelStack } from './PanelStack'
import { errorWithoutData, StaleDataNotice } from './StaleDataNotice'

/** Who follows: how many came, of which age, from where. */
export function AudienceTab() {
  const asked = useAnalyticsRequest()
  const growth = useQuery(monthlyQuery(asked))
  const groups = useQuery(audienceQuery(asked))
  return (
    <PanelStack>
      <StaleDataNotice answers={[growth, groups]} />
      <Growth />
      <Groups />
    </PanelStack>
  )
}

function Growth() {
  const asked = useAnalyticsRequest()
  const { data, error, isPlaceholderData: pale, refetch } = useQuery(monthlyQuery(asked))
  const failure = errorWithoutData({ data, error })
  if (failure) return <PanelError error={failure} onRetry={() => void refetch()} />
  if (!data) return <PanelSkeleton label="Loading your followers" />
  if (!pale && data.newFollowers === 0 && data.previous.newFollowers === 0) {
    return (
      <Card>
        <EmptyState
          drawing={<LampIllustration />}
          title="Nobody new followed you"
          text={`Neither in the last ${periodLength(asked.period)} nor in ${previousPeriodPhrase(asked.period)}.`}
        />
      </Card>
    )
  }
  const { now, before } = data.compared
  return (
    <Panel
      title="New followers"
      figure={formatCount(data.newFollowers)}
      note={
        <ComparisonText
          of={compareCounts(
            now.newFollowers,
            before.newFollowers,
            previousPeriodText(asked.period),
            formatCount,
          )}
        />
      }
      pale={pale}
    >
      <AreaChart
        label="New followers"
        points={chartPoints(data, asked.period, (day) => day.newFollowers)}
        before={previousPeriodLabel(asked.period)}
        format={formatCount}
      />
    </Panel>
  )
}

const countries = new Intl.DisplayNames('en', { type: 'region' })

function Groups() {
  const asked = useAnalyticsRequest()
  const { data, error, refetch } = useQuery(audienceQuery(asked))
  const failure = errorWithoutData({ data, error })
  if (failure) return <PanelError error={failure} onRetry={() => void refetch()} />
  if (!data) {
    return (
      <PanelPair>
        <PanelSkeleton label="Loading your followers’ ages" plot="10rem" />
        <PanelSkeleton label="Loading your followers’ countries" plot="10rem" />
      </PanelPair>
    )
  }
  const ages = data.ageGroups.map(({ range, percentage }) => ({
    name: range.replace('-', '–'),
    value: percentage,
  }))
  const places = data.countries.map(({ name, percentage }) => ({
    name: countries.of(name) ?? name,
    value: percentage,
  }))
  return (
    <>
      {/* Each as high as its list: one of them is often half as long. */}
      <PanelPair alignItems="start">
        <Shares title="Age" label="Followers by age" head={['Age', 'Share']} bars={ages} />
        <Shares title="Country" label="Followers by country" head={['Country', 'Share']} bars={places} />
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

function Shares({
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

import { Box } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { longDate } from '@/lib/format'
import { AreaOverTime } from '@/ui/charts/AreaOverTime'
import { type Bar, BarsCompare } from '@/ui/charts/BarsCompare'
import { LampDrawing } from '@/ui/drawings'
import { Card } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { audienceQuery, monthlyQuery } from '../api/figures'
import { beforeOf, earlierOf, lengthOf, lineOf } from '../period'
import { pointsOf } from '../points'
import { useAsked } from '../useAsked'
import { compare, count, share } from '../words'
import { Compared } from './Compared'
import { failureOf, NotNew } from './NotNew'
import { Panel } from './Panel'
import { PanelFailed } from './PanelFailed'
import { PanelSkeleton } from './PanelSkeleton'
import { Pair, Stack } from './Stack'

/** Who follows: how many came, of which age, from where. */
export function AudienceTab() {
  const asked = useAsked()
  const growth = useQuery(monthlyQuery(asked))
  const groups = useQuery(audienceQuery(asked))
  return (
    <Stack>
      <NotNew answers={[growth, groups]} />
      <Growth />
      <Groups />
    </Stack>
  )
}

function Growth() {
  const asked = useAsked()
  const { data, error, isPlaceholderData: pale, refetch } = useQuery(monthlyQuery(asked))
  const failure = failureOf({ data, error })
  if (failure) return <PanelFailed error={failure} onRetry={() => void refetch()} />
  if (!data) return <PanelSkeleton label="Loading your followers" />
  if (!pale && data.newFollowers === 0 && data.previous.newFollowers === 0) {
    return (
      <Card>
        <EmptyState
          drawing={<LampDrawing />}
          title="Nobody new followed you"
          text={`Neither in the last ${lengthOf(asked.period)} nor in ${beforeOf(asked.period)}.`}
        />
      </Card>
    )
  }
  const { now, before } = data.compared
  return (
    <Panel
      title="New followers"
      figure={count(data.newFollowers)}
      note={<Compared of={compare(now.newFollowers, before.newFollowers, earlierOf(asked.period), count)} />}
      pale={pale}
    >
      <AreaOverTime
        label="New followers"
        points={pointsOf(data, asked.period, (day) => day.newFollowers)}
        before={lineOf(asked.period)}
        format={count}
      />
    </Panel>
  )
}

const countries = new Intl.DisplayNames('en', { type: 'region' })

function Groups() {
  const asked = useAsked()
  const { data, error, refetch } = useQuery(audienceQuery(asked))
  const failure = failureOf({ data, error })
  if (failure) return <PanelFailed error={failure} onRetry={() => void refetch()} />
  if (!data) {
    return (
      <Pair>
        <PanelSkeleton label="Loading your followers’ ages" plot="10rem" />
        <PanelSkeleton label="Loading your followers’ countries" plot="10rem" />
      </Pair>
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
      <Pair alignItems="start">
        <Shares title="Age" label="Followers by age" head={['Age', 'Share']} bars={ages} />
        <Shares title="Country" label="Followers by country" head={['Country', 'Share']} bars={places} />
      </Pair>
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
      {bars.length > 0 && <BarsCompare label={label} head={head} bars={bars} format={share} end={100} />}
    </Panel>
  )
}

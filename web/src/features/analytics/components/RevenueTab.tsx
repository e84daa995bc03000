import { Box } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { earningSources } from '@/lib/earningSources'
import { dollars, shortDollars } from '@/lib/format'
import { paths } from '@/paths'
import { ButtonLink } from '@/ui/Button'
import { AreaOverTime } from '@/ui/charts/AreaOverTime'
import { ShareBar } from '@/ui/charts/ShareBar'
import { CoinsDrawing } from '@/ui/drawings'
import { Card, TextLink } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { monthlyQuery } from '../api/figures'
import { beforeOf, earlierOf, lengthOf, lineOf } from '../period'
import { pointsOf } from '../points'
import { useAsked } from '../useAsked'
import { compare, count, counted } from '../words'
import { Compared } from './Compared'
import { failureOf, NotNew } from './NotNew'
import { Panel } from './Panel'
import { PanelFailed } from './PanelFailed'
import { PanelSkeleton } from './PanelSkeleton'
import { Pair, Stack } from './Stack'

/** What came in after the platform's share, from what, and who subscribed. */
export function RevenueTab() {
  const asked = useAsked()
  const { data, error, isPlaceholderData: pale, refetch } = useQuery(monthlyQuery(asked))
  const failure = failureOf({ data, error })
  if (failure) return <PanelFailed error={failure} onRetry={() => void refetch()} />
  if (!data) {
    return (
      <Stack>
        <PanelSkeleton label="Loading your revenue" />
        <Pair>
          <PanelSkeleton label="Loading your sources" plot="8rem" />
          <PanelSkeleton label="Loading your subscriptions" />
        </Pair>
      </Stack>
    )
  }
  const { now, before } = data.compared
  const nothing = [data, data.previous].every(
    ({ revenue, newSubscriptions }) => revenue === 0 && newSubscriptions === 0,
  )
  const earlier = earlierOf(asked.period)
  const notNew = <NotNew answers={[{ data, error, refetch }]} />
  if (nothing && !pale) {
    return (
      <Stack>
        {notNew}
        <Card>
          <EmptyState
            drawing={<CoinsDrawing />}
            title="Nothing came in"
            text={`Neither in the last ${lengthOf(asked.period)} nor in ${beforeOf(asked.period)}.`}
            action={
              <ButtonLink to={paths.earnings.getHref()} variant="outline">
                Go to Earnings
              </ButtonLink>
            }
          />
        </Card>
      </Stack>
    )
  }
  return (
    <Stack>
      {notNew}
      <Panel
        title="Revenue"
        figure={dollars(data.revenue)}
        note={<Compared of={compare(now.revenue, before.revenue, earlier, dollars)} />}
        aside={
          <TextLink to={paths.earnings.getHref()} textStyle="small">
            Go to Earnings
          </TextLink>
        }
        pale={pale}
      >
        <AreaOverTime
          label="Revenue"
          points={pointsOf(data, asked.period, (day) => day.revenue)}
          before={lineOf(asked.period)}
          format={dollars}
          axisFormat={shortDollars}
        />
      </Panel>
      <Pair alignItems="start">
        <Panel title="Sources" pale={pale} note="After the platform’s share">
          {data.sources.length === 0 ? (
            <Box color="muted" textStyle="small">
              Nothing came in during this time.
            </Box>
          ) : (
            <ShareBar
              label="Revenue by source"
              head={['Source', 'Revenue']}
              parts={data.sources.map(({ source, amount, percentage }) => ({
                name: earningSources[source],
                value: amount,
                percentage,
              }))}
              format={dollars}
            />
          )}
        </Panel>
        <Panel
          title="New subscriptions"
          figure={count(data.newSubscriptions)}
          note={
            <>
              <Compared of={compare(now.newSubscriptions, before.newSubscriptions, earlier, count)} />
              {counted(data.subscriptions, 'subscriber')} today
            </>
          }
          pale={pale}
        >
          <AreaOverTime
            label="New subscriptions"
            points={pointsOf(data, asked.period, (day) => day.newSubscriptions)}
            before={lineOf(asked.period)}
            format={count}
          />
        </Panel>
      </Pair>
    </Stack>
  )
}

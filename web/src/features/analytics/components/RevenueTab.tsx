import { Box } from '@chakra-ui/react'
import type { AnalyticsMonthly } from '@contract/analytics.ts'
import { useQuery } from '@tanstack/react-query'
import { paths } from '@/paths'
import { ButtonLink } from '@/ui/Button'
import { AreaOverTime } from '@/ui/charts/AreaOverTime'
import { ShareBar } from '@/ui/charts/ShareBar'
import { CoinsDrawing } from '@/ui/drawings'
import { Card, TextLink } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { monthlyQuery } from '../api/figures'
import { beforeOf, lengthOf, lineOf } from '../period'
import { pointsOf } from '../points'
import { useAsked } from '../useAsked'
import { compare, count, counted, money, shortMoney } from '../words'
import { Compared } from './Compared'
import { Panel } from './Panel'
import { PanelFailed } from './PanelFailed'
import { PanelSkeleton } from './PanelSkeleton'
import { Pair, Stack } from './Stack'

const sourceNames: Record<AnalyticsMonthly['sources'][number]['source'], string> = {
  subscription: 'Subscriptions',
  tip: 'Tips & Donations',
  premium_content: 'Premium Content',
}

/** What came in after the platform's share, from what, and who subscribed. */
export function RevenueTab() {
  const asked = useAsked()
  const { data, error, isPlaceholderData: pale, refetch } = useQuery(monthlyQuery(asked))
  if (error) return <PanelFailed error={error} onRetry={() => void refetch()} />
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
  const before = beforeOf(asked.period)
  const { previous } = data
  const nothing = [data, previous].every(
    ({ revenue, newSubscriptions }) => revenue === 0 && newSubscriptions === 0,
  )
  if (nothing && !pale) {
    return (
      <Card>
        <EmptyState
          drawing={<CoinsDrawing />}
          title="Nothing came in"
          text={`Neither in the last ${lengthOf(asked.period)} nor in ${before}.`}
          action={
            <ButtonLink to={paths.earnings.getHref()} variant="outline">
              Go to Earnings
            </ButtonLink>
          }
        />
      </Card>
    )
  }
  return (
    <Stack>
      <Panel
        title="Revenue"
        figure={money(data.revenue)}
        note={<Compared of={compare(data.revenue, previous.revenue, before, money)} />}
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
          format={money}
          axisFormat={shortMoney}
        />
      </Panel>
      <Pair>
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
                name: sourceNames[source],
                value: amount,
                percentage,
              }))}
              format={money}
            />
          )}
        </Panel>
        <Panel
          title="New subscriptions"
          figure={count(data.newSubscriptions)}
          note={
            <>
              <Compared of={compare(data.newSubscriptions, previous.newSubscriptions, before, count)} />
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

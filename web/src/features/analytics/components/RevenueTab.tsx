import { Box } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { earningSourceNames } from '@/billing/payments'
import { dollars, shortDollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { AreaChart } from '@/ui/charts/AreaChart'
import { ShareBar } from '@/ui/charts/ShareBar'
import { CoinsIllustration } from '@/ui/illustrations'
import { Card, TextLink } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { monthlyQuery } from '../api'
import { compareCounts, formatCount, pluralize } from '../model'
import { periodLength, previousPeriodLabel, previousPeriodPhrase, previousPeriodText } from '../period'
import { chartPoints } from '../points'
import { useAnalyticsRequest } from '../useAnalyticsRequest'
import { ComparisonText } from './ComparisonText'
import { Panel } from './Panel'
import { PanelError } from './PanelError'
import { PanelSkeleton } from './PanelSkeleton'
import { PanelPair, PanelStack } from './PanelStack'
import { errorWithoutData, StaleDataNotice } from './StaleDataNotice'

/** What came in after the platform's share, from what, and who subscribed. */
export function RevenueTab() {
  const asked = useAnalyticsRequest()
  const { data, error, isPlaceholderData: pale, refetch } = useQuery(monthlyQuery(asked))
  const failure = errorWithoutData({ data, error })
  if (failure) return <PanelError error={failure} onRetry={() => void refetch()} />
  if (!data) {
    return (
      <PanelStack>
        <PanelSkeleton label="Loading your revenue" />
        <PanelPair>
          <PanelSkeleton label="Loading your sources" plot="8rem" />
          <PanelSkeleton label="Loading your subscriptions" />
        </PanelPair>
      </PanelStack>
    )
  }
  const { now, before } = data.compared
  const nothing = [data, data.previous].every(
    ({ revenue, newSubscriptions }) => revenue === 0 && newSubscriptions === 0,
  )
  const earlier = previousPeriodText(asked.period)
  const notNew = <StaleDataNotice answers={[{ data, error, refetch }]} />
  if (nothing && !pale) {
    return (
      <PanelStack>
        {notNew}
        <Card>
          <EmptyState
            drawing={<CoinsIllustration />}
            title="Nothing came in"
            text={`Neither in the last ${periodLength(asked.period)} nor in ${previousPeriodPhrase(asked.period)}.`}
            action={
              <ButtonLink to={paths.earnings.getHref()} variant="outline">
                Go to Earnings
              </ButtonLink>
            }
          />
        </Card>
      </PanelStack>
    )
  }
  return (
    <PanelStack>
      {notNew}
      <Panel
        title="Revenue"
        figure={dollars(data.revenue)}
        note={<ComparisonText of={compareCounts(now.revenue, before.revenue, earlier, dollars)} />}
        aside={
          <TextLink to={paths.earnings.getHref()} textStyle="small">
            Go to Earnings
          </TextLink>
        }
        pale={pale}
      >
        <AreaChart
          label="Revenue"
          points={chartPoints(data, asked.period, (day) => day.revenue)}
          before={previousPeriodLabel(asked.period)}
          format={dollars}
          axisFormat={shortDollars}
        />
      </Panel>
      <PanelPair alignItems="start">
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
                name: earningSourceNames[source],
                value: amount,
                percentage,
              }))}
              format={dollars}
            />
          )}
        </Panel>
        <Panel
          title="New subscriptions"
          figure={formatCount(data.newSubscriptions)}
          note={
            <>
              <ComparisonText
                of={compareCounts(now.newSubscriptions, before.newSubscriptions, earlier, formatCount)}
              />
              {pluralize(data.subscriptions, 'subscriber')} today
            </>
          }
          pale={pale}
        >
          <AreaChart
            label="New subscriptions"
            points={chartPoints(data, asked.period, (day) => day.newSubscriptions)}
            before={previousPeriodLabel(asked.period)}
            format={formatCount}
          />
        </Panel>
      </PanelPair>
    </PanelStack>
  )
}

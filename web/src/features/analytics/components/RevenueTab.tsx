import { Box } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { earningSourceNames } from '@/billing/payments'
import { dollars, shortDollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { AreaChart } from '@/ui/charts/AreaChart'
import { ShareBar } from '@/ui/charts/BarChart'
import { CoinsIllustration } from '@/ui/illustrations'
import { Card, TextLink } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { monthlyQuery, useAnalyticsRequest } from '../api'
import {
  chartPoints,
  compareCounts,
  formatCount,
  periodLength,
  pluralize,
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

/** Shows the revenue after the platform fee, its sources, and new subscriptions. */
export function RevenueTab() {
  const request = useAnalyticsRequest()
  const { data, error, isPlaceholderData: isUpdating, refetch } = useQuery(monthlyQuery(request))
  const loadError = errorWithoutData({ data, error })
  if (loadError) return <PanelError error={loadError} onRetry={() => void refetch()} />
  if (!data) {
    return (
      <PanelStack>
        <PanelSkeleton label="Loading your revenue" />
        <PanelPair>
          <PanelSkeleton label="Loading your sources" contentHeight="8rem" />
          <PanelSkeleton label="Loading your subscriptions" />
        </PanelPair>
      </PanelStack>
    )
  }
  const { now, before } = data.compared
  const isEmpty = [data, data.previous].every(
    ({ revenue, newSubscriptions }) => revenue === 0 && newSubscriptions === 0,
  )
  const previousLabel = previousPeriodText(request.period)
  const staleNotice = <StaleDataNotice queries={[{ data, error, refetch }]} />
  if (isEmpty && !isUpdating) {
    return (
      <PanelStack>
        {staleNotice}
        <Card>
          <EmptyState
            illustration={<CoinsIllustration />}
            title="Nothing came in"
            text={`Neither in the last ${periodLength(request.period)} nor in ${previousPeriodPhrase(request.period)}.`}
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
      {staleNotice}
      <Panel
        title="Revenue"
        value={dollars(data.revenue)}
        note={
          <ComparisonText comparison={compareCounts(now.revenue, before.revenue, previousLabel, dollars)} />
        }
        action={
          <TextLink to={paths.earnings.getHref()} textStyle="small">
            Go to Earnings
          </TextLink>
        }
        isUpdating={isUpdating}
      >
        <AreaChart
          label="Revenue"
          points={chartPoints(data, request.period, (day) => day.revenue)}
          previousLabel={previousPeriodLabel(request.period)}
          format={dollars}
          axisFormat={shortDollars}
        />
      </Panel>
      <PanelPair alignItems="start">
        <Panel title="Sources" isUpdating={isUpdating} note="After the platform’s share">
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
          value={formatCount(data.newSubscriptions)}
          note={
            <>
              <ComparisonText
                comparison={compareCounts(
                  now.newSubscriptions,
                  before.newSubscriptions,
                  previousLabel,
                  formatCount,
                )}
              />
              {pluralize(data.subscriptions, 'subscriber')} today
            </>
          }
          isUpdating={isUpdating}
        >
          <AreaChart
            label="New subscriptions"
            points={chartPoints(data, request.period, (day) => day.newSubscriptions)}
            previousLabel={previousPeriodLabel(request.period)}
            format={formatCount}
          />
        </Panel>
      </PanelPair>
    </PanelStack>
  )
}

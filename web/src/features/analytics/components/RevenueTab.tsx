import { Box } from '@chakra-ui/react'
import { plural, t } from '@lingui/core/macro'
import { Plural } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { earningSourceNames } from '@/billing/payments'
import { dollars, formatCount, shortDollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { ShareBar } from '@/ui/charts/BarChart'
import { ComparisonText, compareAmounts } from '@/ui/charts/Comparison'
import { TimeChart } from '@/ui/charts/TimeChart'
import { previousPeriodName } from '@/ui/charts/time-axis'
import { CoinsIllustration } from '@/ui/illustrations'
import { Card, TextLink } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { monthlyQuery, useAnalyticsRequest } from '../api'
import { chartPoints, rangeLength } from '../model'
import {
  errorWithoutData,
  Panel,
  PanelError,
  PanelPair,
  PanelSkeleton,
  PanelStack,
  StaleDataNotice,
} from './Panel'

/** Shows the revenue (after platform fees), its sources, and the new subscriptions. */
export function RevenueTab() {
  const request = useAnalyticsRequest()
  const { data, error, isPlaceholderData: isUpdating, refetch } = useQuery(monthlyQuery(request))
  const loadError = errorWithoutData({ data, error })
  if (loadError) return <PanelError error={loadError} onRetry={() => void refetch()} />
  if (!data) {
    return (
      <PanelStack>
        <PanelSkeleton label={t`Loading your revenue`} />
        <PanelPair>
          <PanelSkeleton label={t`Loading your revenue sources`} contentHeight="8rem" />
          <PanelSkeleton label={t`Loading your subscriptions`} />
        </PanelPair>
      </PanelStack>
    )
  }
  const subscribers = data.subscriptions
  const isEmpty = [data, data.previous].every(
    ({ revenue, newSubscriptions }) => revenue === 0 && newSubscriptions === 0,
  )
  const { range } = request
  const staleNotice = <StaleDataNotice queries={[{ data, error, refetch }]} />
  if (isEmpty && !isUpdating) {
    return (
      <PanelStack>
        {staleNotice}
        <Card inset>
          <EmptyState
            illustration={<CoinsIllustration />}
            title={'period' in range ? t`No revenue yet` : t`No revenue`}
            text={
              'period' in range
                ? plural(2 * rangeLength(range), {
                    730: "You haven't earned anything in the last two years.",
                    other: "You haven't earned anything in the last # days.",
                  })
                : t`You earned nothing on these days or in the same number of days before.`
            }
            action={
              <ButtonLink to={paths.earnings.getHref()} variant="outline">
                {t`Go to Earnings`}
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
        title={t`Revenue`}
        value={dollars(data.revenue)}
        note={
          <ComparisonText
            comparison={compareAmounts(data.revenue, data.previous.revenue, dollars)}
            days={rangeLength(range)}
          />
        }
        action={
          <TextLink to={paths.earnings.getHref()} textStyle="small">
            {t`Go to Earnings`}
          </TextLink>
        }
        isUpdating={isUpdating}
      >
        <TimeChart
          kind="area"
          label={t`Revenue`}
          points={chartPoints(data, range, (day) => day.revenue)}
          previous={previousPeriodName(rangeLength(range))}
          format={dollars}
          axisFormat={shortDollars}
        />
      </Panel>
      <PanelPair alignItems="start">
        <Panel title={t`Sources`} isUpdating={isUpdating} note={t`After platform fees`}>
          {data.sources.length === 0 ? (
            <Box color="muted" textStyle="small">
              {t`No revenue in this period`}
            </Box>
          ) : (
            <ShareBar
              label={t`Revenue by source`}
              head={[t`Source`, t`Revenue`]}
              parts={data.sources.map(({ source, amount, percentage }) => ({
                name: t(earningSourceNames[source]),
                value: amount,
                percentage,
              }))}
              format={dollars}
            />
          )}
        </Panel>
        <Panel
          title={t`New subscriptions`}
          value={formatCount(data.newSubscriptions)}
          note={
            <>
              <ComparisonText
                comparison={compareAmounts(data.newSubscriptions, data.previous.newSubscriptions)}
                days={rangeLength(range)}
              />
              <div>
                <Plural value={subscribers} one="# subscriber today" other="# subscribers today" />
              </div>
            </>
          }
          isUpdating={isUpdating}
        >
          <TimeChart
            kind="bars"
            label={t`New subscriptions`}
            points={chartPoints(data, range, (day) => day.newSubscriptions)}
            previous={previousPeriodName(rangeLength(range))}
            format={formatCount}
          />
        </Panel>
      </PanelPair>
    </PanelStack>
  )
}

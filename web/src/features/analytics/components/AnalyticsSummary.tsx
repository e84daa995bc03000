import { Box, chakra } from '@chakra-ui/react'
import { periodDays } from '@contract/analytics.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dollars, formatCount } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { ComparisonText, compareAmounts } from '@/ui/charts/Comparison'
import { Card, TextLink } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { monthlyQuery } from '../api'
import { defaultPeriod } from '../model'

/** Shows creators three of their metrics for the last 30 days, next to the feed. */
export default function AnalyticsSummary() {
  const { user } = useCurrentUser()
  if (!user) return null
  const days = periodDays[defaultPeriod]
  return (
    <Card as="section" aria-labelledby="your-analytics" padding="4">
      <Box display="flex" justifyContent="space-between" alignItems="baseline" marginBottom="3">
        <Box as="h2" id="your-analytics" textStyle="title">
          {t`Your analytics`}
        </Box>
        <Box textStyle="caption" color="muted">
          {t`Last ${days} days`}
        </Box>
      </Box>
      <MonthlyMetrics userId={user.id} />
      <TextLink to={paths.analytics.getHref()} display="inline-block" textStyle="small" marginTop="3">
        {t`View analytics`}
      </TextLink>
    </Card>
  )
}

function MonthlyMetrics({ userId }: { userId: string }) {
  const [openedAt] = useState(() => Date.now())
  const { data, isError, refetch } = useQuery(
    monthlyQuery({ userId, range: { period: defaultPeriod }, openedAt }),
  )
  if (data) {
    const metrics = [
      [t`Views`, formatCount(data.contentViews)],
      [t`Followers`, `+${formatCount(data.newFollowers)}`],
      [t`Revenue`, dollars(data.revenue)],
    ] as const
    return (
      <>
        <MetricGrid>
          {metrics.map(([name, value]) => (
            <Box key={name} display="flex" flexDirection="column-reverse" minWidth="0">
              <Box as="dt" textStyle="small" color="muted">
                {name}
              </Box>
              <Box as="dd" textStyle="heading" fontSize="xl" fontVariantNumeric="tabular-nums">
                {value}
              </Box>
            </Box>
          ))}
        </MetricGrid>
        <Box textStyle="small" color="muted" marginTop="2">
          <Trans>
            Views:{' '}
            <ComparisonText
              comparison={compareAmounts(data.contentViews, data.previous.contentViews)}
              days={periodDays[defaultPeriod]}
            />
          </Trans>
        </Box>
      </>
    )
  }
  if (isError) {
    return (
      <Box role="alert" textStyle="small" color="muted">
        {t`Couldn't load your analytics.`}{' '}
        <Button variant="link" size="sm" onClick={() => void refetch()}>
          {t`Try again`}
        </Button>
      </Box>
    )
  }
  return (
    <Loading label={t`Loading your analytics`}>
      <MetricGrid as="div">
        {['first', 'second', 'third'].map((key) => (
          <div key={key}>
            <Skeleton height="7" width="60%" />
            <Skeleton height="3" width="80%" marginTop="2" />
          </div>
        ))}
      </MetricGrid>
    </Loading>
  )
}

const MetricGrid = chakra('dl', {
  base: { display: 'grid', gridTemplateColumns: 'repeat(3, minmax(min-content, 1fr))', gap: '2' },
})

import { Box } from '@chakra-ui/react'
import type { SystemStatus } from '@contract/admin.ts'
import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { formatCount } from '@/lib/format'
import { useNow } from '@/lib/time'
import { Badge } from '@/ui/Badge'
import { Card } from '@/ui/layout'
import { type Metric, partLabels, queueLabels, systemMetrics } from '../model'

/** Shows the health of each service, the metrics of the instance, and the lengths of the queues. */
export function HealthSection({ status }: { status: SystemStatus }) {
  const id = useId()
  const now = useNow()
  const parts = Object.entries(status.checks) as [keyof SystemStatus['checks'], 'ok' | 'failing'][]
  const queues = Object.entries(queueLabels) as [
    keyof SystemStatus['queues'],
    (typeof queueLabels)['payouts'],
  ][]
  return (
    <Card as="section" aria-labelledby={id} padding={{ base: '4', md: '5' }}>
      <Box as="h2" id={id} textStyle="title">
        {t`Health`}
      </Box>
      <Box as="ul" listStyleType="none" display="flex" flexWrap="wrap" gap="2.5" columnGap="6" marginTop="4">
        {parts.map(([part, check]) => (
          <Box as="li" key={part} display="flex" alignItems="center" gap="2" textStyle="small">
            {t(partLabels[part])}
            <Badge tone={check === 'ok' ? 'success' : 'danger'}>
              {check === 'ok' ? t`Working` : t`Failing`}
            </Badge>
          </Box>
        ))}
      </Box>
      <MetricList metrics={systemMetrics(status, now)} />
      <Box as="h3" textStyle="label" marginTop="6">
        {t`Waiting`}
      </Box>
      <MetricList
        metrics={queues.map(([queue, label]) => ({
          label: t(label),
          value: formatCount(status.queues[queue]),
          isBad: false,
        }))}
      />
    </Card>
  )
}

function MetricList({ metrics }: { metrics: Metric[] }) {
  return (
    <Box
      as="dl"
      display="grid"
      gridTemplateColumns="repeat(auto-fill, minmax(8.5rem, 1fr))"
      gap="4"
      marginTop="4"
    >
      {metrics.map(({ label, value, isBad }) => (
        <Box key={label}>
          <Box as="dt" textStyle="small" color="muted">
            {label}
          </Box>
          <Box as="dd" fontVariantNumeric="tabular-nums" color={isBad ? 'danger.text' : undefined}>
            {value}
          </Box>
        </Box>
      ))}
    </Box>
  )
}

import { Box } from '@chakra-ui/react'
import type { AnalyticsPeriod } from '@contract/analytics.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNow } from '@/lib/time'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { IconButton } from '@/ui/IconButton'
import { DownloadIcon, InfoIcon, RotateIcon } from '@/ui/icons'
import { SegmentedControl } from '@/ui/SegmentedControl'
import { analyticsKey, overviewQuery, useAnalyticsRequest, useExportAnalytics } from '../api'
import { lastUpdatedText, periods } from '../model'

/** Shows a button that refetches all data of the page. */
export function RefreshButton() {
  const queryClient = useQueryClient()
  const isRefreshing = useIsFetching({ queryKey: analyticsKey }) > 0
  return (
    <IconButton
      label={t`Refresh`}
      // Not `disabled`: a disabled button loses the focus.
      aria-disabled={isRefreshing || undefined}
      aria-busy={isRefreshing || undefined}
      onClick={() => {
        if (!isRefreshing) void queryClient.invalidateQueries({ queryKey: analyticsKey })
      }}
    >
      <RotateIcon />
    </IconButton>
  )
}

/** Shows a button that downloads the period's analytics as a CSV file. On phones, it is an icon button. */
export function ExportButton() {
  const request = useAnalyticsRequest()
  const exportAnalytics = useExportAnalytics()
  const isExporting = useRef(false)
  isExporting.current = exportAnalytics.isPending
  return (
    <Button
      variant="outline"
      size="sm"
      aria-label={t`Export`}
      width={{ base: 'target', md: 'auto' }}
      paddingInline={{ base: '0', md: '4' }}
      borderColor={{ base: 'transparent', md: 'outline' }}
      marginInlineStart={{ md: '2' }}
      aria-disabled={exportAnalytics.isPending || undefined}
      aria-busy={exportAnalytics.isPending || undefined}
      onClick={() => {
        if (!isExporting.current) exportAnalytics.mutate(request)
      }}
    >
      <Box hideFrom="md" fontSize="xl">
        <DownloadIcon />
      </Box>
      <Box hideBelow="md">{t`Export`}</Box>
    </Button>
  )
}

/** Shows a control that selects the period. On phones, it fills the width. */
export function PeriodPicker({
  value,
  onChange,
}: {
  value: AnalyticsPeriod
  onChange: (period: AnalyticsPeriod) => void
}) {
  return (
    <SegmentedControl
      label={t`Period`}
      options={periods.map(([period, label]) => ({ value: period, label: t(label) }))}
      value={value}
      onChange={onChange}
      fillsPhone
    />
  )
}

/**
 * Shows when the data was last updated. On phones, the text is below the heading, and space is reserved for it while
 * the data loads.
 */
export function LastUpdated() {
  const { data } = useQuery(overviewQuery(useAnalyticsRequest()))
  const now = useNow()
  return (
    <Box
      role="status"
      textStyle={{ base: 'caption', md: 'small' }}
      color="muted"
      flexBasis={{ base: '100%', md: 'auto' }}
      minHeight="1lh"
    >
      {data ? lastUpdatedText(data.countedAt, now) : ''}
    </Box>
  )
}

const definitions: [metric: MessageDescriptor, definition: MessageDescriptor][] = [
  [
    msg`Views`,
    msg`A signed-in person had at least half of a post on screen for one second. Each person counts once per post per hour. Your own views don't count.`,
  ],
  [
    msg`Likes, comments and new followers`,
    msg`Counted on the day they happen. If someone undoes one by 2 AM UTC on the next day, it's removed; after that it stays. Your own don't count.`,
  ],
  [msg`Engagement rate`, msg`Likes plus comments per 100 views.`],
  [msg`New subscriptions`, msg`Counted on the day they start. Renewals don't count.`],
  [
    msg`Revenue`,
    msg`Earnings from subscriptions, tips and premium posts, after platform fees. Refunds are deducted on the day they're made.`,
  ],
  [
    msg`Days`,
    msg`Days start and end at midnight UTC. The last one is today, so its numbers are still coming in.`,
  ],
  [
    msg`Comparisons`,
    msg`A number and its comparison cover the same days: the period, which ends with today so far, and the same number of days before it, which charts show in gray.`,
  ],
  [
    msg`Best hours and best days`,
    msg`The average of each hour and weekday over the last 7, 30, 90 or 365 full days. Today isn't included.`,
  ],
  [
    msg`Audience`,
    msg`Based on what your followers say about themselves, updated daily. Groups of fewer than five are hidden, and percentages are of the groups shown.`,
  ],
]

/** Explains the metrics in a dialog. */
export function MetricDefinitions() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton label={t`How is this counted?`} onClick={() => setOpen(true)}>
        <InfoIcon />
      </IconButton>
      <Dialog open={open} onClose={() => setOpen(false)} title={t`How is this counted?`}>
        <Box as="dl" display="grid" gap="3.5" paddingBottom="5">
          {definitions.map(([metric, definition]) => (
            <div key={metric.id}>
              <Box as="dt" textStyle="label">
                {t(metric)}
              </Box>
              <Box as="dd" textStyle="small" color="muted">
                {t(definition)}
              </Box>
            </div>
          ))}
        </Box>
      </Dialog>
    </>
  )
}

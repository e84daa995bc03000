import { Box } from '@chakra-ui/react'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNow } from '@/lib/time'
import { Button } from '@/ui/Button'
import { DayRangeDialog, lastDays } from '@/ui/charts/DayRangeDialog'
import { Dialog } from '@/ui/Dialog'
import { IconButton } from '@/ui/IconButton'
import { CalendarIcon, DownloadIcon, InfoIcon, RotateIcon } from '@/ui/icons'
import { SegmentedControl } from '@/ui/SegmentedControl'
import { analyticsKey, overviewQuery, useAnalyticsRequest, useExportAnalytics } from '../api'
import { insightMinimums } from '../insights'
import { type AnalyticsRange, lastUpdatedText, periods, rangeLength, rangeName } from '../model'

/** Shows a button that refetches all data of the page. */
export function RefreshButton() {
  const queryClient = useQueryClient()
  const isRefreshing = useIsFetching({ queryKey: analyticsKey }) > 0
  return (
    <IconButton
      label={t`Refresh`}
      // Not `disabled`: a disabled button loses focus.
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

/**
 * Shows a control that selects a preset period, or opens a dialog to choose a custom one. On phones, it fills the
 * width, and a custom period is shown below it.
 */
export function PeriodPicker({
  value,
  onChange,
}: {
  value: AnalyticsRange
  onChange: (range: AnalyticsRange) => void
}) {
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const days = 'period' in value ? null : rangeName(value)
  const custom = {
    value: 'custom',
    label: (
      <>
        <Box as="span" hideBelow="md">
          {days ?? t`Custom…`}
        </Box>
        <Box as="span" hideFrom="md" display="inline-flex" verticalAlign="middle" fontSize="lg">
          <CalendarIcon />
        </Box>
      </>
    ),
    name: days ? t`Custom: ${days}` : t`Custom…`,
  } as const
  return (
    <>
      <SegmentedControl
        label={t`Period`}
        options={[...periods.map(([period, label]) => ({ value: period, label: t(label) })), custom]}
        value={'period' in value ? value.period : 'custom'}
        onChange={(selected) => {
          if (selected === 'custom') setIsDialogOpen(true)
          else onChange({ period: selected })
        }}
        fillsPhone
      />
      {days && (
        <Box hideFrom="md" textStyle="small" color="muted" textAlign="center" marginTop="1.5">
          {days}
        </Box>
      )}
      <DayRangeDialog
        open={isDialogOpen}
        onClose={() => setIsDialogOpen(false)}
        initial={'period' in value ? lastDays(rangeLength(value)) : value}
        onSubmit={onChange}
      />
    </>
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

const { bestPostViews, otherPosts, hourViews, hourDays, postsPerKind, likes, followers } = insightMinimums

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
  [msg`Days`, msg`Days start and end at midnight UTC. Today's numbers are still coming in.`],
  [
    msg`Comparisons`,
    msg`A number and its comparison cover the same number of days: the period, including today so far if it ends today, and the days before it, which charts show in gray.`,
  ],
  [
    msg`Best hours and best days`,
    msg`The average of each hour and weekday over the days of the period. Today isn't included; the day before the period takes its place.`,
  ],
  [
    msg`Traffic sources`,
    msg`The first place where each person saw the post in an hour. A day's sources with fewer than five views count as Other, to protect your viewers' privacy. Today and views from before sources were recorded aren't included.`,
  ],
  [
    msg`What stands out`,
    msg`Differences of at least 50% between the numbers on this page. They say nothing about causes. The best post needs ${bestPostViews} views and ${otherPosts} other posts to compare with; the busiest time, ${hourViews} views on at least ${hourDays} days; a type of post, ${postsPerKind} posts of each type and ${likes} likes; new followers, ${followers} in this or the previous period, not counting today. Shown if at least two of these apply.`,
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

import { Box, chakra } from '@chakra-ui/react'
import type { AnalyticsPeriod } from '@contract/analytics.ts'
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNow } from '@/lib/time'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { IconButton } from '@/ui/IconButton'
import { RotateIcon } from '@/ui/icons'
import { analyticsKey, overviewQuery, useAnalyticsRequest, useExportAnalytics } from '../api'
import { lastUpdatedText, periods } from '../model'

/** Refetches all data of the page. */
export function RefreshButton() {
  const queryClient = useQueryClient()
  const isRefreshing = useIsFetching({ queryKey: analyticsKey }) > 0
  return (
    <IconButton
      label="Refresh"
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

/** Downloads the period as a CSV file. */
export function ExportButton() {
  const request = useAnalyticsRequest()
  const exportAnalytics = useExportAnalytics()
  const isExporting = useRef(false)
  isExporting.current = exportAnalytics.isPending
  return (
    <Button
      variant="outline"
      size="sm"
      aria-disabled={exportAnalytics.isPending || undefined}
      aria-busy={exportAnalytics.isPending || undefined}
      onClick={() => {
        if (!isExporting.current) exportAnalytics.mutate(request)
      }}
    >
      Export
    </Button>
  )
}

/** Selects the period. */
export function PeriodPicker({
  value,
  onChange,
}: {
  value: AnalyticsPeriod
  onChange: (period: AnalyticsPeriod) => void
}) {
  return (
    <Box
      role="group"
      aria-label="Period"
      display="inline-flex"
      flexWrap="wrap"
      bg="sunken"
      // Fully round in one row, but not when the buttons wrap.
      borderRadius="1.5rem"
      padding="0.5"
      maxWidth="100%"
    >
      {periods.map(([period, label]) => (
        <PeriodButton
          key={period}
          type="button"
          aria-pressed={period === value}
          onClick={() => onChange(period)}
        >
          {label}
        </PeriodButton>
      ))}
    </Box>
  )
}

const PeriodButton = chakra('button', {
  base: {
    minHeight: '9',
    '@media (pointer: coarse)': { minHeight: 'target' },
    // Shrinks on narrow phones.
    paddingInline: 'clamp({spacing.1}, 2vw, {spacing.3.5})',
    flexGrow: '1',
    borderRadius: 'full',
    textStyle: 'small',
    fontWeight: 'medium',
    whiteSpace: 'nowrap',
    color: 'muted',
    cursor: 'pointer',
    transition: 'background-color {durations.fast}, color {durations.fast}',
    _hover: { color: 'text' },
    '&[aria-pressed=true]': { bg: { _light: 'surface', _dark: 'pressed' }, color: 'text', boxShadow: 'low' },
  },
})

/** Shows when the data was last updated, and a button that explains the metrics. */
export function LastUpdated() {
  const { data } = useQuery(overviewQuery(useAnalyticsRequest()))
  const now = useNow()
  return (
    <Box display="flex" flexWrap="wrap" alignItems="center" columnGap="3" textStyle="small" color="muted">
      <span role="status">{data ? lastUpdatedText(data.countedAt, now) : ''}</span>
      <MetricDefinitions />
    </Box>
  )
}

const definitions = [
  [
    'A view',
    'One of your posts was on the screen of somebody who is signed in, at least half of it, for a second. Each person counts once an hour for each post, and you yourself never.',
  ],
  [
    'Likes, comments and new followers',
    'Counted on the day they were made. What is taken back within two hours of the end of that day is not counted; later, it stays. Your own never count.',
  ],
  ['Engagement rate', 'Likes and comments for each 100 views.'],
  ['New subscriptions', 'Counted on the day they began. Renewals do not count.'],
  [
    'Revenue',
    'What came in from subscriptions, tips and premium posts, after the platform’s share. Refunds are taken off on the day they are made.',
  ],
  [
    'Days',
    'They begin and end at midnight UTC. The last one is today and not over yet; figures include what there is of it.',
  ],
  [
    'Comparisons',
    'Today is left out, as it is not over yet: only the whole days of the period are compared, each with the day that lies 7, 30, 90 or 365 days before it, as the grey line of a chart shows it.',
  ],
  [
    'Best hours and best days',
    'What each hour and weekday has on average, over the last 7, 30, 90 or 365 whole days. Today is left out here as well.',
  ],
  [
    'Audience',
    'Your followers by what they say of themselves, counted once a day. Groups of fewer than five people are left out, and shares are of those in the groups that are shown.',
  ],
] as const

function MetricDefinitions() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="link" size="sm" paddingInline="0" onClick={() => setOpen(true)}>
        How is this counted?
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="How is this counted?">
        <Box as="dl" display="grid" gap="3.5" paddingBottom="5">
          {definitions.map(([metric, definition]) => (
            <div key={metric}>
              <Box as="dt" textStyle="label">
                {metric}
              </Box>
              <Box as="dd" textStyle="small" color="muted">
                {definition}
              </Box>
            </div>
          ))}
        </Box>
      </Dialog>
    </>
  )
}

import { Box } from '@chakra-ui/react'
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useNow } from '@/lib/time'
import { Button } from '@/ui/Button'
import { IconButton } from '@/ui/IconButton'
import { RotateIcon } from '@/ui/icons'
import { analyticsKey, overviewQuery } from '../api'
import { useExportAnalytics } from '../export'
import { lastUpdatedText } from '../model'
import { useAnalyticsRequest } from '../useAnalyticsRequest'
import { MetricDefinitions } from './MetricDefinitions'

/** Reads everything on the screen anew. */
export function RefreshButton() {
  const client = useQueryClient()
  const reading = useIsFetching({ queryKey: analyticsKey }) > 0
  return (
    <IconButton
      label="Refresh"
      // It stays where the focus is while it works.
      aria-disabled={reading || undefined}
      aria-busy={reading || undefined}
      onClick={() => {
        if (!reading) void client.invalidateQueries({ queryKey: analyticsKey })
      }}
    >
      <RotateIcon />
    </IconButton>
  )
}

/** The period as a CSV file. */
export function ExportButton() {
  const asked = useAnalyticsRequest()
  const exported = useExportAnalytics()
  const busy = useRef(false)
  busy.current = exported.isPending
  return (
    <Button
      variant="outline"
      size="sm"
      aria-disabled={exported.isPending || undefined}
      aria-busy={exported.isPending || undefined}
      onClick={() => {
        if (!busy.current) exported.mutate(asked)
      }}
    >
      Export
    </Button>
  )
}

/** As of when the figures are, and what they are. */
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

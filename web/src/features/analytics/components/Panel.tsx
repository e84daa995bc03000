import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { type ReactNode, useId } from 'react'
import { ApiError, errorMessage } from '@/lib/errors'
import { Card } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { ErrorState, InlineError } from '@/ui/states'

/** Shows a card with a heading, a metric, a note about it and further content such as a chart. */
export function Panel({
  title,
  value,
  note,
  action,
  isUpdating = false,
  children,
}: {
  title: string
  value?: ReactNode
  note?: ReactNode
  /** At the end of the heading's line. */
  action?: ReactNode
  /** Whether the data of the previously selected period is shown while the selected period loads. */
  isUpdating?: boolean
  children?: ReactNode
}) {
  const id = useId()
  return (
    <Card
      inset
      as="section"
      aria-labelledby={id}
      aria-busy={isUpdating || undefined}
      padding={{ base: '4', md: '5' }}
      minWidth="0"
    >
      <Box display="flex" justifyContent="space-between" alignItems="baseline" gap="4">
        <Box as="h2" id={id} textStyle="title">
          {title}
        </Box>
        {action}
      </Box>
      <Box opacity={isUpdating ? 0.5 : undefined} transition="opacity {durations.fast}">
        {value !== undefined && (
          <Box textStyle="figure" marginTop="1">
            {value}
          </Box>
        )}
        {note && (
          <Box textStyle="small" color="muted">
            {note}
          </Box>
        )}
        {children && <Box marginTop="4">{children}</Box>}
      </Box>
    </Card>
  )
}

/** Stacks panels vertically. */
export const PanelStack = chakra('div', {
  base: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: '4' },
})

/** Shows two panels side by side on wide screens. */
export const PanelPair = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
    '& > :only-child': { gridColumn: '1 / -1' },
    gap: '4',
  },
})

/** Shows a loading panel. `contentHeight` is the height of the content below the metric. */
export function PanelSkeleton({ label, contentHeight = '16rem' }: { label: string; contentHeight?: string }) {
  return (
    <Card inset padding={{ base: '4', md: '5' }}>
      <Loading label={label}>
        <Skeleton height="4" width="7rem" />
        <Skeleton height="8" width="9rem" marginTop="3" />
        <Skeleton height={contentHeight} marginTop="4" borderRadius="md" />
      </Loading>
    </Card>
  )
}

/** Shows a load error in place of a panel, with a retry button. */
export function PanelError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Card inset>
      <ErrorState
        message={errorMessage(error, t`Couldn't load your analytics. Try again.`)}
        onRetry={onRetry}
      />
    </Card>
  )
}

interface QueryOutcome {
  data: unknown
  error: Error | null
  refetch: () => Promise<unknown>
}

/** Returns the query's error if there is no data to show instead, else null. */
export function errorWithoutData({ data, error }: Pick<QueryOutcome, 'data' | 'error'>): Error | null {
  // A user who lost access must not keep seeing cached data.
  const isForbidden = error instanceof ApiError && error.status === 403
  return data === undefined || isForbidden ? error : null
}

/** Shows one notice, with a retry button, for all queries that failed to refresh but still have older data. */
export function StaleDataNotice({ queries }: { queries: QueryOutcome[] }) {
  const staleQueries = queries.filter((query) => query.error && !errorWithoutData(query))
  if (staleQueries.length === 0) return null
  return (
    <InlineError
      text={t`Couldn't refresh. Showing the last results.`}
      onRetry={() => {
        for (const { refetch } of staleQueries) void refetch()
      }}
    />
  )
}

/** Shows a note below the panels of a tab. */
export const TabNote = chakra('div', {
  base: { textStyle: 'small', color: 'muted' },
})

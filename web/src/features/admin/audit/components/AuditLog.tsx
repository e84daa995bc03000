import { Box } from '@chakra-ui/react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { errorMessage } from '@/lib/api'
import { Button } from '@/ui/Button'
import { LampIllustration } from '@/ui/illustrations'
import { Card } from '@/ui/layout'
import { ShowMoreButton } from '@/ui/ShowMoreButton'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { EmptyState, ErrorState, InlineError } from '@/ui/states'
import { type AuditFilter, auditQuery, useExportAuditLog } from '../api'
import { AuditEntryRow } from './AuditEntryRow'
import { AuditFilters } from './AuditFilters'
import { useAuditFilter } from './useAuditFilter'

/** What admins did, filtered by the address. */
export function AuditLog() {
  const id = useId()
  const { filter, change, clear, isSet } = useAuditFilter()
  const { mutate, isPending } = useExportAuditLog()
  return (
    <Card as="section" aria-labelledby={id} overflow="hidden">
      <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="4" padding={{ base: '4', md: '5' }}>
        <Box display="flex" flexWrap="wrap" alignItems="flex-start" justifyContent="space-between" gap="3">
          <Box flex="1" minWidth="12rem">
            <Box as="h2" id={id} textStyle="title">
              Audit log
            </Box>
            <Box textStyle="small" color="muted" marginTop="0.5">
              What admins did. Nothing here can be changed or taken out.
            </Box>
          </Box>
          <Button
            variant="outline"
            size="sm"
            pending={isPending}
            pendingLabel="Exporting…"
            onClick={() => mutate(filter)}
          >
            Export
          </Button>
        </Box>
        <AuditFilters filter={filter} onChange={change} onClear={isSet ? clear : undefined} />
      </Box>
      <Listed filter={filter} onClear={isSet ? clear : undefined} />
    </Card>
  )
}

function Listed({ filter, onClear }: { filter: AuditFilter; onClear: (() => void) | undefined }) {
  const list = useInfiniteQuery(auditQuery(filter))
  if (list.isPending) return <Waiting />
  if (!list.data)
    return (
      <ErrorState
        message={errorMessage(list.error, 'The log did not load.')}
        onRetry={() => void list.refetch()}
      />
    )
  const entries = list.data.pages.flat()
  if (entries.length === 0) {
    return (
      <EmptyState
        as="h3"
        drawing={<LampIllustration />}
        title={onClear ? 'Nothing fits these filters' : 'Nothing was done yet'}
        text={onClear ? undefined : 'What admins do stands here from the first deed on.'}
        action={
          onClear && (
            <Button variant="outline" onClick={onClear}>
              Clear filters
            </Button>
          )
        }
      />
    )
  }
  return (
    <>
      {list.isRefetchError && !list.isFetchNextPageError && (
        <InlineError text="What is new did not load." onRetry={() => void list.refetch()} />
      )}
      <Box as="ol" listStyleType="none" aria-label="Entries">
        {entries.map((entry) => (
          <AuditEntryRow key={entry.id} entry={entry} />
        ))}
      </Box>
      <ShowMoreButton list={list} />
    </>
  )
}

function Waiting() {
  return (
    <Loading label="Loading the log">
      {['first', 'second', 'third', 'fourth'].map((row) => (
        <Box key={row} padding="5" borderTopWidth="1px">
          <Skeleton height="3.5" width="55%" />
          <Skeleton height="3" width="30%" marginTop="2" />
        </Box>
      ))}
    </Loading>
  )
}

import { Box } from '@chakra-ui/react'
import type { AuditEntry } from '@contract/audit.ts'
import type { UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { errorMessage } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { fullTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import { SearchIllustration } from '@/ui/illustrations'
import { ShowMoreButton } from '@/ui/LoadMore'
import { Card, TextLink } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { EmptyState, ErrorState, RefreshError } from '@/ui/states'
import { UserNameLink } from '../../components/UserNameLink'
import { type AuditFilter, auditQuery, useExportAuditLog } from '../api'
import { auditFacts } from '../model'
import { AuditFilters, useAuditFilter } from './AuditFilters'
import { AuditSentence } from './AuditSentence'

/** Shows the log of admin actions, with the filter from the URL. */
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
              {t`Audit log`}
            </Box>
            <Box textStyle="small" color="muted" marginTop="0.5">
              {t`Every admin action. Entries can't be edited or removed.`}
            </Box>
          </Box>
          <Button
            variant="outline"
            size="sm"
            pending={isPending}
            pendingLabel={t`Exporting…`}
            onClick={() => mutate(filter)}
          >
            {t`Export`}
          </Button>
        </Box>
        <AuditFilters filter={filter} onChange={change} onClear={isSet ? clear : undefined} />
      </Box>
      <AuditEntries filter={filter} onClear={isSet ? clear : undefined} />
    </Card>
  )
}

function AuditEntries({ filter, onClear }: { filter: AuditFilter; onClear: (() => void) | undefined }) {
  const list = useInfiniteQuery(auditQuery(filter))
  if (list.isPending) return <AuditEntriesSkeleton />
  if (!list.data)
    return (
      <ErrorState
        message={errorMessage(list.error, t`Couldn't load the audit log. Try again.`)}
        onRetry={() => void list.refetch()}
      />
    )
  const entries = list.data.pages.flat()
  if (entries.length === 0) {
    return (
      <EmptyState
        as="h3"
        illustration={<SearchIllustration />}
        title={onClear ? t`No matching entries` : t`No admin actions yet`}
        text={onClear ? t`Try other filters.` : t`Everything that admins do will appear here.`}
        action={
          onClear && (
            <Button variant="outline" onClick={onClear}>
              {t`Clear filters`}
            </Button>
          )
        }
      />
    )
  }
  return (
    <>
      <RefreshError query={list} />
      <Box as="ol" listStyleType="none" aria-label={t`Entries`}>
        {entries.map((entry) => (
          <AuditEntryRow key={entry.id} entry={entry} />
        ))}
      </Box>
      <ShowMoreButton list={list} />
    </>
  )
}

function AuditEntriesSkeleton() {
  return (
    <Loading label={t`Loading audit log`}>
      {['first', 'second', 'third', 'fourth'].map((row) => (
        <Box key={row} padding="5" borderTopWidth="1px">
          <Skeleton height="3.5" width="55%" />
          <Skeleton height="3" width="30%" marginTop="2" />
        </Box>
      ))}
    </Loading>
  )
}

/** Shows one admin action as a sentence, with the values it changed. */
function AuditEntryRow({ entry }: { entry: AuditEntry }) {
  const { id, createdAt, actor, target, subject, hash } = entry
  const facts = auditFacts(entry)
  return (
    <Box
      as="li"
      paddingInline={{ base: '4', md: '5' }}
      paddingBlock="3.5"
      borderTopWidth="1px"
      overflowWrap="anywhere"
    >
      <div>
        <AuditSentence
          entry={entry}
          actor={<LogUserName user={actor} />}
          target={<LogUserName user={target} />}
        />
        {entry.action === 'post.create' && subject && (
          <>
            {' · '}
            <TextLink to={paths.post.getHref(subject)}>{t`View post`}</TextLink>
          </>
        )}
      </div>
      {facts.length > 0 && (
        <Box as="dl" textStyle="small" marginTop="1">
          {facts.map(([name, value]) => (
            <div key={name}>
              <Box as="dt" display="inline" color="muted">
                {name}:{' '}
              </Box>
              <Box as="dd" display="inline">
                <bdi>{value}</bdi>
              </Box>
            </div>
          ))}
        </Box>
      )}
      <Box textStyle="caption" color="muted" marginTop="1" fontVariantNumeric="tabular-nums">
        <time dateTime={createdAt}>{fullTime(createdAt)}</time> · <Trans>row {id}</Trans> ·{' '}
        <Box as="code" translate="no" fontFamily="mono" title={hash}>
          {hash.slice(0, 12)}…
        </Box>
      </Box>
    </Box>
  )
}

function LogUserName({ user }: { user: UserCard | null }) {
  return (
    <Box as="span" textStyle="label">
      <UserNameLink user={user} />
    </Box>
  )
}

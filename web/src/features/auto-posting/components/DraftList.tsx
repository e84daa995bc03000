import { Box } from '@chakra-ui/react'
import type { AutoDraft } from '@contract/auto-posting.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useId, useRef } from 'react'
import { Badge } from '@/ui/Badge'
import { StageIllustration } from '@/ui/illustrations'
import { Card } from '@/ui/layout'
import { ShowMoreButton } from '@/ui/ShowMoreButton'
import { Loading, Skeleton, SkeletonText } from '@/ui/Skeleton'
import { EmptyState, ErrorState, InlineError } from '@/ui/states'
import { draftsQuery } from '../api'
import { DecidedDraftRow } from './DecidedDraftRow'
import { DraftCard } from './DraftCard'

/** What was written for oneself to look at first: what waits, and what became of the others. */
export function DraftList({ userId }: { userId: string }) {
  const list = useInfiniteQuery(draftsQuery)
  const heading = useRef<HTMLHeadingElement>(null)
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const waiting = items.filter(({ state }) => state === 'waiting')
  const earlier = items.filter(({ state }) => state !== 'waiting')
  return (
    <>
      <Group title="Drafts waiting for you" count={waiting.length} heading={heading}>
        {list.isPending && <Waiting />}
        {!list.isPending && !list.data && (
          <ErrorState message="The drafts did not load." onRetry={() => void list.refetch()} />
        )}
        {list.data && list.isRefetchError && !list.isFetchNextPageError && (
          <InlineError text="What is new did not load." onRetry={() => void list.refetch()} />
        )}
        {list.data && waiting.length === 0 && (
          <EmptyState
            as="h3"
            drawing={<StageIllustration />}
            title="No draft waits"
            text="Where you ask to see each post first, what was written for you waits here for three days."
          />
        )}
        <Box as="ul" listStyleType="none" _empty={{ display: 'none' }}>
          {waiting.map((draft) => (
            <DraftCard
              key={draft.id}
              draft={draft}
              userId={userId}
              // Its buttons are gone.
              onSettled={() => setTimeout(() => heading.current?.focus())}
            />
          ))}
        </Box>
        {earlier.length === 0 && <ShowMoreButton list={list} />}
      </Group>
      {earlier.length > 0 && <Earlier drafts={earlier} more={<ShowMoreButton list={list} />} />}
    </>
  )
}

function Earlier({ drafts, more }: { drafts: AutoDraft[]; more: ReactNode }) {
  return (
    <Group title="Earlier drafts">
      <Box as="ul" listStyleType="none">
        {drafts.map((draft) => (
          <DecidedDraftRow key={draft.id} draft={draft} />
        ))}
      </Box>
      {more}
    </Group>
  )
}

function Group({
  title,
  count = 0,
  heading,
  children,
}: {
  title: string
  count?: number
  heading?: RefObject<HTMLHeadingElement | null>
  children: ReactNode
}) {
  const id = useId()
  return (
    <Card as="section" aria-labelledby={id} overflow="hidden">
      <Box display="flex" alignItems="center" gap="2.5" padding={{ base: '4', md: '5' }}>
        <Box as="h2" id={id} ref={heading} tabIndex={heading && -1} textStyle="title">
          {title}
        </Box>
        {count > 0 && <Badge tone="ember">{count}</Badge>}
      </Box>
      {children}
    </Card>
  )
}

function Waiting() {
  return (
    <Loading label="Loading the drafts" padding={{ base: '4', md: '5' }} borderTopWidth="1px">
      <SkeletonText lines={3} />
      <Skeleton height="9" width="14rem" marginTop="5" borderRadius="full" />
    </Loading>
  )
}

import { Box } from '@chakra-ui/react'
import type { AutoDraft } from '@contract/auto-posting.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useId, useRef } from 'react'
import { paths } from '@/lib/paths'
import { fullTime, timeAgo, useNow } from '@/lib/time'
import { Badge } from '@/ui/Badge'
import { StageIllustration } from '@/ui/illustrations'
import { ShowMoreButton } from '@/ui/LoadMore'
import { Card, TextLink } from '@/ui/layout'
import { Loading, Skeleton, SkeletonText } from '@/ui/Skeleton'
import { EmptyState, ErrorState, InlineError } from '@/ui/states'
import { userTextParagraphs } from '@/ui/UserText'
import { draftsQuery } from '../api'
import { DraftCard } from './DraftCard'

/** Shows the drafts that await the creator's decision, and those that are decided or have expired. */
export function DraftList({ userId }: { userId: string }) {
  const list = useInfiniteQuery(draftsQuery)
  const heading = useRef<HTMLHeadingElement>(null)
  const drafts = list.data?.pages.flatMap((page) => page.items) ?? []
  const waitingDrafts = drafts.filter(({ state }) => state === 'waiting')
  const earlierDrafts = drafts.filter(({ state }) => state !== 'waiting')
  return (
    <>
      <DraftSection title="Drafts waiting for you" count={waitingDrafts.length} headingRef={heading}>
        {list.isPending && <DraftSkeleton />}
        {!list.isPending && !list.data && (
          <ErrorState message="The drafts did not load." onRetry={() => void list.refetch()} />
        )}
        {list.data && list.isRefetchError && !list.isFetchNextPageError && (
          <InlineError text="What is new did not load." onRetry={() => void list.refetch()} />
        )}
        {list.data && waitingDrafts.length === 0 && (
          <EmptyState
            as="h3"
            illustration={<StageIllustration />}
            title="No draft waits"
            text="Where you ask to see each post first, what was written for you waits here for three days."
          />
        )}
        <Box as="ul" listStyleType="none" _empty={{ display: 'none' }}>
          {waitingDrafts.map((draft) => (
            <DraftCard
              key={draft.id}
              draft={draft}
              userId={userId}
              // The card with the focused button is removed.
              onDecided={() => setTimeout(() => heading.current?.focus())}
            />
          ))}
        </Box>
        {earlierDrafts.length === 0 && <ShowMoreButton list={list} />}
      </DraftSection>
      {earlierDrafts.length > 0 && (
        <DraftSection title="Earlier drafts">
          <Box as="ul" listStyleType="none">
            {earlierDrafts.map((draft) => (
              <EarlierDraftRow key={draft.id} draft={draft} />
            ))}
          </Box>
          <ShowMoreButton list={list} />
        </DraftSection>
      )}
    </>
  )
}

function DraftSection({
  title,
  count = 0,
  headingRef,
  children,
}: {
  title: string
  count?: number
  headingRef?: RefObject<HTMLHeadingElement | null>
  children: ReactNode
}) {
  const headingId = useId()
  return (
    <Card as="section" aria-labelledby={headingId} overflow="hidden">
      <Box display="flex" alignItems="center" gap="2.5" padding={{ base: '4', md: '5' }}>
        <Box as="h2" id={headingId} ref={headingRef} tabIndex={headingRef && -1} textStyle="title">
          {title}
        </Box>
        {count > 0 && <Badge tone="ember">{count}</Badge>}
      </Box>
      {children}
    </Card>
  )
}

const stateBadges = {
  waiting: { name: 'Waiting', tone: 'gold' },
  published: { name: 'Published', tone: 'success' },
  discarded: { name: 'Discarded', tone: 'neutral' },
  expired: { name: 'Expired', tone: 'neutral' },
} as const

function EarlierDraftRow({ draft: { id, content, state, decidedAt, createdAt } }: { draft: AutoDraft }) {
  const now = useNow()
  const timestamp = decidedAt ?? createdAt
  const { name, tone } = stateBadges[state]
  return (
    <Box as="li" paddingInline={{ base: '4', md: '5' }} paddingBlock="4" borderTopWidth="1px">
      <Box display="flex" alignItems="center" gap="2" textStyle="small" color="muted">
        <Badge tone={tone}>{name}</Badge>
        <time dateTime={timestamp} title={fullTime(timestamp)}>
          {timeAgo(timestamp, now)}
        </time>
        {/* The post has the same id as its draft. */}
        {state === 'published' && <TextLink to={paths.post.getHref(id)}>View post</TextLink>}
      </Box>
      <Box
        textStyle="small"
        color="muted"
        marginTop="1.5"
        lineClamp="3"
        overflowWrap="anywhere"
        {...userTextParagraphs}
      >
        {content}
      </Box>
    </Box>
  )
}

function DraftSkeleton() {
  return (
    <Loading label="Loading the drafts" padding={{ base: '4', md: '5' }} borderTopWidth="1px">
      <SkeletonText lines={3} />
      <Skeleton height="9" width="14rem" marginTop="5" borderRadius="full" />
    </Loading>
  )
}

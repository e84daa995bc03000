import { Box } from '@chakra-ui/react'
import type { AutoDraft } from '@contract/auto-posting.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { formatCount } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Badge } from '@/ui/Badge'
import { StageIllustration } from '@/ui/illustrations'
import { ShowMoreButton } from '@/ui/LoadMore'
import { Card, TextLink } from '@/ui/layout'
import { Loading, Skeleton, SkeletonText } from '@/ui/Skeleton'
import { EmptyState, ErrorState, RefreshError } from '@/ui/states'
import { TimeAgo } from '@/ui/TimeAgo'
import { userTextParagraphs } from '@/ui/UserText'
import { draftsQuery } from '../api'
import { DraftCard } from './DraftCard'

/** Shows the drafts that await the creator's decision, followed by published, discarded and expired drafts. */
export function DraftList({ userId }: { userId: string }) {
  const list = useInfiniteQuery(draftsQuery)
  const drafts = list.data?.pages.flatMap((page) => page.items) ?? []
  const waitingDrafts = drafts.filter(({ state }) => state === 'waiting')
  const earlierDrafts = drafts.filter(({ state }) => state !== 'waiting')
  return (
    <>
      <DraftSection title={t`Drafts to review`} count={waitingDrafts.length}>
        {list.isPending && <DraftSkeleton />}
        {!list.isPending && !list.data && (
          <ErrorState message={t`Couldn't load drafts. Try again.`} onRetry={() => void list.refetch()} />
        )}
        <RefreshError query={list} />
        {list.data && waitingDrafts.length === 0 && (
          <EmptyState
            as="h3"
            illustration={<StageIllustration />}
            title={t`No drafts to review`}
            text={t`If you review posts first, drafts wait here for three days.`}
          />
        )}
        <Box as="ul" listStyleType="none" _empty={{ display: 'none' }}>
          {waitingDrafts.map((draft) => (
            <DraftCard key={draft.id} draft={draft} userId={userId} />
          ))}
        </Box>
        {earlierDrafts.length === 0 && <ShowMoreButton list={list} />}
      </DraftSection>
      {earlierDrafts.length > 0 && (
        <DraftSection title={t`Earlier drafts`}>
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
  children,
}: {
  title: string
  count?: number
  children: ReactNode
}) {
  const headingId = useId()
  return (
    <Card as="section" aria-labelledby={headingId} overflow="hidden">
      <Box display="flex" alignItems="center" gap="2.5" padding={{ base: '4', md: '5' }}>
        <Box as="h2" id={headingId} textStyle="title">
          {title}
        </Box>
        {count > 0 && <Badge tone="ember">{formatCount(count)}</Badge>}
      </Box>
      {children}
    </Card>
  )
}

const stateBadges: Record<
  AutoDraft['state'],
  { label: MessageDescriptor; tone: 'gold' | 'success' | 'neutral' }
> = {
  waiting: { label: msg({ message: 'Waiting', context: 'draft' }), tone: 'gold' },
  published: { label: msg({ message: 'Published', context: 'draft' }), tone: 'success' },
  discarded: { label: msg({ message: 'Discarded', context: 'draft' }), tone: 'neutral' },
  expired: { label: msg({ message: 'Expired', context: 'draft' }), tone: 'neutral' },
}

function EarlierDraftRow({ draft: { id, content, state, decidedAt, createdAt } }: { draft: AutoDraft }) {
  const { label, tone } = stateBadges[state]
  return (
    <Box as="li" paddingInline={{ base: '4', md: '5' }} paddingBlock="4" borderTopWidth="1px">
      <Box display="flex" alignItems="center" gap="2" textStyle="small" color="muted">
        <Badge tone={tone}>{t(label)}</Badge>
        <TimeAgo at={decidedAt ?? createdAt} />
        {/* The post has the same id as its draft. */}
        {state === 'published' && <TextLink to={paths.post.getHref(id)}>{t`View post`}</TextLink>}
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
    <Loading label={t`Loading drafts`} padding={{ base: '4', md: '5' }} borderTopWidth="1px">
      <SkeletonText lines={3} />
      <Skeleton height="9" width="14rem" marginTop="5" borderRadius="full" />
    </Loading>
  )
}

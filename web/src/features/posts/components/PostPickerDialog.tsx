import { Box, chakra } from '@chakra-ui/react'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import type { Post } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { uniqueItems } from '@/lib/query-cache'
import { useCurrentUser } from '@/session/session'
import { Dialog } from '@/ui/Dialog'
import { Input } from '@/ui/Field'
import { FilterChips } from '@/ui/FilterChips'
import { PlayIcon } from '@/ui/icons'
import { LoadMore } from '@/ui/LoadMore'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { EmptyState, ErrorState } from '@/ui/states'
import { PostTime } from '@/ui/TimeAgo'
import { userTextLine } from '@/ui/UserText'
import { useDebounced } from '@/ui/useDebounced'
import { filteredPostsQuery, type PostFilter } from '../api/posts'
import { contentSummary } from '../model'
import { PremiumPrice } from './LinkedPostCard'

/** Lets the current user choose one of their posts. For creators, the list initially shows only premium posts. */
export default function PostPickerDialog({
  open,
  onClose,
  onChoose,
  finalFocus,
}: {
  open: boolean
  onClose: () => void
  onChoose: (postId: string) => void
  /** Returns the element to focus when the dialog closes. */
  finalFocus: () => HTMLElement | null
}) {
  const { user } = useCurrentUser()
  if (!user) return null
  return (
    <Dialog open={open} onClose={onClose} title={t`Choose a post`} finalFocus={finalFocus}>
      <PostPicker userId={user.id} isCreator={user.isCreator} onChoose={onChoose} />
    </Dialog>
  )
}

function PostPicker({
  userId,
  isCreator,
  onChoose,
}: {
  userId: string
  isCreator: boolean
  onChoose: (postId: string) => void
}) {
  const [kind, setKind] = useState<'premium' | 'all'>(isCreator ? 'premium' : 'all')
  const [term, setTerm] = useState('')
  const q = useDebounced(term.trim(), intervals.searchDebounceMs)
  return (
    // The height stays the same while the list changes.
    <Box display="flex" flexDirection="column" height="30rem" maxHeight="100%" marginBottom="-2">
      <Input
        type="search"
        aria-label={t`Search posts`}
        placeholder={t`Search posts`}
        autoComplete="off"
        enterKeyHint="search"
        maxLength={limits.searchQuery.max}
        value={term}
        onChange={(event) => setTerm(event.target.value)}
      />
      {isCreator && (
        <Box marginTop="3">
          <FilterChips
            label={t`Filter posts`}
            options={[
              { value: 'premium', label: t`Premium` },
              { value: 'all', label: t`All` },
            ]}
            value={kind}
            onChange={setKind}
          />
        </Box>
      )}
      <Box flex="1" minHeight="0" overflowY="auto" marginTop="3" marginInline="-6" paddingInline="3">
        <Posts
          userId={userId}
          filter={{ kind: kind === 'premium' ? kind : undefined, q }}
          onChoose={onChoose}
        />
      </Box>
    </Box>
  )
}

function Posts({
  userId,
  filter,
  onChoose,
}: {
  userId: string
  filter: PostFilter
  onChoose: (postId: string) => void
}) {
  const list = useInfiniteQuery(filteredPostsQuery(userId, filter))
  const posts = list.data && uniqueItems(list.data.pages)
  if (!posts) {
    if (list.isPending) return <PostsSkeleton />
    return (
      <ErrorState message={t`Couldn't load your posts. Try again.`} onRetry={() => void list.refetch()} />
    )
  }
  if (posts.length === 0) {
    const title = filter.q ? t`No posts found` : filter.kind ? t`No premium posts yet` : t`No posts yet`
    return (
      <div role="status">
        <EmptyState as="h3" title={title} />
      </div>
    )
  }
  return (
    <>
      <Box as="ul" listStyleType="none">
        {posts.map((post) => (
          <li key={post.id}>
            <PostRow type="button" onClick={() => onChoose(post.id)}>
              <PostSummary post={post} />
            </PostRow>
          </li>
        ))}
      </Box>
      <LoadMore list={list} label={t`Show more posts`} failedLabel={t`Couldn't load more posts. Try again`} />
    </>
  )
}

function PostSummary({ post }: { post: Post }) {
  const { imageUrl, posterUrl, mediaType } = post
  const picture = imageUrl ?? posterUrl
  const text = post.teaser || post.content || post.product?.name || post.altText || contentSummary(post)
  return (
    <>
      {mediaType && (
        <Thumbnail>
          {picture ? <Picture src={picture} alt="" loading="lazy" decoding="async" /> : <PlayIcon />}
        </Thumbnail>
      )}
      <Box as="span" flex="1" minWidth="0">
        <Box as="span" display="block" lineClamp="2" overflowWrap="anywhere" {...userTextLine}>
          {text}
        </Box>
        <Box as="span" display="flex" alignItems="center" gap="1.5" textStyle="small" color="muted">
          {post.isPremium && (
            <>
              <PremiumPrice post={post} />
              <span aria-hidden>·</span>
            </>
          )}
          <PostTime at={post.createdAt} />
        </Box>
      </Box>
    </>
  )
}

const PostRow = chakra('button', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    width: '100%',
    minHeight: '14',
    paddingInline: '3',
    paddingBlock: '2',
    borderRadius: 'md',
    textAlign: 'start',
    cursor: 'pointer',
    _hover: { bg: 'hover' },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

const Thumbnail = chakra('span', {
  base: {
    display: 'grid',
    placeItems: 'center',
    flexShrink: '0',
    boxSize: '14',
    overflow: 'hidden',
    borderRadius: 'sm',
    bg: 'sunken',
    color: 'muted',
  },
})

const Picture = chakra('img', { base: { width: '100%', height: '100%', objectFit: 'cover' } })

function PostsSkeleton() {
  return (
    <Loading label={t`Loading posts`}>
      {['80%', '55%', '70%', '60%'].map((width) => (
        <Box key={width} display="flex" gap="3" alignItems="center" padding="3">
          <Skeleton height="14" width="14" flexShrink="0" />
          <Box flex="1">
            <Skeleton height="3.5" width={width} />
            <Skeleton height="3" width="30%" marginTop="2" />
          </Box>
        </Box>
      ))}
    </Loading>
  )
}

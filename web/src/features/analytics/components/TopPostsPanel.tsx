import { Box, chakra } from '@chakra-ui/react'
import type { TopPost } from '@contract/analytics.ts'
import { plural, t } from '@lingui/core/macro'
import { Plural } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import { dateFormat } from '@/lib/format'
import { paths } from '@/lib/paths'
import { LockIcon, VideoIcon } from '@/ui/icons'
import { StageIllustration } from '@/ui/illustrations'
import { Card } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { topPostsQuery, useAnalyticsRequest } from '../api'
import { rangeLength, rangeName } from '../model'
import { errorWithoutData, Panel, PanelError, PanelSkeleton } from './Panel'

/** Shows the posts with the most views in the period: at most `limit`, or all that the server returns. */
export function TopPostsPanel({ limit, action }: { limit?: number; action?: ReactNode }) {
  const request = useAnalyticsRequest()
  const { data: posts, error, isPlaceholderData: isUpdating, refetch } = useQuery(topPostsQuery(request))
  const loadError = errorWithoutData({ data: posts, error })
  if (loadError) return <PanelError error={loadError} onRetry={() => void refetch()} />
  if (!posts) return <PanelSkeleton label={t`Loading your best posts`} />
  const { range } = request
  const days = rangeLength(range)
  const isPeriod = 'period' in range
  const name = rangeName(range)
  // The posts are sorted by views.
  const mostViews = Math.max(1, posts[0]?.viewCount ?? 0)
  if (posts.length === 0 && !isUpdating) {
    return (
      <Card inset>
        <EmptyState
          illustration={<StageIllustration />}
          title={isPeriod ? t`No views yet` : t`No views`}
          text={
            isPeriod
              ? plural(days, {
                  365: 'Nobody saw your posts in the last year.',
                  other: 'Nobody saw your posts in the last # days.',
                })
              : t`Nobody saw your posts on these days.`
          }
        />
      </Card>
    )
  }
  return (
    <Panel
      title={t`Best posts`}
      note={
        isPeriod
          ? plural(days, { 365: 'Most views in the last year', other: 'Most views in the last # days' })
          : t`Most views, ${name}`
      }
      action={action}
      isUpdating={isUpdating}
    >
      <Box as="ol" display="grid" gap="4">
        {posts.slice(0, limit).map((post, index) => (
          <TopPostRow
            key={post.id}
            post={post}
            rank={index + 1}
            share={post.viewCount / mostViews}
            isShort={limit !== undefined}
          />
        ))}
      </Box>
    </Panel>
  )
}

/** @param share the post's views as a fraction of the best post's views */
function TopPostRow({
  post,
  rank,
  share,
  isShort,
}: {
  post: TopPost
  rank: number
  share: number
  isShort: boolean
}) {
  const { viewCount, likeCount, commentCount } = post
  return (
    <Box
      as="li"
      position="relative"
      display="flex"
      gap={{ base: '2', md: '3' }}
      minWidth="0"
      fontVariantNumeric="tabular-nums"
    >
      {/* Screen readers announce the position of each list item anyway. */}
      <Box aria-hidden width="5" flexShrink={0} color="muted">
        {rank}
      </Box>
      <Thumbnail post={post} />
      <Box flex="1" minWidth="0" display="flex" flexDirection="column">
        <PostLink to={paths.post.getHref(post.id)} lineClamp={{ base: 2, md: isShort ? 1 : 2 }}>
          {post.content.trim() || t`Photo or video post`}
        </PostLink>
        <Box display="flex" flexWrap="wrap" columnGap="3" textStyle="small" color="muted" marginTop="0.5">
          {post.isPremium && (
            <Box
              as="span"
              display="inline-flex"
              alignItems="center"
              gap="1"
              color="gold.text"
              fontWeight="medium"
            >
              <LockIcon /> {t`Premium`}
            </Box>
          )}
          <span>{dateFormat({ dateStyle: 'medium' }).format(new Date(post.createdAt))}</span>
          {likeCount > 0 && (
            <span>
              <Plural value={likeCount} one="# like" other="# likes" />
            </span>
          )}
          {commentCount > 0 && (
            <span>
              <Plural value={commentCount} one="# comment" other="# comments" />
            </span>
          )}
        </Box>
        <Box display="flex" alignItems="center" gap="3" marginTop="auto" paddingTop="1.5" textStyle="small">
          <Box flex="1" bg="pressed" borderRadius="full">
            <Box height="1.5" bg="ember.ring" borderRadius="full" style={{ width: `${100 * share}%` }} />
          </Box>
          <Box as="span" fontWeight="semibold" minWidth="5.5rem" textAlign="end" whiteSpace="nowrap">
            <Plural value={viewCount} one="# view" other="# views" />
          </Box>
        </Box>
      </Box>
    </Box>
  )
}

/** Shows the image of a post or, if it has none, an icon that represents text. A symbol marks videos. */
function Thumbnail({ post: { imageUrl, placeholder, mediaType } }: { post: TopPost }) {
  const [isLoaded, setIsLoaded] = useState(false)
  return (
    <ThumbnailTile
      aria-hidden
      // The placeholder is removed once the image has loaded, because a transparent image would reveal it.
      style={placeholder && !isLoaded ? { background: `center / cover url(${placeholder})` } : undefined}
    >
      {imageUrl ? (
        <chakra.img
          src={imageUrl}
          alt=""
          loading="lazy"
          decoding="async"
          boxSize="full"
          objectFit="cover"
          onLoad={() => setIsLoaded(true)}
        />
      ) : (
        <chakra.svg
          viewBox="0 0 24 24"
          boxSize="6"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.75"
          strokeLinecap="round"
        >
          <path d="M5 7h14M5 12h14M5 17h8" />
        </chakra.svg>
      )}
      {mediaType === 'video' && (
        <MediaMark>
          <VideoIcon />
        </MediaMark>
      )}
    </ThumbnailTile>
  )
}

const ThumbnailTile = chakra('div', {
  base: {
    position: 'relative',
    width: { base: '4.5rem', md: '6rem' },
    height: { base: '3.375rem', md: '4.5rem' },
    flexShrink: 0,
    display: 'grid',
    placeItems: 'center',
    borderRadius: 'sm',
    overflow: 'hidden',
    bg: 'sunken',
    color: 'muted',
  },
})

const MediaMark = chakra('span', {
  base: {
    position: 'absolute',
    bottom: '1',
    insetInlineEnd: '1',
    display: 'grid',
    placeItems: 'center',
    boxSize: '5',
    borderRadius: 'xs',
    bg: 'stage.bg/80',
    color: 'stage.text',
    fontSize: 'sm',
  },
})

/** The click area fills the row. */
const PostLink = chakra(Link, {
  base: {
    overflowWrap: 'anywhere',
    _hover: { textDecoration: 'underline', textUnderlineOffset: '0.2em' },
    _after: { content: '""', position: 'absolute', inset: '-2', borderRadius: 'md' },
    _focusVisible: {
      outline: 'none',
      _after: { outline: '2px solid', outlineColor: 'focus', outlineOffset: '-2px' },
    },
  },
})

import { Box, chakra } from '@chakra-ui/react'
import { excerpt } from '@contract/excerpt.ts'
import type { Post } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { dollars, formatDuration } from '@/lib/format'
import { paths } from '@/lib/paths'
import { LockCircle } from '@/ui/LockCircle'
import { lineTarget, TextLink } from '@/ui/layout'
import { userPostsQuery } from '../api/posts'
import { contentSummary, unlockPrice } from '../model'

const maxThumbnails = 4
const maxTeaserLength = 120

/**
 * Links to the newest locked posts that a subscription to the creator includes, each with its blurred placeholder and a
 * caption that says what it contains. A single post takes the full width, with the start of its teaser and its own
 * price below. Uses the cached list of the creator's posts and sends no request. Shows nothing if there are no locked
 * posts.
 */
export function LockedThumbnails({ userId }: { userId: string }) {
  const shown = useCachedPosts(userId)
    .filter(({ locked, includedInSubscription }) => locked && includedInSubscription)
    .slice(0, maxThumbnails)
  const [first] = shown
  if (!first) return null
  const isSingle = shown.length === 1
  const teaser = isSingle && first.teaser && excerpt(first.teaser, maxTeaserLength)
  const price = dollars(unlockPrice(first))
  return (
    <Box
      as="ul"
      listStyleType="none"
      display="grid"
      // Three posts: a large one above two small ones.
      gridTemplateColumns={isSingle ? 'minmax(0, 1fr)' : 'repeat(2, minmax(0, 1fr))'}
      css={shown.length === 3 ? { '& > :first-child': { gridColumn: '1 / -1' } } : undefined}
      gap="2"
      marginTop="3"
    >
      {shown.map((post) => (
        <li key={post.id}>
          <LockedThumbnail post={post} wide={isSingle || (shown.length === 3 && post === first)} />
          {teaser && (
            <Box aria-hidden textStyle="small" marginTop="2" lineClamp="2" overflowWrap="anywhere">
              <bdi>{teaser}</bdi>
            </Box>
          )}
          {isSingle && !first.paymentPending && (
            <Box textStyle="small" marginTop="2">
              <TextLink
                to={paths.post.getHref(post.id)}
                underlined
                color="muted"
                fontWeight="normal"
                {...lineTarget}
              >
                {t`or unlock this post for ${price}`}
              </TextLink>
            </Box>
          )}
        </li>
      ))}
    </Box>
  )
}

/**
 * Shows the blurred placeholders of up to three of a creator's locked posts as small squares in a row. Uses the cached
 * list of the creator's posts and sends no request.
 */
export function LockedStrip({ userId }: { userId: string }) {
  const shown = useCachedPosts(userId)
    .filter(({ locked, placeholder }) => locked && placeholder)
    .slice(0, 3)
  return shown.map(({ id, placeholder }) => (
    <Box
      key={id}
      as="span"
      position="relative"
      isolation="isolate"
      overflow="hidden"
      boxSize="7"
      borderRadius="xs"
      bg="sunken"
    >
      <Placeholder src={placeholder ?? undefined} alt="" decoding="async" />
    </Box>
  ))
}

function useCachedPosts(userId: string): Post[] {
  const { data } = useInfiniteQuery({ ...userPostsQuery(userId), enabled: false })
  return (data?.pages ?? []).flatMap(({ items }) => items)
}

function LockedThumbnail({ post, wide }: { post: Post; wide: boolean }) {
  const { placeholder } = post
  const summary = contentSummary(post) || t`Premium post`
  return (
    <ThumbnailLink
      to={paths.post.getHref(post.id)}
      aria-label={t`Locked post: ${summary}`}
      title={summary}
      aspectRatio={wide ? '16 / 9' : '4 / 3'}
    >
      {placeholder && <Placeholder src={placeholder} alt="" decoding="async" />}
      <LockCircle />
      <Caption>{shortSummary(post)}</Caption>
    </ThumbnailLink>
  )
}

/** Returns, in one or two words, what the post contains, such as 'Photo' or 'Video 2:05'. */
function shortSummary({ mediaType, mediaDuration }: Post): string {
  if (mediaType === 'image') return t`Photo`
  if (mediaType === null) return t`Text`
  const duration = mediaDuration === null ? '' : formatDuration(mediaDuration)
  return duration ? t`Video ${duration}` : t`Video`
}

const ThumbnailLink = chakra(Link, {
  base: {
    position: 'relative',
    isolation: 'isolate',
    overflow: 'hidden',
    display: 'grid',
    placeItems: 'center',
    borderRadius: 'md',
    borderWidth: '1px',
    bg: 'sunken',
    _hover: { borderColor: 'outline' },
  },
})

/** A label in a lower corner of a thumbnail. */
const Caption = chakra('span', {
  base: {
    position: 'absolute',
    insetInlineStart: '1.5',
    bottom: '1.5',
    maxWidth: 'calc(100% - {spacing.3})',
    paddingInline: '1.5',
    borderRadius: 'xs',
    bg: 'surface',
    color: 'text',
    textStyle: 'caption',
    truncate: true,
  },
})

/** Covers its frame with a tiny, blurred image. */
export const Placeholder = chakra('img', {
  base: {
    position: 'absolute',
    inset: '0',
    width: '100%',
    height: '100%',
    objectFit: 'cover',
    filter: 'blur(0.5rem) saturate(1.4)',
    // Moves the edges, where the blur is transparent, out of the frame.
    transform: 'scale(1.2)',
  },
})

import { Box, chakra } from '@chakra-ui/react'
import { excerpt } from '@contract/excerpt.ts'
import type { Post } from '@contract/post.ts'
import { plural, t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { compactNumber, dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { HeartIcon } from '@/ui/icons'
import { LockCircle } from '@/ui/LockCircle'
import { userPostsQuery } from '../api/posts'
import { contentSummary, mediaSummary, unlockPrice } from '../model'

const maxThumbnails = 4
const maxTeaserLength = 120

/**
 * Links to the newest locked posts that a subscription to the creator includes, each with its blurred placeholder and a
 * caption that says what it contains and how many likes it has. A single post takes the full width, with the start of
 * its teaser and a button with its own price below. Uses the cached list of the creator's posts and sends no request.
 * Shows nothing if there are no locked posts.
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
            <ButtonLink
              to={paths.post.getHref(post.id)}
              variant="outline"
              size="sm"
              width="100%"
              marginTop="3"
              css={{ '@media (pointer: fine)': { minHeight: '10' } }}
            >
              {t`Unlock for ${price}`}
            </ButtonLink>
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
  const { placeholder, likesCount } = post
  const summary = contentSummary(post) || t`Premium post`
  const likes = likesCount > 0 ? `, ${plural(likesCount, { one: '# like', other: '# likes' })}` : ''
  return (
    <ThumbnailLink
      to={paths.post.getHref(post.id)}
      aria-label={t`Locked post: ${summary}` + likes}
      title={summary}
      aspectRatio={wide ? '16 / 9' : '4 / 3'}
    >
      {placeholder && <Placeholder src={placeholder} alt="" decoding="async" />}
      <LockCircle />
      <Caption>
        <Box as="span" truncate>
          {mediaSummary(post) || t`Text`}
        </Box>
        {likesCount > 0 && (
          <Box as="span" display="flex" alignItems="center" gap="1" flexShrink="0">
            · <HeartIcon /> {compactNumber(likesCount)}
          </Box>
        )}
      </Caption>
    </ThumbnailLink>
  )
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
    display: 'flex',
    gap: '1',
    fontVariantNumeric: 'tabular-nums',
    paddingInline: '1.5',
    borderRadius: 'xs',
    bg: 'surface',
    color: 'text',
    textStyle: 'caption',
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

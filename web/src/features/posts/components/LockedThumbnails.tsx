import { Box, chakra } from '@chakra-ui/react'
import { excerpt } from '@contract/excerpt.ts'
import type { Post } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { formatDuration } from '@/lib/format'
import { paths } from '@/lib/paths'
import { LockIcon } from '@/ui/icons'
import { userPostsQuery } from '../api/posts'
import { contentSummary } from '../model'

const maxThumbnails = 4

/**
 * Links to the newest locked posts that a subscription to the creator includes, each with its blurred placeholder and
 * what it contains, and fills up the row with pictures of the creator's free posts. Uses the cached list of the
 * creator's posts and sends no request. Shows nothing if there are no locked posts.
 */
export function LockedThumbnails({ userId }: { userId: string }) {
  const { data } = useInfiniteQuery({ ...userPostsQuery(userId), enabled: false })
  const posts = (data?.pages ?? []).flatMap(({ items }) => items)
  const lockedPosts = posts.filter(({ locked, includedInSubscription }) => locked && includedInSubscription)
  if (lockedPosts.length === 0) return null
  const samples = posts.filter((post) => !post.isPremium && sampleUrl(post))
  const shown = [...lockedPosts, ...samples].slice(0, maxThumbnails)
  return (
    <Box
      as="ul"
      listStyleType="none"
      display="grid"
      gridTemplateColumns={`repeat(${shown.length === maxThumbnails ? 2 : shown.length}, minmax(0, 1fr))`}
      gap="2"
      marginTop="3"
    >
      {shown.map((post) => (
        <li key={post.id}>
          {post.locked ? <LockedThumbnail post={post} /> : <SampleThumbnail post={post} />}
        </li>
      ))}
    </Box>
  )
}

function LockedThumbnail({ post }: { post: Post }) {
  const { placeholder } = post
  const summary = contentSummary(post) || t`Premium post`
  return (
    <ThumbnailLink to={paths.post.getHref(post.id)} aria-label={t`Locked post: ${summary}`} title={summary}>
      {placeholder && <Placeholder src={placeholder} alt="" decoding="async" />}
      <LockCircle>
        <LockIcon />
      </LockCircle>
      <Caption>{shortSummary(post)}</Caption>
    </ThumbnailLink>
  )
}

/** Shows the picture of a free post. */
function SampleThumbnail({ post }: { post: Post }) {
  const name = excerpt(post.content, maxNameLength) || post.altText
  return (
    <ThumbnailLink to={paths.post.getHref(post.id)} aria-label={name ? t`Free post: ${name}` : t`Free post`}>
      <Picture src={sampleUrl(post) ?? undefined} alt="" loading="lazy" decoding="async" />
      <Caption>{t`Free`}</Caption>
    </ThumbnailLink>
  )
}

const maxNameLength = 60

const sampleUrl = ({ imageUrl, posterUrl }: Post) => imageUrl ?? posterUrl

/** Returns what the post contains in one or two words, such as 'Photo' or 'Video 2:05'. */
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
    aspectRatio: '4 / 3',
    borderRadius: 'md',
    borderWidth: '1px',
    bg: 'sunken',
    _hover: { borderColor: 'outline' },
  },
})

/** A label in the lower corner of a thumbnail. */
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

const Picture = chakra('img', {
  base: { position: 'absolute', inset: '0', width: '100%', height: '100%', objectFit: 'cover' },
})

const Placeholder = chakra(Picture, {
  base: {
    filter: 'blur(0.5rem) saturate(1.4)',
    // Moves the edges, where the blur is transparent, out of the frame.
    transform: 'scale(1.2)',
  },
})

const LockCircle = chakra('span', {
  base: {
    position: 'relative',
    display: 'grid',
    placeItems: 'center',
    boxSize: '7',
    borderRadius: 'full',
    bg: 'surface',
    color: 'gold.text',
  },
})

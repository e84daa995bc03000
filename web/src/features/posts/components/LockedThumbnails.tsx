import { Box, chakra } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { formatDuration } from '@/lib/format'
import { paths } from '@/lib/paths'
import { LockIcon } from '@/ui/icons'
import { userPostsQuery } from '../api/posts'
import { contentSummary } from '../model'

const maxThumbnails = 3

/**
 * Links to the newest locked posts that a subscription to the creator includes, each with its blurred placeholder and
 * what it contains. Uses the cached list of the creator's posts and sends no request. Shows nothing if there are none.
 */
export function LockedThumbnails({ userId }: { userId: string }) {
  const { data } = useInfiniteQuery({ ...userPostsQuery(userId), enabled: false })
  const posts = (data?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter(({ locked, includedInSubscription }) => locked && includedInSubscription)
    .slice(0, maxThumbnails)
  if (posts.length === 0) return null
  return (
    <Box
      as="ul"
      listStyleType="none"
      display="grid"
      gridTemplateColumns={`repeat(${maxThumbnails}, minmax(0, 1fr))`}
      gap="2"
      marginTop="3"
    >
      {posts.map((post) => (
        <li key={post.id}>
          <LockedThumbnail post={post} />
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
      <Box
        position="relative"
        isolation="isolate"
        overflow="hidden"
        display="grid"
        placeItems="center"
        aspectRatio="1"
        borderRadius="md"
        borderWidth="1px"
        bg="sunken"
      >
        {placeholder && <Placeholder src={placeholder} alt="" decoding="async" />}
        <LockCircle>
          <LockIcon />
        </LockCircle>
      </Box>
      <Box textStyle="caption" color="muted" marginTop="1" truncate>
        {shortSummary(post)}
      </Box>
    </ThumbnailLink>
  )
}

/** Returns what the post contains in one or two words, such as 'Photo' or 'Video 2:05'. */
function shortSummary({ mediaType, mediaDuration }: Post): string {
  if (mediaType === 'image') return t`Photo`
  if (mediaType === null) return t`Text`
  const duration = mediaDuration === null ? '' : formatDuration(mediaDuration)
  return duration ? t`Video ${duration}` : t`Video`
}

const ThumbnailLink = chakra(Link, {
  base: { display: 'block', borderRadius: 'md', _hover: { textDecoration: 'underline' } },
})

const Placeholder = chakra('img', {
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

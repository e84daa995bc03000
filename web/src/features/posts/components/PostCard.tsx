import { Box, chakra } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { memo, useRef } from 'react'
import { Link } from 'react-router-dom'
import { fullTime, postTime } from '@/lib/format'
import { displayName } from '@/lib/person'
import { useNow } from '@/lib/useNow'
import { paths } from '@/paths'
import { Avatar } from '@/ui/Avatar'
import { Badge } from '@/ui/CountBadge'
import { TextLink } from '@/ui/layout'
import { RichText } from '@/ui/RichText'
import { ownLine, ownParagraphs } from '@/ui/words'
import { LikeButton } from './LikeButton'
import { PostMenu } from './PostMenu'
import { SaveButton } from './SaveButton'
import { useOverflow } from './useOverflow'

const Name = chakra(Link, {
  base: {
    textStyle: 'label',
    borderRadius: 'xs',
    minWidth: '0',
    truncate: true,
    _hover: { textDecoration: 'underline' },
  },
})
const When = chakra(Link, {
  base: { color: 'muted', borderRadius: 'xs', whiteSpace: 'nowrap', _hover: { textDecoration: 'underline' } },
})

/** One post: who, when, what, and what can be done with it. */
export const PostCard = memo(function PostCard({
  post,
  onDeleted,
  large = false,
}: {
  post: Post
  /** After its author deleted it. */
  onDeleted?: () => void
  /** On its own page. */
  large?: boolean
}) {
  const name = displayName(post.user)
  const profile = paths.profile.getHref(post.user.handle)
  return (
    <Box
      asChild
      display="flex"
      gap="3"
      paddingInline={{ base: '4', md: '5' }}
      paddingTop="4"
      paddingBottom="2"
    >
      <article aria-label={`Post by ${name}`}>
        <Box asChild flexShrink={0} borderRadius="full" height="fit-content">
          <Link to={profile} tabIndex={-1} aria-hidden>
            <Avatar person={{ ...post.user, displayName: name }} />
          </Link>
        </Box>
        <Box flex="1" minWidth="0">
          <Box display="flex" alignItems="center" gap="2" minHeight="6">
            <Name to={profile} {...ownLine}>
              {name}
            </Name>
            {post.user.isAdmin && <Badge tone="neutral">Admin</Badge>}
            <Box
              as="span"
              textStyle="small"
              color="muted"
              minWidth="0"
              truncate
              flexShrink={2}
              hideBelow="sm"
            >
              @{post.user.handle}
            </Box>
            <Box as="span" textStyle="small" color="muted" aria-hidden>
              ·
            </Box>
            <Box as="span" textStyle="small">
              <When to={paths.post.getHref(post.id)}>
                <PostTime at={post.createdAt} />
              </When>
            </Box>
            {post.mine && (
              <Box marginInlineStart="auto" marginBlock="-2.5" marginInlineEnd="-2">
                <PostMenu postId={post.id} onDeleted={onDeleted} />
              </Box>
            )}
          </Box>
          <Content post={post} large={large} />
          <Box display="flex" gap="3" marginTop="1.5" marginInline="-3">
            <LikeButton post={post} />
            <SaveButton post={post} />
          </Box>
        </Box>
      </article>
    </Box>
  )
})

/** What was written: all of it on its own page, else its first lines and the way to the rest. */
function Content({ post, large }: { post: Post; large: boolean }) {
  const box = useRef<HTMLDivElement>(null)
  const cut = useOverflow(box, post.content)
  return (
    <>
      <Box
        ref={box}
        marginTop="1"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        {...ownParagraphs}
        textStyle={large ? 'lead' : 'body'}
        lineClamp={large ? undefined : 14}
      >
        <RichText text={post.content} />
      </Box>
      {!large && cut && (
        <TextLink to={paths.post.getHref(post.id)} display="inline-block" marginTop="1.5">
          Show more
        </TextLink>
      )}
    </>
  )
}

/** Alone, so that the passing of time draws no card anew. */
function PostTime({ at }: { at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={fullTime(at)}>
      {postTime(at, now)}
    </time>
  )
}

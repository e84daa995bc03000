import { Box } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { useQueryClient } from '@tanstack/react-query'
import { memo, use, useCallback, useId, useRef } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { HiddenBadge } from '@/moderation/components/HiddenBadge'
import { Avatar } from '@/ui/Avatar'
import { removeGonePost } from '../api/gone-posts'
import { adjustCommentCount } from '../api/post-cache'
import { CommentsSlot } from '../comments-slot'
import { useViewTracking } from '../view-tracking'
import { CommentButton } from './CommentButton'
import { LikeButton } from './LikeButton'
import { PostBody } from './PostBody'
import { PostHeader } from './PostHeader'
import { SaveButton } from './SaveButton'
import { TipPostButton } from './TipPostButton'
import { useCommentsOpen } from './useCommentsOpen'
import { useFocusNeighborPost } from './useFocusNeighborPost'

/** One post: who, when, what, what can be done with it, and what is said about it. */
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
  const client = useQueryClient()
  const Comments = use(CommentsSlot)
  const [openInList, setOpen] = useCommentsOpen(post.id)
  const comments = useRef<HTMLDivElement>(null)
  const commentsId = useId()
  const article = useRef<HTMLElement>(null)
  const focus = useFocusNeighborPost(article)
  useViewTracking(article, post)
  const onGone = useCallback(() => removeGonePost(client, post.id), [client, post.id])
  const name = displayName(post.user)
  const open = large || (openInList && !post.locked)
  const write = () => comments.current?.querySelector('textarea')?.focus()
  return (
    <Box
      asChild
      paddingInline={{ base: '4', md: '5' }}
      paddingTop="4"
      paddingBottom="2"
      borderRadius={{ md: 'lg' }}
      // A list cuts off what is outside of it.
      _focusVisible={{ outlineOffset: '-2px' }}
    >
      <article ref={article} aria-label={`Post by ${name}`} {...focus}>
        <Box display="flex" gap="3">
          <Box asChild flexShrink={0} borderRadius="full" height="fit-content">
            <Link to={paths.profile.getHref(post.user.handle)} tabIndex={-1} aria-hidden>
              <Avatar person={{ ...post.user, displayName: name }} />
            </Link>
          </Box>
          <Box flex="1" minWidth="0">
            <PostHeader post={post} onDeleted={onDeleted} />
            {post.hidden && <HiddenBadge />}
            <PostBody post={post} large={large} />
            <Box display="flex" gap={{ base: '0', sm: '3' }} marginTop="1.5" marginInline="-3">
              <LikeButton post={post} />
              {Comments && (
                <CommentButton
                  post={post}
                  open={large ? undefined : open}
                  controls={commentsId}
                  onPress={large ? write : () => setOpen(!open)}
                />
              )}
              <TipPostButton post={post} />
              <SaveButton post={post} />
            </Box>
          </Box>
        </Box>
        {Comments && open && (
          <div ref={comments} id={commentsId}>
            <Comments
              post={post}
              large={large}
              onCount={(by) => adjustCommentCount(client, post.id, by)}
              onGone={onGone}
            />
          </div>
        )}
      </article>
    </Box>
  )
})

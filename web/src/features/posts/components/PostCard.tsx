import { Box } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { memo, type ReactNode, use, useCallback, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Link } from 'react-router-dom'
import { create } from 'zustand'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { fullTime } from '@/lib/time'
import { HiddenBadge } from '@/moderation/components/HiddenBadge'
import { Avatar } from '@/ui/Avatar'
import { useFocusAfterRemoval } from '@/ui/restore-focus'
import { adjustCommentCount, removeGonePost } from '../api/posts'
import { CommentsSlot } from '../comments-slot'
import { usePostTarget } from '../post-target'
import { usePostRealtime } from '../realtime'
import { useViewTracking } from '../view-tracking'
import { aboveStickyRow, PostActions } from './PostActions'
import { PostBody } from './PostBody'
import { PinnedMark, PostHeader, RepostedBy } from './PostHeader'

/** Shows a post with its header, content, buttons and comments. */
export const PostCard = memo(function PostCard({
  post,
  onDeleted,
  large = false,
  commentsPane,
  footer,
}: {
  post: Post
  /** Called after the author deleted the post. */
  onDeleted?: () => void
  /** Whether the post is on its own page. */
  large?: boolean
  /** The element beside the post for the comments, or null until it exists. If omitted, they are below the post. */
  commentsPane?: HTMLElement | null
  /** Shown below the comments. */
  footer?: ReactNode
}) {
  const client = useQueryClient()
  const Comments = use(CommentsSlot)
  const [openInList, setOpenInList] = useCommentsOpen(post.id)
  const commentsId = useId()
  const article = useRef<HTMLElement>(null)
  // Does not scroll to the focused element, because it may be far from the viewport.
  const focusHandlers = useFocusAfterRemoval(fallbackFocusTargets, { preventScroll: true })
  useViewTracking(article, post)
  const onGone = useCallback(() => removeGonePost(client, post.id), [client, post.id])
  const name = displayName(post.user)
  const open = large || (openInList && !post.locked)
  const [commentRequests, setCommentRequests] = useState(0)
  const writeComment = () => {
    if (!large) setOpenInList(true)
    setCommentRequests((count) => count + 1)
  }
  usePostTarget(article, {
    postId: post.id,
    large,
    onReply: () => {
      // The comment button of a locked post explains why the comments are hidden.
      if (post.locked) article.current?.querySelector<HTMLElement>('[data-action=comment]')?.focus()
      else if (Comments) writeComment()
    },
  })
  const comments = Comments && open && (
    <Box id={commentsId} data-comments cursor="auto" display={commentsPane ? 'contents' : undefined}>
      <PostRealtime postId={post.id} />
      <Comments
        post={post}
        large={large}
        inPane={!!commentsPane}
        focusRequests={commentRequests}
        onCount={(delta) => adjustCommentCount(client, post.id, delta)}
        onGone={onGone}
      />
    </Box>
  )
  return (
    <Box
      asChild
      paddingInline={{ base: '4', md: '5' }}
      paddingTop="4"
      // The buttons are at the bottom of the card if the comments are not below them.
      paddingBottom={commentsPane !== undefined ? '0' : large ? '2' : { base: '0.5', md: '1' }}
      borderRadius={{ md: 'lg' }}
      // The list clips its overflow, so an outline outside of the post would be cut off.
      _focusVisible={{ outlineOffset: '-2px' }}
      cursor={large ? undefined : 'pointer'}
    >
      <article ref={article} aria-label={t`Post by ${name}`} {...focusHandlers}>
        {/* The post's own page may show cached data from a list that contains a repost of the post. */}
        {!large && <RepostedBy post={post} />}
        <PinnedMark post={post} />
        {/* The avatar has its own column. On phones and on a post's page, the content takes the full width. */}
        <Box
          display="grid"
          gridTemplateColumns="auto minmax(0, 1fr)"
          columnGap="3"
          alignItems={large ? 'center' : { base: 'center', md: 'start' }}
        >
          <Box
            asChild
            display="flex"
            gridRow={large ? undefined : { md: '1 / span 2' }}
            borderRadius="full"
            height="fit-content"
          >
            <Link to={paths.profile.getHref(post.user.handle)} tabIndex={-1} aria-hidden>
              <Avatar user={{ ...post.user, displayName: name }} />
            </Link>
          </Box>
          <PostHeader post={post} large={large} onDeleted={onDeleted} />
          <Box
            minWidth="0"
            gridColumn={large ? '1 / -1' : { base: '1 / -1', md: '2' }}
            marginTop={large ? '1.5' : { base: '1', md: '0' }}
          >
            {post.hidden && <HiddenBadge />}
            <Box css={large ? aboveStickyRow : undefined}>
              <PostBody post={post} large={large} />
            </Box>
            {large && (
              <Box marginTop="3" textStyle="small" color="muted">
                <time dateTime={post.createdAt}>{fullTime(post.createdAt)}</time>
              </Box>
            )}
            <PostActions
              post={post}
              large={large}
              comments={
                Comments
                  ? {
                      open: large ? undefined : open,
                      controls: commentsId,
                      onPress: large || !open ? writeComment : () => setOpenInList(false),
                    }
                  : undefined
              }
            />
          </Box>
        </Box>
        {commentsPane ? createPortal(comments, commentsPane) : commentsPane === undefined && comments}
        {footer}
      </article>
    </Box>
  )
})

/**
 * Keeps the post up to date while its comments are open. A separate component, so that its state changes do not
 * rerender the card.
 */
function PostRealtime({ postId }: { postId: string }) {
  usePostRealtime(postId)
  return null
}

/**
 * Whether the comments are open, by post id. State in the card itself would be lost when the list unmounts the card.
 */
const useOpenComments = create<Record<string, boolean>>(() => ({}))

/** Returns whether the comments under a post in a list are open, and a setter. */
function useCommentsOpen(postId: string): [boolean, (open: boolean) => void] {
  const open = useOpenComments((openByPost) => openByPost[postId] ?? false)
  return [open, (next) => useOpenComments.setState({ [postId]: next })]
}

/**
 * Returns the elements that can receive the focus after a post is removed: the next posts, then the previous ones,
 * nearest first, and then the ancestors of the post.
 */
function fallbackFocusTargets(post: HTMLElement): HTMLElement[] {
  const feed = post.closest('[role=feed]')
  const articles = [...(feed?.querySelectorAll<HTMLElement>('article') ?? [])]
  const index = articles.indexOf(post)
  const ancestors: HTMLElement[] = []
  for (
    let element = post.parentElement;
    element && element !== document.body;
    element = element.parentElement
  )
    ancestors.push(element)
  return [...articles.slice(index + 1), ...articles.slice(0, Math.max(index, 0)).reverse(), ...ancestors]
}

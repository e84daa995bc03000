import { Box } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import {
  type FocusEvent,
  memo,
  type RefObject,
  use,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { Link } from 'react-router-dom'
import { create } from 'zustand'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { HiddenBadge } from '@/moderation/components/HiddenBadge'
import { Avatar } from '@/ui/Avatar'
import { adjustCommentCount, removeGonePost } from '../api/posts'
import { CommentsSlot } from '../comments-slot'
import { useViewTracking } from '../view-tracking'
import { PostActions } from './PostActions'
import { PostBody } from './PostBody'
import { PostHeader } from './PostHeader'

/** Shows a post with its header, content, buttons and comments. */
export const PostCard = memo(function PostCard({
  post,
  onDeleted,
  large = false,
}: {
  post: Post
  /** Called after the author deleted the post. */
  onDeleted?: () => void
  /** On the post's own page. */
  large?: boolean
}) {
  const client = useQueryClient()
  const Comments = use(CommentsSlot)
  const [openInList, setOpenInList] = useCommentsOpen(post.id)
  const comments = useRef<HTMLDivElement>(null)
  const commentsId = useId()
  const article = useRef<HTMLElement>(null)
  const focusHandlers = useFocusNeighborPost(article)
  useViewTracking(article, post)
  const onGone = useCallback(() => removeGonePost(client, post.id), [client, post.id])
  const name = displayName(post.user)
  const open = large || (openInList && !post.locked)
  const focusCommentBox = () => comments.current?.querySelector('textarea')?.focus()
  return (
    <Box
      asChild
      paddingInline={{ base: '4', md: '5' }}
      paddingTop="4"
      paddingBottom="2"
      borderRadius={{ md: 'lg' }}
      // The list clips its overflow.
      _focusVisible={{ outlineOffset: '-2px' }}
    >
      <article ref={article} aria-label={t`Post by ${name}`} {...focusHandlers}>
        <Box display="flex" gap="3">
          <Box asChild flexShrink={0} borderRadius="full" height="fit-content">
            <Link to={paths.profile.getHref(post.user.handle)} tabIndex={-1} aria-hidden>
              <Avatar user={{ ...post.user, displayName: name }} />
            </Link>
          </Box>
          <Box flex="1" minWidth="0">
            <PostHeader post={post} onDeleted={onDeleted} />
            {post.hidden && <HiddenBadge />}
            <PostBody post={post} large={large} />
            <PostActions
              post={post}
              comments={
                Comments
                  ? {
                      open: large ? undefined : open,
                      controls: commentsId,
                      onPress: large ? focusCommentBox : () => setOpenInList(!open),
                    }
                  : undefined
              }
            />
          </Box>
        </Box>
        {Comments && open && (
          <div ref={comments} id={commentsId}>
            <Comments
              post={post}
              large={large}
              onCount={(delta) => adjustCommentCount(client, post.id, delta)}
              onGone={onGone}
            />
          </div>
        )}
      </article>
    </Box>
  )
})

/** By post id. Outside of the card, so that a card keeps its state when the list unmounts and remounts it. */
const useOpenComments = create<Record<string, boolean>>(() => ({}))

/** Returns whether the comments under a post in a list are open, and a setter. */
function useCommentsOpen(postId: string): [boolean, (open: boolean) => void] {
  const open = useOpenComments((openByPost) => openByPost[postId] ?? false)
  return [open, (next) => useOpenComments.setState({ [postId]: next })]
}

/** Animation frames to wait until a dialog that was open over a removed post has closed and released the focus. */
const maxFrames = 20

/**
 * Moves the focus when a post is removed while the focus is in it, or in a dialog that it opened: to the next post, or
 * else to the previous one, or else to an ancestor. Returns event handlers for the post.
 */
function useFocusNeighborPost(article: RefObject<HTMLElement | null>) {
  /** The path of the page on which the post received the focus; null while the focus is elsewhere. */
  const focusedOnPath = useRef<string | null>(null)
  useLayoutEffect(() => {
    const post = article.current
    return () => {
      const path = focusedOnPath.current
      // At this point the post is still in the document.
      if (post && path !== null) focusFirst(fallbackFocusTargets(post), post, path, maxFrames)
    }
  }, [article])
  return {
    // React events bubble through portals, so that these handlers also receive the events of the post's dialogs.
    onFocus: () => {
      focusedOnPath.current = window.location.pathname
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget) focusedOnPath.current = null
      // No other element receives the focus: the post is being removed, a dialog of the post opens, or the user pressed
      // an empty area.
      else
        requestAnimationFrame(() => {
          const isFocusLost = document.activeElement === document.body && !isDialogOpen()
          if (isFocusLost && article.current?.isConnected) focusedOnPath.current = null
        })
    },
  }
}

const isDialogOpen = () => document.querySelector('[role=dialog], [role=alertdialog]') !== null

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

function focusFirst(
  targets: HTMLElement[],
  removedPost: HTMLElement,
  path: string,
  framesLeft: number,
): void {
  requestAnimationFrame(() => {
    // Another page manages its own focus.
    if (window.location.pathname !== path) return
    const isBusy = removedPost.isConnected || isDialogOpen()
    if (isBusy && framesLeft > 0) {
      focusFirst(targets, removedPost, path, framesLeft - 1)
      return
    }
    if (document.activeElement !== document.body || removedPost.isConnected) return
    const target = targets.find((element) => element.isConnected)
    if (!target) return
    target.tabIndex = -1
    target.focus({ preventScroll: true })
  })
}

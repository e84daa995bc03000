import { Box, chakra } from '@chakra-ui/react'
import type { Comment, CommentSort } from '@contract/comment.ts'
import { intervals } from '@contract/intervals.ts'
import type { Post } from '@contract/post.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { ApiError } from '@/lib/errors'
import { formatCount } from '@/lib/format'
import { ReadOnlyHint } from '@/moderation/components/ReadOnlyNotice'
import { useContentPollInterval } from '@/realtime/connection'
import { openLoginPage } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { KeepReadingPosition, scrollPaneAttribute } from '@/ui/KeepReadingPosition'
import { SegmentedControl } from '@/ui/SegmentedControl'
import { InlineError } from '@/ui/states'
import { bottomComposerAttribute, toast } from '@/ui/toaster'
import { useMinWidth } from '@/ui/useMinWidth'
import { commentsQuery, isPostGone, keepOrder, linkedCommentQuery, uniqueComments } from '../api'
import { revealComment, useLinkedComment } from '../linked-comment'
import { CommentDock, CommentPeek, replyFormReplacesForm, useDockHeight } from './CommentDock'
import { CommentForm } from './CommentForm'
import {
  CommentSkeletons,
  LinkedCommentGone,
  LoadMoreCommentsButton,
  LockedComments,
  NoComments,
} from './CommentStates'
import { CommentThread } from './CommentThread'

/** The scroll positions of the pane, by the key of the history entry. */
const panePositions = new Map<string, number>()

/** Returns a ref for the pane beside a post. Going back to a history entry restores the pane's scroll position. */
function useScrollRestoration() {
  const pane = useRef<HTMLDivElement>(null)
  const { key } = useLocation()
  useLayoutEffect(() => {
    const element = pane.current
    if (!element) return
    element.scrollTop = panePositions.get(key) ?? element.scrollTop
    return () => void panePositions.set(key, element.scrollTop)
  }, [key])
  return pane
}

/** The order that the user has chosen for each post's comments, kept so that going back shows the same comments. */
const chosenSorts = new Map<string, CommentSort>()

/**
 * Shows the comments on a post and the comment form above them. On the post's own page on a phone, the comment form and
 * the reply form are in a bar at the bottom of the screen instead. In a pane beside the post, they are at the foot of
 * the pane. The comments are listed newest first; on the post's own page, the user can list the most liked ones first.
 */
export default function Comments({
  post,
  onCount,
  onGone,
  large,
  inPane,
  focusRequests,
}: {
  post: Post
  /** Called with the change in the post's comment count, including replies. */
  onCount: (delta: number) => void
  /** Called when the post no longer exists. */
  onGone: () => void
  /** Whether the post is shown on its own page. */
  large: boolean
  /** Whether the comments are in a pane beside the post. */
  inPane: boolean
  /** Each new value above zero focuses the form and scrolls it into view. */
  focusRequests: number
}) {
  const { user } = useCurrentUser()
  const form = useRef<HTMLDivElement>(null)
  const pane = useScrollRestoration()
  const isWide = useMinWidth('md')
  const isDocked = inPane || (large && !isWide)
  const dockUser = isDocked && !user?.readOnlyReason ? user : null
  const [dock, setDock] = useState<HTMLElement | null>(null)
  const [section, setSection] = useState<HTMLElement | null>(null)
  useDockHeight(inPane ? null : dock)
  const [sort, setSort] = useState<CommentSort>((large && chosenSorts.get(post.id)) || 'newest')
  const changeSort = (next: CommentSort) => {
    chosenSorts.set(post.id, next)
    setSort(next)
  }
  // A new comment has no likes, so it could be on a later page of the most liked comments.
  const showNewest = () => changeSort('newest')
  const heading = <CommentsHeading post={post} sort={sort} inPane={inPane} onSortChange={changeSort} />
  // Only one reply form is open at a time.
  const [replyTargetId, setReplyTargetId] = useState<string | null>(null)
  const [lastFocusRequests, setLastFocusRequests] = useState(focusRequests)
  if (lastFocusRequests !== focusRequests) {
    setLastFocusRequests(focusRequests)
    // In the bar, an open reply form would hide the comment form.
    if (dockUser) setReplyTargetId(null)
  }
  const focusForm = useEffectEvent(() => {
    const field = form.current?.querySelector('textarea') ?? form.current?.querySelector('button')
    field?.focus({ preventScroll: true })
    if (inPane) return
    // The docked form is always visible, but the comments may not be.
    if (isDocked) section?.scrollIntoView({ block: 'start' })
    else form.current?.scrollIntoView({ block: 'nearest' })
  })
  useEffect(() => {
    if (focusRequests > 0) focusForm()
  }, [focusRequests])
  const list = !post.locked && (
    <CommentList
      post={post}
      sort={sort}
      replyDock={dock}
      replyTargetId={replyTargetId}
      onReplyTargetChange={setReplyTargetId}
      onCount={onCount}
      onGone={onGone}
      large={large}
    />
  )
  if (inPane) {
    return (
      <Box asChild flex="1" display="flex" flexDirection="column" minHeight="0" outline="none">
        <section tabIndex={-1} aria-label={t`Comments`}>
          <Box
            ref={pane}
            {...scrollPaneAttribute}
            flex="1"
            minHeight="0"
            overflowY="auto"
            overscrollBehavior="contain"
            scrollbarWidth="thin"
            paddingInline="4"
            paddingBottom="2"
          >
            {heading}
            {post.locked ? <LockedComments post={post} /> : list}
          </Box>
          {!post.locked && user && (
            <Box
              ref={form}
              {...bottomComposerAttribute}
              flexShrink="0"
              paddingInline="4"
              borderTopWidth="1px"
            >
              {dockUser ? (
                <Box ref={setDock} css={replyFormReplacesForm}>
                  <CommentForm
                    key={dockUser.id}
                    user={dockUser}
                    postId={post.id}
                    docked
                    onCount={onCount}
                    onPosted={(id) => {
                      showNewest()
                      revealComment(id)
                    }}
                  />
                </Box>
              ) : (
                <ReadOnlyHint what="comment" />
              )}
            </Box>
          )}
        </section>
      </Box>
    )
  }
  return (
    <Box
      asChild
      borderTopWidth="1px"
      marginTop="1"
      paddingBlock="2"
      // On the post's own page, the border is as wide as the one above the buttons.
      {...(large && {
        marginInline: { base: '-4', md: '-5' },
        paddingInline: { base: '4', md: '5' },
      })}
      outline="none"
      scrollMarginTop="calc({sizes.header} + {spacing.2})"
    >
      <section ref={setSection} tabIndex={-1} aria-label={t`Comments`}>
        {large && heading}
        {post.locked ? (
          <LockedComments post={post} />
        ) : (
          <>
            <Box ref={form} {...barMargins}>
              {user?.readOnlyReason ? (
                <ReadOnlyHint what="comment" />
              ) : dockUser ? (
                <CommentDock ref={setDock}>
                  <CommentPeek post={post} sort={sort} section={section} />
                  <CommentForm
                    key={dockUser.id}
                    user={dockUser}
                    postId={post.id}
                    docked
                    onCount={onCount}
                    onPosted={showNewest}
                  />
                </CommentDock>
              ) : user ? (
                <CommentForm
                  key={user.id}
                  user={user}
                  postId={post.id}
                  onCount={onCount}
                  onPosted={showNewest}
                />
              ) : (
                <VisitorCommentButton type="button" onClick={() => promptSignIn('comment')}>
                  <Trans>Write a comment…</Trans>
                </VisitorCommentButton>
              )}
            </Box>
            {list}
          </>
        )}
      </section>
    </Box>
  )
}

/**
 * Shows the heading above the comments with their number and, if several top-level comments are listed, a control for
 * their order.
 */
function CommentsHeading({
  post,
  sort,
  inPane,
  onSortChange,
}: {
  post: Post
  sort: CommentSort
  inPane: boolean
  onSortChange: (sort: CommentSort) => void
}) {
  const count = post.commentsCount
  // Reads the comments that the list loads, without fetching them itself.
  const { data } = useInfiniteQuery({
    ...commentsQuery(post.id, sort),
    enabled: false,
    placeholderData: keepPreviousData,
  })
  return (
    <Box
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      justifyContent="space-between"
      minHeight="target"
      paddingTop={inPane ? '2' : '0'}
    >
      <Box as="h2" textStyle="title">
        <Trans>Comments</Trans>
        {count > 0 && (
          <Box as="span" aria-hidden color="muted" fontWeight="medium" marginInlineStart="2">
            {formatCount(count)}
          </Box>
        )}
      </Box>
      {!post.locked && uniqueComments(data).length > 1 && (
        <SegmentedControl
          label={t`Sort comments`}
          options={[
            { value: 'newest', label: t`Newest` },
            { value: 'top', label: t`Top` },
          ]}
          value={sort}
          onChange={onSortChange}
        />
      )}
    </Box>
  )
}

/** Keeps the form clear of the top bar and of the phone's bottom bar when it is scrolled into view. */
const barMargins = {
  scrollMarginTop: 'calc({sizes.header} + {spacing.2})',
  scrollMarginBottom: {
    base: 'calc({sizes.bottomBar} + {spacing.2} + env(safe-area-inset-bottom))',
    md: '{spacing.4}',
  },
} as const

/** Looks like the comment form but opens the sign-in page, because signing in would discard a visitor's text. */
const VisitorCommentButton = chakra('button', {
  base: {
    display: 'block',
    width: '100%',
    minHeight: 'target',
    marginBlock: '2',
    paddingInline: '3.5',
    textAlign: 'start',
    color: 'muted',
    bg: 'surface',
    borderWidth: '1px',
    borderColor: 'outline',
    borderRadius: 'lg',
    cursor: 'text',
    _hover: { borderColor: 'muted' },
  },
})

function CommentList({
  post,
  sort,
  replyDock,
  replyTargetId,
  onReplyTargetChange,
  onCount,
  onGone,
  large,
}: {
  post: Post
  sort: CommentSort
  replyDock: HTMLElement | null
  /** The id of the comment or reply whose reply form is open. */
  replyTargetId: string | null
  onReplyTargetChange: (id: string | null) => void
  onCount: (delta: number) => void
  onGone: () => void
  large: boolean
}) {
  const { user } = useCurrentUser()
  const list = useInfiniteQuery({
    ...commentsQuery(post.id, sort),
    refetchInterval: useContentPollInterval(),
    // Shows the comments in the previous order until the new one has loaded, so that the page does not shrink.
    placeholderData: keepPreviousData,
  })
  const { linked, isGone: isLinkedGone } = useLinkedComment(post.id, large)
  const loaded = uniqueComments(list.data)
  const [replyOpenedIn, setReplyOpenedIn] = useState<{ thread: Comment; order: string[] }>()
  // The most liked comments keep their order while a reply form is open. Otherwise, a refetch could move the form or
  // push its comment off the page.
  const kept = sort === 'top' && replyTargetId !== null ? replyOpenedIn : undefined
  const isKeptMissing = kept !== undefined && !loaded.some(({ id }) => id === kept.thread.id)
  const { data: refetched } = useQuery({
    ...linkedCommentQuery(post.id, kept?.thread.id ?? ''),
    enabled: isKeptMissing,
  })

  const isGone = isPostGone(list)
  useEffect(() => {
    if (isGone) onGone()
  }, [isGone, onGone])

  if (list.isPending || isGone)
    return <CommentSkeletons count={Math.min(Math.max(post.commentsCount, 1), 3)} />
  if (!list.data) {
    if (list.error instanceof ApiError && list.error.code === 'post_locked')
      return <LockedComments post={post} />
    return <InlineError text={t`Couldn't load comments. Try again.`} onRetry={() => void list.refetch()} />
  }
  if (isKeptMissing && refetched !== null) loaded.push(refetched?.comment ?? kept.thread)
  const ordered = kept ? keepOrder(loaded, kept.order) : loaded
  // A linked comment that is on a later page is shown first.
  const linkedThread = linked && (linked.parent ?? linked.comment)
  const isListed = ordered.some(({ id }) => id === linkedThread?.id)
  const comments = linkedThread && !isListed ? [linkedThread, ...ordered] : ordered
  const openReply = (thread: Comment, targetId: string | null) => {
    setReplyOpenedIn(sort === 'top' ? { thread, order: comments.map(({ id }) => id) } : undefined)
    onReplyTargetChange(targetId)
  }
  const goneNotice = isLinkedGone && <LinkedCommentGone />
  if (comments.length === 0 && !list.hasNextPage)
    return (
      <>
        {goneNotice}
        <NoComments />
      </>
    )
  return (
    <KeepReadingPosition>
      {goneNotice}
      <Box asChild listStyleType="none">
        <ol aria-label={t`Comments`}>
          {comments.map((comment) => (
            <CommentThread
              key={comment.id}
              comment={comment}
              post={post}
              user={user}
              replyTargetId={replyTargetId}
              onReplyTargetChange={user ? (id) => openReply(comment, id) : () => promptSignIn('reply')}
              replyDock={replyDock}
              onCount={onCount}
              linkedReply={linked?.parent?.id === comment.id ? linked.comment : undefined}
            />
          ))}
        </ol>
      </Box>
      <LoadMoreCommentsButton
        list={list}
        label={t`Show more comments`}
        failedLabel={t`Couldn't load more comments. Try again`}
      />
    </KeepReadingPosition>
  )
}

const signInTexts: Record<'comment' | 'reply', MessageDescriptor> = {
  comment: msg`Please log in to post a comment.`,
  reply: msg`Please log in to post a reply.`,
}

/** Asks a visitor to sign in and opens the sign-in page. After signing in, the visitor returns to the current page. */
function promptSignIn(action: keyof typeof signInTexts): void {
  toast({ title: t(signInTexts[action]) })
  setTimeout(openLoginPage, intervals.redirectDelayMs)
}

import { Box, chakra } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { plural, t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { useOpenTipDialog } from '@/billing/tips'
import { compactNumber } from '@/lib/format'
import { displayName } from '@/lib/text'
import { openLoginPage } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { animateHeart } from '@/ui/animate-heart'
import { BookmarkIcon, CoinIcon, CommentIcon, EyeIcon, HeartIcon, RepostIcon, ShareIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { isFocusLost } from '@/ui/restore-focus'
import { shareLink } from '@/ui/share-link'
import { Tooltip } from '@/ui/Tooltip'
import { commentDockHeight, showLoadError } from '@/ui/toaster'
import { useToggleLike, useToggleSave } from '../api/post-actions'
import { postUrl } from '../model'
import type { RepostMenu } from './RepostMenu'

interface CommentToggle {
  /** Whether the comments are open. Omitted where they are always open. */
  open?: boolean
  /** The id of the element that contains the comments. */
  controls: string
  onPress: () => void
}

/**
 * Shows the buttons below a post. Without `comments` there is no comment button. The buttons are evenly spaced, and the
 * last one is at the right edge. On the post's own page (`large`), they stay at the lower edge of the window until the
 * viewer reaches their place below the content.
 */
export function PostActions({
  post,
  comments,
  large,
}: {
  post: Post
  comments?: CommentToggle
  large: boolean
}) {
  const canTip = !post.mine && post.user.isCreator
  const { viewsCount } = post
  // Leaves the column of tips and views empty if there is neither, so that the buttons of all posts are aligned.
  const columns = 4 + Number(!!comments)
  return (
    <Box
      {...(large
        ? stickyRow
        : {
            display: 'grid',
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr)) auto`,
            justifyItems: 'start',
            marginTop: { base: '0.5', md: '1' },
            // Aligns the icons, not their touch targets, with the text.
            marginInline: '-3',
          })}
    >
      <LikeButton post={post} />
      {comments && <CommentButton post={post} large={large} {...comments} />}
      <RepostButton post={post} />
      <ShareButton post={post} />
      {canTip && <TipPostButton post={post} />}
      {viewsCount !== null && <Views count={viewsCount} />}
      <SaveButton post={post} />
    </Box>
  )
}

/** The height of the bar at the lower edge of a phone: the docked comment form or the navigation. */
const phoneBarHeight = 'calc({sizes.bottomBar} + 1px + env(safe-area-inset-bottom))'

/** The height of the row, with room for a focus ring above it. */
const rowHeight = 'calc({sizes.target} + {spacing.4})'

const stickyRow = {
  display: 'flex',
  justifyContent: 'space-between',
  position: 'sticky',
  bottom: '0',
  zIndex: 'raised',
  bg: 'surface',
  borderTopWidth: '1px',
  borderBottomRadius: { md: 'lg' },
  marginTop: '4',
  // The row covers the content that scrolls under it, up to the edges of the card.
  marginInline: { base: '-4', md: '-5' },
  paddingInline: { base: '1', md: '2' },
  paddingBlock: '0.5',
  css: {
    mdDown: {
      // Visitors have no bar.
      'body:has(#right-sidebar) &': { bottom: `var(${commentDockHeight}, ${phoneBarHeight})` },
      '[data-bars-hidden]:not(:has([data-comment-dock])) &': { bottom: '0' },
    },
  },
} as const

/** Keeps the focused links and controls of the content from being scrolled under the row. */
export const aboveStickyRow = {
  '& :is(a, button, input, video, [tabindex])': {
    scrollMarginBottom: rowHeight,
    mdDown: {
      // The dock has its own scroll padding.
      'body:has(#right-sidebar):not(:has([data-comment-dock])) &': {
        scrollMarginBottom: `calc(${rowHeight} + ${phoneBarHeight})`,
      },
    },
  },
} as const

/** Likes a post or removes the like. Sends visitors to the login page. */
function LikeButton({ post }: { post: Post }) {
  const { isAuthenticated } = useCurrentUser()
  const like = useToggleLike(post.id)
  const heart = useRef<HTMLSpanElement>(null)
  const press = () => {
    if (!isAuthenticated) {
      openLoginPage()
      return
    }
    if (!post.liked) animateHeart(heart.current)
    like.mutate()
  }
  const count = post.likesCount
  return (
    <ActionButton
      type="button"
      data-action="like"
      aria-pressed={post.liked}
      aria-label={t`${plural(count, { one: 'Like, # like', other: 'Like, # likes' })}`}
      title={t({ message: 'Like', context: 'verb' })}
      onClick={press}
    >
      <Box as="span" ref={heart} fontSize="xl">
        <HeartIcon filled={post.liked} />
      </Box>
      <Count count={count} />
    </ActionButton>
  )
}

/**
 * Shows the number of comments, and opens and closes them. On the post's own page (`large`), the button has a label. It
 * is disabled while the post is locked.
 */
function CommentButton({
  post,
  large,
  open,
  controls,
  onPress,
}: { post: Post; large: boolean } & CommentToggle) {
  const count = post.commentsCount
  const label = t`${plural(count, { one: 'Comment, # comment', other: 'Comment, # comments' })}`
  const content = (
    <>
      <Box as="span" fontSize="xl">
        <CommentIcon filled={open} />
      </Box>
      {large ? <CommentsLabel count={count} /> : <Count count={count} />}
    </>
  )
  if (post.locked) {
    const lockedHint = t`Unlock the post to read its comments`
    return (
      <Tooltip label={lockedHint}>
        {/* Not `disabled`, so that the tooltip still works with a pointer or a keyboard. */}
        <ActionButton
          type="button"
          data-action="comment"
          aria-disabled
          aria-label={label}
          aria-description={lockedHint}
        >
          {content}
        </ActionButton>
      </Tooltip>
    )
  }
  return (
    <ActionButton
      type="button"
      data-action="comment"
      aria-label={label}
      title={t({ message: 'Comment', context: 'verb' })}
      aria-expanded={open}
      aria-controls={open ? controls : undefined}
      onClick={onPress}
    >
      {content}
    </ActionButton>
  )
}

/** Opens the dialog for tipping the post's author. */
function TipPostButton({ post }: { post: Post }) {
  const openTipDialog = useOpenTipDialog()
  const button = useRef<HTMLButtonElement>(null)
  const authorName = displayName(post.user)
  return (
    <ActionButton
      ref={button}
      type="button"
      aria-label={t`Tip ${authorName}`}
      title={t({ message: 'Tip', context: 'verb' })}
      color="gold.text"
      aria-haspopup="dialog"
      onClick={() => openTipDialog({ creator: post.user, postId: post.id, finalFocus: () => button.current })}
    >
      <Box as="span" fontSize="xl">
        <CoinIcon />
      </Box>
      <Box as="span" hideBelow="md">
        {t({ message: 'Tip', context: 'verb' })}
      </Box>
    </ActionButton>
  )
}

/**
 * Opens the menu to repost or quote the post. Sends visitors to the login page. The menu is loaded and mounted on the
 * first press, because many posts are shown and few are reposted.
 */
function RepostButton({ post: { reposted, repostsCount: count }, post }: { post: Post }) {
  const { user } = useCurrentUser()
  const button = useRef<HTMLButtonElement>(null)
  const [menu, setMenu] = useState<{ RepostMenu: typeof RepostMenu }>()
  const openMenu = async () => {
    // The button or, if the user pressed the keyboard shortcut, the post.
    const focused = document.activeElement
    try {
      const loaded = await import('./RepostMenu')
      // The user may have moved the focus in the meantime.
      if (isFocusLost() || document.activeElement === focused) setMenu(loaded)
    } catch {
      showLoadError()
    }
  }
  const name = reposted ? t`Reposted` : t({ message: 'Repost', context: 'verb' })
  const trigger = (
    <ActionButton
      ref={button}
      type="button"
      data-action="repost"
      aria-haspopup={user ? 'menu' : undefined}
      aria-label={t`${name}, ${plural(count, { one: '# repost', other: '# reposts' })}`}
      title={name}
      color={reposted ? 'ember.text' : undefined}
      onClick={menu ? undefined : () => (user ? void openMenu() : openLoginPage())}
    >
      <Box as="span" fontSize="xl">
        <RepostIcon />
      </Box>
      <Count count={count} />
    </ActionButton>
  )
  return user && menu ? (
    <menu.RepostMenu post={post} user={user} trigger={trigger} button={button} />
  ) : (
    trigger
  )
}

/** Opens the device's share sheet, or copies the post's link. */
function ShareButton({ post }: { post: Post }) {
  return (
    <ActionButton
      type="button"
      aria-label={t`Share this post`}
      title={t({ message: 'Share', context: 'verb' })}
      onClick={() => shareLink(postUrl(post.id))}
    >
      <Box as="span" fontSize="xl">
        <ShareIcon />
      </Box>
    </ActionButton>
  )
}

/** Shows the author how often others viewed the post. */
function Views({ count }: { count: number }) {
  const label = t`${plural(count, { one: '# view', other: '# views' })}`
  return (
    <Box
      display="inline-flex"
      alignItems="center"
      gap="1.5"
      minHeight="target"
      position="relative"
      paddingInline="3"
      textStyle="small"
      color="muted"
      fontVariantNumeric="tabular-nums"
      whiteSpace="nowrap"
      title={label}
    >
      <Box as="span" fontSize="xl">
        <EyeIcon />
      </Box>
      <VisuallyHidden>{label}</VisuallyHidden>
      <span aria-hidden>{compactNumber(count)}</span>
    </Box>
  )
}

/** Saves a post or removes it from the saved posts. Sends visitors to the login page. */
function SaveButton({ post }: { post: Post }) {
  const { isAuthenticated } = useCurrentUser()
  const save = useToggleSave(post.id)
  const press = () => {
    if (isAuthenticated) save.mutate()
    else openLoginPage()
  }
  const label = post.saved ? t`Saved` : t`Save`
  return (
    <ActionButton
      type="button"
      data-action="save"
      aria-pressed={post.saved}
      aria-label={label}
      title={label}
      gridColumnEnd="-1"
      onClick={press}
    >
      <Box as="span" fontSize="xl">
        <BookmarkIcon filled={post.saved} />
      </Box>
    </ActionButton>
  )
}

/** Shows '5 comments' or, if there are none, what the button does. */
function CommentsLabel({ count }: { count: number }) {
  return (
    <Box as="span" aria-hidden whiteSpace="nowrap">
      {count === 0
        ? t({ message: 'Comment', context: 'verb' })
        : t`${plural(count, { one: '# comment', other: '# comments' })}`}
    </Box>
  )
}

function Count({ count }: { count: number }) {
  return count > 0 && <span aria-hidden>{compactNumber(count)}</span>
}

const ActionButton = chakra('button', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1.5',
    minHeight: 'target',
    minWidth: 'target',
    paddingInline: '3',
    borderRadius: 'full',
    textStyle: 'small',
    color: 'muted',
    fontVariantNumeric: 'tabular-nums',
    cursor: 'pointer',
    transition: 'color {durations.fast}',
    _hover: { color: 'ember.text' },
    '&[aria-pressed=true], &[aria-expanded=true]': { color: 'ember.text' },
    '&[aria-disabled=true]': { cursor: 'not-allowed', opacity: 0.7, color: 'muted' },
  },
})

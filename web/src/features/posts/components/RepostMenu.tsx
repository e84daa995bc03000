import type { Post } from '@contract/post.ts'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { type ReactElement, type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { CloseIcon, QuoteIcon, RepostIcon } from '@/ui/icons'
import { Menu, MenuGroup, MenuItem } from '@/ui/Menu'
import { useToggleRepost } from '../api/repost'
import { QuoteDialog } from './QuoteDialog'

/**
 * Shows a menu to repost the post, undo the repost, or quote the post. The menu opens when this component is mounted.
 * If the post can be neither reposted nor quoted, the menu says why.
 */
export function RepostMenu({
  post,
  user,
  trigger,
  button,
}: {
  post: Post
  user: OwnUser
  trigger: ReactElement
  /** The element that `trigger` renders. */
  button: RefObject<HTMLButtonElement | null>
}) {
  const repost = useToggleRepost(post.id, user.id)
  const [quoteCount, setQuoteCount] = useState(0)
  const { reposted, canQuote } = post
  // The trigger replaces the button that was pressed.
  useLayoutEffect(() => button.current?.focus({ preventScroll: true }), [button])
  // A menu that is mounted open would not return the focus to its trigger.
  useEffect(() => {
    const frame = requestAnimationFrame(() => button.current?.click())
    return () => cancelAnimationFrame(frame)
  }, [button])
  const items = (
    <>
      <MenuItem value="repost" disabled={!canQuote && !reposted} onSelect={() => repost.mutate(!reposted)}>
        {reposted ? <CloseIcon /> : <RepostIcon />}
        {reposted ? t`Undo repost` : t({ message: 'Repost', context: 'verb' })}
      </MenuItem>
      <MenuItem value="quote" disabled={!canQuote} onSelect={() => setQuoteCount(quoteCount + 1)}>
        <QuoteIcon /> {t`Quote post`}
      </MenuItem>
    </>
  )
  const reason = post.hidden
    ? t`Moderators hid this post, so it can't be reposted or quoted.`
    : t`The author limits who can see or find this post, so it can't be reposted or quoted.`
  return (
    <>
      <Menu label={canQuote ? t`Repost or quote` : reason} placement="bottom-start" trigger={trigger}>
        {canQuote ? items : <MenuGroup label={reason}>{items}</MenuGroup>}
      </Menu>
      {quoteCount > 0 && (
        <QuoteDialog key={quoteCount} post={post} user={user} finalFocus={() => button.current} />
      )}
    </>
  )
}

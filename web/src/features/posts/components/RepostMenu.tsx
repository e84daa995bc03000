import type { Post } from '@contract/post.ts'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { CloseIcon, QuoteIcon, RepostIcon } from '@/ui/icons'
import { Menu, MenuGroup, MenuItem } from '@/ui/Menu'
import { useToggleRepost } from '../api/repost'

const QuoteDialog = lazy(() => import('./QuoteDialog'))

/**
 * Shows a menu, initially open, to repost the post, undo the repost, or quote the post. If the post can be neither
 * reposted nor quoted, the menu says why.
 */
export default function RepostMenu({
  post,
  user,
  trigger,
  finalFocus,
}: {
  post: Post
  user: OwnUser
  trigger: ReactElement
  /** Returns the element that is focused when the composer closes. */
  finalFocus: () => HTMLElement | null
}) {
  const repost = useToggleRepost(post.id, user.id)
  const [quoteCount, setQuoteCount] = useState(0)
  const { reposted, canQuote } = post
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
      <Menu
        label={canQuote ? t`Repost or quote` : reason}
        placement="bottom-start"
        trigger={trigger}
        initiallyOpen
      >
        {canQuote ? items : <MenuGroup label={reason}>{items}</MenuGroup>}
      </Menu>
      {quoteCount > 0 && (
        <Suspense fallback={null}>
          <QuoteDialog key={quoteCount} post={post} user={user} finalFocus={finalFocus} />
        </Suspense>
      )}
    </>
  )
}

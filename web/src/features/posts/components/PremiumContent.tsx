import { Box } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { type ReactNode, useRef, useState } from 'react'
import { openLoginPage } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { PremiumLock } from './PremiumLock'
import { UnlockDialog } from './UnlockDialog'

/** A premium post to those who did not write it: what is paid for comes into the place that was kept for it. */
export function PremiumContent({
  post,
  teaser,
  children,
}: {
  post: Post
  /** Shown while it is locked. */
  teaser: ReactNode
  /** Shown once it is not. */
  children: ReactNode
}) {
  const { isAuthenticated } = useCurrentUser()
  const [lockedAtFirst] = useState(post.locked)
  const [asking, setAsking] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  // Unlocked, here or elsewhere: a lock that came back would not ask by itself.
  if (asking && !post.locked) setAsking(false)
  return (
    <div ref={root}>
      {post.locked ? (
        <>
          {teaser}
          <PremiumLock post={post} onUnlock={() => (isAuthenticated ? setAsking(true) : openLoginPage())} />
        </>
      ) : (
        <Box animation={lockedAtFirst ? 'fadeIn 200ms {easings.out}' : undefined}>{children}</Box>
      )}
      <UnlockDialog
        post={post}
        open={asking}
        onClose={() => setAsking(false)}
        finalFocus={() => focusable(root.current?.closest('article'))}
      />
    </div>
  )
}

/** The button that opened the dialog may be gone; the post that it stood in is not. */
function focusable(post: HTMLElement | null | undefined): HTMLElement | null {
  const button = post?.querySelector<HTMLElement>('[data-unlock]')
  if (button) return button
  if (post) post.tabIndex = -1
  return post ?? null
}

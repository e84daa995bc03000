import type { Post } from '@contract/post.ts'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useCurrentUser } from '@/session/session'
import { changePostDraft } from '../post-draft'

const ComposeDialog = lazy(() => import('./composer/ComposeDialog'))

/**
 * Returns a function that opens the composer with a post as the quoted one, and the dialog, which has to be rendered.
 * The function is undefined if the user cannot quote the post.
 */
export function useQuoteDialog(
  post: Post,
  finalFocus: () => HTMLElement | null,
): { quote?: () => void; dialog: ReactNode } {
  const { user } = useCurrentUser()
  // Null until the dialog is opened for the first time, so that its code is loaded only then.
  const [isOpen, setOpen] = useState<boolean | null>(null)
  if (!user || !post.canQuote) return { dialog: null }
  return {
    quote: () => {
      changePostDraft(user.id, { quotedPostId: post.id })
      setOpen(true)
    },
    dialog: isOpen !== null && (
      <Suspense fallback={null}>
        <ComposeDialog user={user} open={isOpen} onClose={() => setOpen(false)} finalFocus={finalFocus} />
      </Suspense>
    ),
  }
}

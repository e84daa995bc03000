import type { Post } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useCurrentUser } from '@/session/session'
import { toast } from '@/ui/toaster'
import { publishKey } from '../api/posts'
import { getChosenFile, isCheckingMedia } from '../chosen-media'
import { changePostDraft, differOnlyInMedia, getPostDraft } from '../post-draft'

const ComposeDialog = lazy(() => import('./composer/ComposeDialog'))

/**
 * Returns a function that opens the composer to quote a post, and the composer's dialog, which the caller must render.
 * The function is undefined if the user cannot quote the post. If the user closes the dialog without changing the
 * draft, the draft's previous quote, if any, is restored.
 */
export function useQuoteDialog(
  post: Post,
  finalFocus: () => HTMLElement | null,
): { quote?: () => void; dialog: ReactNode } {
  const { user } = useCurrentUser()
  const client = useQueryClient()
  // Null until the dialog is opened for the first time, so that its code is loaded only then.
  const [isOpen, setOpen] = useState<boolean | null>(null)
  /** Undoes the quote. Set while the dialog is open. */
  const undo = useRef<() => void>(undefined)
  // The user may leave the page while the dialog is open.
  useEffect(() => () => undo.current?.(), [])
  if (!user || !post.canQuote) return { dialog: null }
  const isPublishing = () => client.isMutating({ mutationKey: publishKey(user.id) }) > 0
  return {
    quote: () => {
      if (isPublishing()) {
        toast({ title: t`Your post is still being published. Try again in a moment.` })
        return
      }
      const { quotedPostId } = getPostDraft(user.id)
      const file = getChosenFile(user.id)
      changePostDraft(user.id, { quotedPostId: post.id })
      const quoting = getPostDraft(user.id)
      undo.current = () => {
        const isChanged =
          !differOnlyInMedia(getPostDraft(user.id), quoting) ||
          getChosenFile(user.id) !== file ||
          isCheckingMedia(user.id)
        if (!isChanged && !isPublishing()) changePostDraft(user.id, { quotedPostId })
      }
      setOpen(true)
    },
    dialog: isOpen !== null && (
      <Suspense fallback={null}>
        <ComposeDialog
          user={user}
          open={isOpen}
          onClose={() => {
            undo.current?.()
            undo.current = undefined
            setOpen(false)
          }}
          finalFocus={finalFocus}
        />
      </Suspense>
    ),
  }
}

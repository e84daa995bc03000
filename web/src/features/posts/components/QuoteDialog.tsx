import type { Post } from '@contract/post.ts'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { toast } from '@/ui/toaster'
import { publishKey } from '../api/posts'
import { getChosenFile, isCheckingMedia } from '../chosen-media'
import { changePostDraft, differOnlyInMedia, getPostDraft } from '../post-draft'
import ComposeDialog from './composer/ComposeDialog'

/**
 * When mounted, adds the post to the user's draft as a quote and shows the composer. If the user closes it without
 * changing the draft, the draft's previous quote, if any, is restored.
 */
export function QuoteDialog({
  post,
  user,
  finalFocus,
}: {
  post: Post
  user: OwnUser
  finalFocus: () => HTMLElement | null
}) {
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  /** Undoes the quote. Set while the dialog is open. */
  const undo = useRef<() => void>(undefined)
  const close = () => {
    undo.current?.()
    undo.current = undefined
    setOpen(false)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: adds the quote only when the component is mounted
  useEffect(() => {
    const isPublishing = () => client.isMutating({ mutationKey: publishKey(user.id) }) > 0
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
    // The user may leave the page while the dialog is open.
    return close
  }, [])
  return <ComposeDialog user={user} open={isOpen} onClose={close} finalFocus={finalFocus} />
}

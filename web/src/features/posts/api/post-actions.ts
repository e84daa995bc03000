import type { Post } from '@contract/post.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { isUnauthorized } from '@/lib/api'
import { pauseRefetching } from '@/lib/pause-refetching'
import { pendingMutationCount } from '@/lib/pending-mutation-count'
import { toast } from '@/ui/toaster'
import { isPostGone, removeGonePost } from './gone-posts'
import { postKeys } from './keys'
import { findPost, updatePost } from './post-cache'

/** What one press of a post's button changes back and forth. */
interface Toggle<Part> {
  postId: string
  /** Tells the button from the post's others. */
  name: string
  /** Asks the server, which toggles too and answers with what the post is now. */
  send: () => Promise<Part>
  /** What of the post the answer speaks of. */
  partOf: (post: Post) => Part
  /** The same part after a press. */
  turned: (post: Post) => Part
  /** Said when it fails. */
  failed: string
  onSettled?: () => void
}

/**
 * Changes a post at once on the screen, then as the server answers, back again when it fails. Presses of one button
 * are sent one after the other, since each of them toggles.
 */
export function useTogglePost<Part extends Partial<Post>>({
  postId,
  name,
  send,
  partOf,
  turned,
  failed,
  onSettled,
}: Toggle<Part>) {
  const client = useQueryClient()
  const scope = `${name}:${postId}`
  const show = (part: (post: Post) => Part) =>
    updatePost(client, postId, (post) => ({ ...post, ...part(post) }))
  return useMutation({
    scope: { id: scope },
    mutationFn: send,
    onMutate: async () => {
      const resume = await pauseRefetching(client, { queryKey: postKeys.all })
      const post = findPost(client, postId)
      show(turned)
      return { resume, before: post && partOf(post) }
    },
    onSuccess: (answer) => {
      // While another press waits its turn, the screen already shows what comes after it.
      if (pendingMutationCount(client, scope) <= 1) show(() => answer)
    },
    onError: (error, _, shown) => {
      const before = shown?.before
      if (before) show(() => before)
      if (isPostGone(error)) removeGonePost(client, postId)
      else if (!isUnauthorized(error)) toast({ title: failed, tone: 'destructive' })
    },
    onSettled: (_answer, _error, _sent, shown) => {
      shown?.resume()
      onSettled?.()
    },
  })
}

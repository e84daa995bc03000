import { CheckoutResponse } from '@contract/payment.ts'
import {
  type EditPostRequest,
  LikeResponse,
  Post,
  SaveResponse,
  type UnlockRequest,
  UnlockResponse,
} from '@contract/post.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { redirectToCheckout } from '@/billing/checkout'
import { ApiError, api, errorMessage, ignoreNotFound, isTransient, isUnauthorized } from '@/lib/api'
import { pauseRefetching, pendingMutationCount } from '@/lib/query-cache'
import { queryKeys } from '@/lib/query-client'
import { toast } from '@/ui/toaster'
import {
  findPost,
  isPostGone,
  type PostPages,
  postKeys,
  removeGonePost,
  removePost,
  updatePost,
} from './posts'

/** Likes a post or removes the like. */
export function useToggleLike(postId: string) {
  return useTogglePost({
    postId,
    name: 'like',
    send: () => api.post(`/api/posts/${postId}/like`, undefined, LikeResponse),
    select: (post): LikeResponse => ({ liked: post.liked, likesCount: post.likesCount }),
    toggle: toggleLiked,
    errorTitle: 'Failed to update like',
  })
}

/** Returns the optimistic state of a post's like after its button was pressed. */
export function toggleLiked(post: Post): LikeResponse {
  const delta = post.liked ? -1 : 1
  return { liked: !post.liked, likesCount: Math.max(0, post.likesCount + delta) }
}

/** Saves a post or removes it from the saved posts. */
export function useToggleSave(postId: string) {
  const client = useQueryClient()
  return useTogglePost({
    postId,
    name: 'save',
    send: () => api.post(`/api/posts/${postId}/save`, undefined, SaveResponse),
    select: (post): Pick<Post, 'saved'> => ({ saved: post.saved }),
    toggle: (post): Pick<Post, 'saved'> => ({ saved: !post.saved }),
    errorTitle: 'Failed to save post',
    onSettled: () => invalidateSavedPosts(client, postId),
  })
}

/**
 * Invalidates the saved posts after one was saved or unsaved. A list on the screen that contains the post is refetched
 * only when it is shown again, so that an unsaved post does not disappear while it is read.
 */
export function invalidateSavedPosts(client: QueryClient, postId: string): void {
  const pages = client.getQueryData<PostPages>(postKeys.saved)?.pages ?? []
  const isListed = pages.some((page) => page.items.some(({ id }) => id === postId))
  void client.invalidateQueries({ queryKey: postKeys.saved, refetchType: isListed ? 'none' : 'active' })
}

/** Removes unsaved posts from the list of saved posts, and refetches the list when it is next shown. */
export function pruneSavedPosts(client: QueryClient): void {
  client.setQueryData<PostPages>(postKeys.saved, (data) =>
    data
      ? {
          ...data,
          pages: data.pages.map((page) => ({ ...page, items: page.items.filter((post) => post.saved) })),
        }
      : data,
  )
  void client.invalidateQueries({ queryKey: postKeys.saved, refetchType: 'none' })
}

/** A button that toggles a part of a post. */
interface PostToggle<Part> {
  postId: string
  /** Tells the post's toggles apart. */
  name: string
  /** Toggles on the server, which responds with the new state. */
  send: () => Promise<Part>
  /** Returns the part of the post that the toggle changes. */
  select: (post: Post) => Part
  /** Returns that part after one press. */
  toggle: (post: Post) => Part
  /** Title of the toast when the request fails. */
  errorTitle: string
  onSettled?: () => void
}

/**
 * Toggles a part of a post optimistically, replaces it with the server's response, and rolls back on failure. Presses
 * of the same button are sent one after another, because each request toggles the state on the server.
 */
function useTogglePost<Part extends Partial<Post>>({
  postId,
  name,
  send,
  select,
  toggle,
  errorTitle,
  onSettled,
}: PostToggle<Part>) {
  const client = useQueryClient()
  const scope = `${name}:${postId}`
  const apply = (change: (post: Post) => Part) =>
    updatePost(client, postId, (post) => ({ ...post, ...change(post) }))
  return useMutation({
    scope: { id: scope },
    mutationFn: send,
    onMutate: async () => {
      const resume = await pauseRefetching(client, { queryKey: postKeys.all })
      const post = findPost(client, postId)
      apply(toggle)
      return { resume, before: post && select(post) }
    },
    onSuccess: (response) => {
      // While another press is queued, the screen already shows its result.
      if (pendingMutationCount(client, scope) <= 1) apply(() => response)
    },
    onError: (error, _, context) => {
      const before = context?.before
      if (before) apply(() => before)
      if (isPostGone(error)) removeGonePost(client, postId)
      else if (!isUnauthorized(error)) toast({ title: errorTitle, tone: 'destructive' })
    },
    onSettled: (_response, _error, _variables, context) => {
      context?.resume()
      onSettled?.()
    },
  })
}

const editError = 'Failed to save the post. Please try again.'

/** Edits one of the current user's posts. */
export function useEditPost(postId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (fields: EditPostRequest) => api.patch(`/api/posts/${postId}`, fields, Post),
    onSuccess: (post) => {
      updatePost(client, postId, () => post)
      toast({ title: 'Post updated' })
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      if (isPostGone(error)) {
        removeGonePost(client, postId)
        return
      }
      const description = isTransient(error) ? editError : errorMessage(error, editError)
      toast({ title: 'Error', description, tone: 'destructive' })
    },
  })
}

/**
 * Deletes one of the current user's posts; a post that no longer exists counts as deleted. The hook shows the toasts
 * itself, because the post's card has unmounted by then.
 */
export function useDeletePost(postId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => ignoreNotFound(api.delete(`/api/posts/${postId}`)),
    onSuccess: () => {
      toast({ title: 'Post Deleted' })
      removePost(client, postId)
      client.removeQueries({ queryKey: postKeys.detail(postId) })
      void client.invalidateQueries({ queryKey: queryKeys.userStats })
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      const description = 'Failed to delete post. Please try again.'
      toast({ title: 'Error', description, tone: 'destructive' })
    },
  })
}

const UnlockResult = z.union([UnlockResponse, CheckoutResponse])

/** Returns whether the server refused a payment because the post's price has changed. */
export function isPriceChanged(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'amount_mismatch'
}

/**
 * Unlocks a premium post for an amount in US dollars. The post is shown unlocked immediately, or the browser goes to
 * the payment provider's page. If the price has changed, the post is refetched, so that the dialog shows the new price.
 */
export function useUnlock(postId: string) {
  const client = useQueryClient()
  const scope = `unlock:${postId}`
  const mutation = useMutation({
    scope: { id: scope },
    mutationFn: (amount: number) =>
      api.post(`/api/posts/${postId}/unlock`, { amount } satisfies UnlockRequest, UnlockResult),
    onSuccess: (result) => {
      if ('checkoutUrl' in result) {
        redirectToCheckout(result.checkoutUrl, { kind: 'unlock', postId })
        return
      }
      updatePost(client, postId, () => result.post)
      toast({ title: 'Content Unlocked!' })
    },
    onError: async (error) => {
      if (isUnauthorized(error)) return
      if (isPostGone(error)) {
        removeGonePost(client, postId)
        return
      }
      if (isPriceChanged(error) && (await refetchPost(client, postId))) return
      toast({
        title: 'Payment Failed',
        description: 'Failed to unlock premium content. Please try again.',
        tone: 'destructive',
      })
    },
  })
  const unlock = (amount: number) => {
    // A second press can come before the button is rerendered as disabled.
    if (pendingMutationCount(client, scope) === 0) mutation.mutate(amount)
  }
  return { unlock, isPending: mutation.isPending, error: mutation.error, reset: mutation.reset }
}

/** Returns whether the post was fetched and updated in the cache. */
async function refetchPost(client: QueryClient, postId: string): Promise<boolean> {
  try {
    const post = await api.get(`/api/posts/${postId}`, Post)
    updatePost(client, postId, () => post)
    return true
  } catch {
    return false
  }
}

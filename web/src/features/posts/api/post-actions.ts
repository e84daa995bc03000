import { type EditPostRequest, LikeResponse, Post, SaveResponse } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { errorMessage, ignoreNotFound, isNotFound, isTransient } from '@/lib/errors'
import { pauseRefetching, pendingMutationCount, updateItems } from '@/lib/query-cache'
import { queryKeys } from '@/lib/query-client'
import { toast } from '@/ui/toaster'
import {
  findPost,
  type PostPages,
  postKeys,
  removeGonePost,
  removePost,
  updateAllPosts,
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
    errorTitle: t`Failed to update like`,
  })
}

/** Returns the optimistic like state of a post after the like button was pressed. */
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
    errorTitle: t`Failed to save post`,
    onSettled: () => invalidateSavedPosts(client, postId),
  })
}

/**
 * Invalidates the list of saved posts after a post was saved or unsaved. If the list contains the post, it is refetched
 * only when it is next shown, so that an unsaved post does not disappear while the user reads it.
 */
export function invalidateSavedPosts(client: QueryClient, postId: string): void {
  const pages = client.getQueryData<PostPages>(postKeys.saved)?.pages ?? []
  const isListed = pages.some((page) => page.items.some(({ id }) => id === postId))
  void client.invalidateQueries({ queryKey: postKeys.saved, refetchType: isListed ? 'none' : 'active' })
}

/** Removes unsaved posts from the list of saved posts, and refetches the list when it is next shown. */
export function pruneSavedPosts(client: QueryClient): void {
  client.setQueryData<PostPages>(postKeys.saved, (data) =>
    updateItems(data, (posts) => posts.filter((post) => post.saved)),
  )
  void client.invalidateQueries({ queryKey: postKeys.saved, refetchType: 'none' })
}

/** A button that changes some fields of a post (`Part`), such as `liked` and `likesCount`. */
interface PostToggle<Part, Variables> {
  postId: string
  /** Distinguishes the toggles of the same post. */
  name: string
  /** Sends the request that changes the state on the server. Resolves to the new state. */
  send: (variables: Variables) => Promise<Part>
  /** Returns the fields that the toggle changes. */
  select: (post: Post) => Part
  /** Returns those fields as they are after the button is pressed. */
  toggle: (post: Post, variables: Variables) => Part
  /** Title of the toast when the request fails. */
  errorTitle: string
  onSettled?: () => void
}

/**
 * Changes the fields of a post optimistically, replaces them with those in the server's response, and rolls back on
 * failure. Requests from the same button are sent one after another, because most of them toggle the state on the
 * server.
 */
export function useTogglePost<Part extends Partial<Post>, Variables = void>({
  postId,
  name,
  send,
  select,
  toggle,
  errorTitle,
  onSettled,
}: PostToggle<Part, Variables>) {
  const client = useQueryClient()
  const scope = `${name}:${postId}`
  const apply = (change: (post: Post) => Part) =>
    updatePost(client, postId, (post) => ({ ...post, ...change(post) }))
  return useMutation({
    scope: { id: scope },
    mutationFn: send,
    meta: {
      errorTitle,
      errorMessage: (error) => (isNotFound(error) ? null : errorMessage(error, t`Try again.`)),
    },
    onMutate: async (variables) => {
      const resume = await pauseRefetching(client, { queryKey: postKeys.all })
      const post = findPost(client, postId)
      apply((current) => toggle(current, variables))
      return { resume, before: post && select(post) }
    },
    onSuccess: (response) => {
      // If another press is queued, the screen already shows the result of that press.
      if (pendingMutationCount(client, scope) <= 1) apply(() => response)
    },
    onError: (error, _, context) => {
      const before = context?.before
      if (before) apply(() => before)
      if (isNotFound(error)) removeGonePost(client, postId)
    },
    onSettled: (_response, _error, _variables, context) => {
      context?.resume()
      onSettled?.()
    },
  })
}

/**
 * Pins one of the current user's posts to the top of their profile, where it replaces any other pinned post, or unpins
 * it.
 */
export function usePinPost(postId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (pinned: boolean) => api.command(pinned ? 'PUT' : 'DELETE', `/api/posts/${postId}/pin`),
    meta: {
      errorMessage: (error) =>
        isNotFound(error) ? null : errorMessage(error, t`Couldn't change the pinned post. Try again.`),
    },
    onSuccess: (_, pinned) => {
      updateAllPosts(client, (post) => {
        const isPinned = post.id === postId ? pinned : post.pinned && !(pinned && post.mine)
        return isPinned === post.pinned ? post : { ...post, pinned: isPinned }
      })
      // The post moves to or from the top.
      void client.invalidateQueries({ queryKey: queryKeys.profilePosts })
      toast({ title: pinned ? t`Pinned to your profile` : t`Unpinned from your profile` })
    },
    onError: (error) => {
      if (isNotFound(error)) removeGonePost(client, postId)
    },
  })
}

/** Edits one of the current user's posts. */
export function useEditPost(postId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (fields: EditPostRequest) => api.patch(`/api/posts/${postId}`, fields, Post),
    meta: {
      errorMessage: (error) => {
        if (isNotFound(error)) return null
        const fallback = t`Couldn't save the post. Try again.`
        return isTransient(error) ? fallback : errorMessage(error, fallback)
      },
    },
    onSuccess: (post) => {
      updatePost(client, postId, () => post)
      toast({ title: t`Post updated` })
    },
    onError: (error) => {
      if (isNotFound(error)) removeGonePost(client, postId)
    },
  })
}

/**
 * Deletes one of the current user's posts. A post that no longer exists counts as deleted. The toast is shown here, not
 * by the post's card, because the card unmounts when the post is removed.
 */
export function useDeletePost(postId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => ignoreNotFound(api.delete(`/api/posts/${postId}`)),
    meta: { errorMessage: t`Failed to delete post. Please try again.` },
    onSuccess: () => {
      toast({ title: t`Post Deleted` })
      removePost(client, postId)
      client.removeQueries({ queryKey: postKeys.detail(postId) })
      void client.invalidateQueries({ queryKey: queryKeys.userStats })
    },
  })
}

import { Comment, type CommentSort, type CreateCommentRequest, LinkedComment } from '@contract/comment.ts'
import { limits } from '@contract/limits.ts'
import type { LenientNotification, NotificationComment } from '@contract/notification.ts'
import { LikeResponse } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import {
  type InfiniteData,
  infiniteQueryOptions,
  type Query,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import { z } from 'zod'
import { api, type Page, withQuery } from '@/lib/api'
import { errorMessage, ignoreNotFound, isNotFound, isTransient } from '@/lib/errors'
import { parseJson } from '@/lib/json'
import { pauseRefetching, pendingMutationCount, updateItems } from '@/lib/query-cache'
import { pageFreshness, queryKeys } from '@/lib/query-client'
import { createDraftStore, useStoredDraft } from '@/lib/storage'
import { uuidv7 } from '@/lib/uuid'
import { toast } from '@/ui/toaster'

/** Each key except `all` contains the post's id, so that an event about the post can invalidate all of its comments. */
const commentKeys = {
  all: queryKeys.comments,
  /** The lists of the top-level comments on a post, in every sort order. */
  onPost: (postId: string) => [...queryKeys.comments, postId, 'list'] as const,
  sorted: (postId: string, sort: CommentSort) => [...commentKeys.onPost(postId), sort] as const,
  replies: (postId: string, commentId: string) =>
    [...queryKeys.comments, postId, 'replies', commentId] as const,
  linked: (postId: string, commentId: string) =>
    [...queryKeys.comments, postId, 'linked', commentId] as const,
}

/** The top-level comments on a post. */
export function commentsQuery(postId: string, sort: CommentSort = 'newest') {
  const path = `/api/posts/${encodeURIComponent(postId)}/comments`
  return commentListQuery(commentKeys.sorted(postId, sort), path, sort)
}

/** The replies to a comment, oldest first. */
export function repliesQuery({ id, postId }: Pick<Comment, 'id' | 'postId'>) {
  return commentListQuery(commentKeys.replies(postId, id), `/api/comments/${encodeURIComponent(id)}/replies`)
}

/**
 * Cuts off a refetched first page after the last comment that the page showed before. The page therefore grows by the
 * number of new comments, and they do not push a comment that the user is reading or replying to off its end.
 */
export function endAtSameComment(page: Page<Comment>, shown: Page<Comment>): Page<Comment> {
  const lastId = shown.items.at(-1)?.id
  const index = page.items.findIndex(({ id }) => id === lastId)
  if (index < 0 || shown.nextCursor === null) return page
  return { items: page.items.slice(0, index + 1), nextCursor: shown.nextCursor }
}

/**
 * The comment that the URL links to, with its parent if it is a reply. Null if the comment no longer exists or belongs
 * to another post.
 */
export function linkedCommentQuery(postId: string, commentId: string) {
  return queryOptions({
    queryKey: commentKeys.linked(postId, commentId),
    queryFn: async ({ signal }) => {
      const path = `/api/comments/${encodeURIComponent(commentId)}`
      try {
        const linked = await api.get(path, LinkedComment, { signal })
        return linked.comment.postId === postId ? linked : null
      } catch (error) {
        if (isNotFound(error)) return null
        throw error
      }
    },
    staleTime: 0,
  })
}

/** Refetches the cached comments on a post. */
export function refetchComments(client: QueryClient, postId: string): void {
  // A fetch in progress returns the latest comments anyway.
  const predicate = ({ state }: Query) => state.data !== undefined && state.fetchStatus === 'idle'
  void client.invalidateQueries({ queryKey: [...commentKeys.all, postId], predicate })
}

function commentListQuery(queryKey: readonly unknown[], path: string, sort?: CommentSort) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam, signal, client }): Promise<Page<Comment>> => {
      // When sorted by likes, a refetched page may contain the same comments in a different order.
      const canGrow = pageParam === null && sort !== 'top'
      const shown = canGrow ? client.getQueryData<CommentPages>(queryKey)?.pages[0] : undefined
      // Covers the comments that the page already shows and one page of new ones.
      const limit = shown
        ? Math.min(limits.page.max, shown.items.length + limits.page.comments)
        : limits.page.comments
      const query = { limit, sort, cursor: pageParam ?? undefined }
      const page = await api.page(withQuery(path, query), Comment, { signal })
      return shown ? endAtSameComment(page, shown) : page
    },
    initialPageParam: null as string | null,
    getNextPageParam: (lastPage) => lastPage.nextCursor,
    ...pageFreshness,
  })
}

/**
 * Returns whether the last fetch of the comments found that the post no longer exists. Ignores an earlier 404 during a
 * refetch, because the post may be available again.
 */
export function isPostGone(list: { isFetching: boolean; error: unknown }): boolean {
  return !list.isFetching && isNotFound(list.error)
}

/** Returns whether a query's data contains comments, or posts with their comment counts. */
const containsCommentCount = ({ queryKey: [root] }: Pick<Query, 'queryKey'>): boolean =>
  root === queryKeys.comments[0] || root === queryKeys.posts[0]

/**
 * Creates a comment or a reply. The client generates the id, so repeating the request does not store a second comment.
 * The post's comment count changes optimistically. The draft is kept until the comment is stored. The handlers are in
 * this hook, not in the form, because the form may have been unmounted by the time the response arrives.
 *
 * @param target the post to comment on; for a reply, also the comment or reply that the user is replying to
 */
export function useCreateComment(
  { postId, replyTo }: { postId: string; replyTo?: Pick<Comment, 'id' | 'parentCommentId'> },
  userId: string,
  onCount: (delta: number) => void,
) {
  const queryClient = useQueryClient()
  const draftTarget = replyTo?.id ?? postId
  // Replies are one level deep: a reply to a reply gets the same parent comment.
  const parentCommentId = replyTo && (replyTo.parentCommentId ?? replyTo.id)
  const scope = `comment:${draftTarget}`
  const { mutate, isPending } = useMutation({
    scope: { id: scope },
    mutationFn: (comment: { id: string; content: string }) => {
      const body: CreateCommentRequest = { ...comment, parentCommentId }
      return api.post(`/api/posts/${encodeURIComponent(postId)}/comments`, body, Comment)
    },
    meta: {
      errorMessage: (error) => {
        // The post is gone. The refetched list reports it, so no toast is needed.
        if (isNotFound(error) && !replyTo) return null
        const fallback = t`Failed to post comment. Please try again.`
        return isTransient(error) ? fallback : errorMessage(error, fallback)
      },
    },
    onMutate: async () => {
      const resume = await pauseRefetching(queryClient, { predicate: containsCommentCount })
      onCount(1)
      return { resume }
    },
    onSuccess: (comment, sent) => {
      clearCommentDraft(userId, draftTarget, sent.id)
      addCommentToCache(queryClient, comment)
      toast({ title: t`Comment added` })
    },
    onError: (error) => {
      onCount(-1)
      // The post or the parent comment is gone.
      if (isNotFound(error)) void queryClient.invalidateQueries({ queryKey: commentKeys.onPost(postId) })
    },
    onSettled: (_comment, _error, _sent, context) => {
      context?.resume()
      // A fetch in progress may have read the list before the comment was stored.
      const queryKey = parentCommentId
        ? commentKeys.replies(postId, parentCommentId)
        : commentKeys.onPost(postId)
      const predicate = ({ state }: Query) => state.fetchStatus === 'fetching'
      void queryClient.invalidateQueries({ queryKey, predicate })
    },
  })
  const createComment: typeof mutate = (comment, options) => {
    // A second click can arrive before the button is rendered as pending.
    if (pendingMutationCount(queryClient, scope) === 0) mutate(comment, options)
  }
  return { createComment, isPending }
}

/**
 * Deletes a comment and its replies. A comment that is already gone counts as deleted. The post's comment count changes
 * optimistically.
 */
export function useDeleteComment(comment: Comment, onCount: (delta: number) => void) {
  const queryClient = useQueryClient()
  const scope = `delete-comment:${comment.id}`
  const { mutate, isPending } = useMutation({
    scope: { id: scope },
    mutationFn: () => ignoreNotFound(api.delete(`/api/comments/${encodeURIComponent(comment.id)}`)),
    meta: { errorMessage: t`Couldn't delete the comment. Try again.` },
    onMutate: async () => {
      const resume = await pauseRefetching(queryClient, { predicate: containsCommentCount })
      onCount(-countWithReplies(comment))
      return { resume }
    },
    onSuccess: () => {
      removeCommentFromCache(queryClient, comment)
      toast({ title: t`Comment deleted` })
    },
    onError: () => onCount(countWithReplies(comment)),
    onSettled: (_data, _error, _variables, context) => context?.resume(),
  })
  const deleteComment = (options: { onError: () => void }) => {
    // A second click can arrive before the button is rendered as pending.
    if (pendingMutationCount(queryClient, scope) === 0) mutate(undefined, options)
  }
  return { deleteComment, isPending }
}

/**
 * Likes a comment or removes the like. The change is optimistic and rolled back on failure. Requests for the same
 * comment are sent one after another, because each one toggles the state on the server.
 */
export function useToggleCommentLike(comment: NotificationComment) {
  const queryClient = useQueryClient()
  const scope = `like-comment:${comment.id}`
  const apply = (change: (comment: LikeResponse) => LikeResponse) => {
    updateCachedComment(queryClient, comment, (cached) => ({ ...cached, ...change(cached) }))
    updateNotifiedComment(queryClient, comment.id, (cached) => ({ ...cached, ...change(cached) }))
  }
  return useMutation({
    scope: { id: scope },
    mutationFn: () =>
      api.post(`/api/comments/${encodeURIComponent(comment.id)}/like`, undefined, LikeResponse),
    meta: {
      errorTitle: t`Failed to update like`,
      // No message if the comment is gone: it disappears from the refetched list.
      errorMessage: (error) => (isNotFound(error) ? null : errorMessage(error, t`Try again.`)),
    },
    onMutate: async () => {
      const resume = await pauseRefetching(queryClient, {
        predicate: ({ queryKey: [root, id] }) =>
          root === queryKeys.notifications[0] || (root === commentKeys.all[0] && id === comment.postId),
      })
      let before: LikeResponse | undefined
      apply((cached) => {
        before ??= { liked: cached.liked, likesCount: cached.likesCount }
        return toggleLiked(cached)
      })
      return { resume, before }
    },
    onSuccess: (response) => {
      // If another press is queued, the screen already shows the result of that press.
      if (pendingMutationCount(queryClient, scope) <= 1) apply(() => response)
    },
    onError: (error, _, context) => {
      const before = context?.before
      if (before) apply(() => before)
      if (isNotFound(error)) refetchComments(queryClient, comment.postId)
    },
    onSettled: (_response, _error, _variables, context) => context?.resume(),
  })
}

function toggleLiked({ liked, likesCount }: LikeResponse): LikeResponse {
  return { liked: !liked, likesCount: Math.max(0, likesCount + (liked ? -1 : 1)) }
}

/**
 * Changes a comment or reply in the cached lists and linked comments, including where it is the parent of a linked
 * reply or the preview reply of its own parent.
 */
export function updateCachedComment(
  queryClient: QueryClient,
  { id, postId, parentCommentId }: Pick<Comment, 'id' | 'postId' | 'parentCommentId'>,
  change: (comment: Comment) => Comment,
): void {
  const changeIfSame = (comment: Comment): Comment => {
    if (comment.id === id) return change(comment)
    const preview = comment.previewReply
    return preview?.id === id ? { ...comment, previewReply: change(preview) } : comment
  }
  const lists: (readonly string[])[] = [commentKeys.onPost(postId)]
  if (parentCommentId) lists.push(commentKeys.replies(postId, parentCommentId))
  for (const list of lists) {
    queryClient.setQueriesData<CommentPages>({ queryKey: list }, (data) =>
      updatePages(data, (items) => items.map(changeIfSame)),
    )
  }
  queryClient.setQueriesData<LinkedComment | null>(
    { queryKey: [...commentKeys.all, postId, 'linked'] },
    (linked) =>
      linked && {
        comment: changeIfSame(linked.comment),
        parent: linked.parent && changeIfSame(linked.parent),
      },
  )
}

/** Changes a comment in the cached notifications about it. */
function updateNotifiedComment(
  queryClient: QueryClient,
  id: string,
  change: (comment: NotificationComment) => NotificationComment,
): void {
  const update = (item: LenientNotification) =>
    item.comment?.id === id ? { ...item, comment: change(item.comment) } : item
  queryClient.setQueriesData<InfiniteData<Page<LenientNotification>>>(
    { queryKey: queryKeys.notificationList },
    (data) => updateItems(data, (items) => items.map(update)),
  )
}

type CommentPages = InfiniteData<Page<Comment>, string | null>

/** Adds a new comment to its cached lists: a top-level comment at the start, a reply at the end. */
export function addCommentToCache(queryClient: QueryClient, comment: Comment): void {
  const parentId = comment.parentCommentId
  if (!parentId) {
    queryClient.setQueriesData<CommentPages>({ queryKey: commentKeys.onPost(comment.postId) }, (data) =>
      updatePages(data, (items, pageIndex) =>
        pageIndex === 0 ? [comment, ...withoutComment(items, comment.id)] : items,
      ),
    )
    return
  }
  queryClient.setQueryData<CommentPages>(commentKeys.replies(comment.postId, parentId), (data) =>
    updatePages(data, (items, pageIndex, lastPageIndex) =>
      pageIndex === lastPageIndex ? [...withoutComment(items, comment.id), comment] : items,
    ),
  )
  updateParent(queryClient, comment, (parent) => ({
    ...parent,
    repliesCount: parent.repliesCount + 1,
    previewReply: parent.repliesCount === 0 ? comment : parent.previewReply,
  }))
}

/** Removes a comment and its replies from the cached lists. */
export function removeCommentFromCache(queryClient: QueryClient, comment: Comment): void {
  const parentId = comment.parentCommentId
  const queryKey = parentId
    ? commentKeys.replies(comment.postId, parentId)
    : commentKeys.onPost(comment.postId)
  queryClient.setQueriesData<CommentPages>({ queryKey }, (data) =>
    updatePages(data, (items) => withoutComment(items, comment.id)),
  )
  if (parentId)
    updateParent(queryClient, comment, (parent) => ({
      ...parent,
      repliesCount: Math.max(0, parent.repliesCount - 1),
      previewReply: parent.previewReply?.id === comment.id ? null : parent.previewReply,
    }))
  else queryClient.removeQueries({ queryKey: commentKeys.replies(comment.postId, comment.id) })
}

/** Returns by how much the post's comment count drops when the comment is deleted. */
export function countWithReplies(comment: Comment): number {
  return 1 + comment.repliesCount
}

/**
 * Returns each cached comment once. New comments shift the pages, so two pages may contain the same comment. It is
 * then returned at its last position.
 */
export function uniqueComments(data: Pick<CommentPages, 'pages'> | undefined): Comment[] {
  const comments = data?.pages.flatMap((page) => page.items) ?? []
  const lastIndexById = new Map(comments.map((comment, index) => [comment.id, index]))
  return comments.filter((comment, index) => lastIndexById.get(comment.id) === index)
}

/** Changes the parent comment of a reply in the cached lists of comments. */
function updateParent(
  queryClient: QueryClient,
  { postId, parentCommentId }: Comment,
  change: (parent: Comment) => Comment,
): void {
  queryClient.setQueriesData<CommentPages>({ queryKey: commentKeys.onPost(postId) }, (data) =>
    updatePages(data, (items) => items.map((item) => (item.id === parentCommentId ? change(item) : item))),
  )
}

/** Sorts comments by the position of their ids in `order`. Comments that are not in `order` come last. */
export function keepOrder(comments: readonly Comment[], order: readonly string[]): Comment[] {
  const positions = new Map(order.map((id, index) => [id, index]))
  const getPosition = ({ id }: Comment) => positions.get(id) ?? order.length
  return comments.toSorted((a, b) => getPosition(a) - getPosition(b))
}

function withoutComment(items: Comment[], id: string): Comment[] {
  return items.filter((item) => item.id !== id)
}

function updatePages(
  data: CommentPages | undefined,
  updateItems: (items: Comment[], pageIndex: number, lastPageIndex: number) => Comment[],
): CommentPages | undefined {
  if (!data) return data
  const lastPageIndex = data.pages.length - 1
  return {
    ...data,
    pages: data.pages.map((page, pageIndex) => ({
      ...page,
      items: updateItems(page.items, pageIndex, lastPageIndex),
    })),
  }
}

/** `id` becomes the comment's id. It survives a reload, so repeating the request does not store a second comment. */
const CommentDraft = z.object({ id: z.string(), text: z.string() })
type CommentDraft = z.infer<typeof CommentDraft>

const draftName = (target: string) => `draft:comment:${target}`

const drafts = createDraftStore<CommentDraft>({
  empty: () => ({ id: uuidv7(), text: '' }),
  parse: (stored) => CommentDraft.safeParse(parseJson(stored)).data,
  isEmpty: ({ text }) => text === '',
})

/**
 * Returns the user's draft of a comment, which is stored in the browser and shared by all tabs.
 *
 * @param target the id of the post, or of the comment or reply that the user is replying to
 */
export function useCommentDraft(
  userId: string,
  target: string,
): { draft: CommentDraft; setText: (text: string) => void } {
  const draft = useStoredDraft(drafts, userId, draftName(target))
  return {
    draft,
    setText: useCallback((text: string) => setDraftText(userId, target, text), [userId, target]),
  }
}

/** Clears the draft of a comment that has been stored, unless the user has changed the text since it was sent. */
function clearCommentDraft(userId: string, target: string, id: string): void {
  if (drafts.get(userId, draftName(target)).id === id) setDraftText(userId, target, '')
}

/** Changed text gets a new id because the server may already have stored the earlier text under the old id. */
function setDraftText(userId: string, target: string, text: string): void {
  drafts.set(userId, draftName(target), { id: uuidv7(), text })
}

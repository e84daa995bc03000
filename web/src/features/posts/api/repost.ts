import { RepostResponse } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { useTogglePost } from './post-actions'
import { postKeys } from './posts'

/** Reposts a post, or undoes the repost: the mutation's variable is the new state. `userId` is the current user. */
export function useToggleRepost(postId: string, userId: string) {
  const client = useQueryClient()
  return useTogglePost({
    postId,
    name: 'repost',
    send: (reposted: boolean) =>
      api.send(reposted ? 'POST' : 'DELETE', `/api/posts/${postId}/repost`, undefined, RepostResponse),
    select: ({ reposted, repostsCount }): RepostResponse => ({ reposted, repostsCount }),
    toggle: (post, reposted): RepostResponse => ({
      reposted,
      repostsCount: Math.max(0, post.repostsCount + Number(reposted) - Number(post.reposted)),
    }),
    errorTitle: t`Failed to update repost`,
    // A post whose repost is undone stays in the list until the list is next shown, so that mistakes can be undone.
    onSettled: () =>
      void client.invalidateQueries({ queryKey: postKeys.reposts(userId), refetchType: 'none' }),
  })
}

import { Post, UnlockResponse } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { UnlockDialog } from '@/billing/components/UnlockDialog'
import { useUnlock } from '@/billing/unlocks'
import { api } from '@/lib/api'
import { isNotFound } from '@/lib/errors'
import { queryKeys } from '@/lib/query-client'
import { displayName } from '@/lib/text'
import { removeGonePost, updatePost } from '../api/posts'
import { contentSummary, unlockPrice } from '../model'

/** Asks the user to confirm the purchase of a premium post. If the price has changed, shows the new price. */
export function UnlockPostDialog({
  post,
  ...props
}: {
  post: Post
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
}) {
  const client = useQueryClient()
  const path = `/api/posts/${post.id}`
  const unlocking = useUnlock({
    id: post.id,
    purchase: { kind: 'unlock', postId: post.id },
    path: `${path}/unlock`,
    response: UnlockResponse,
    onUnlocked: ({ post: unlocked }) => {
      updatePost(client, post.id, () => unlocked)
      void client.invalidateQueries({ queryKey: queryKeys.creatorUpdates })
    },
    onError: async (error) => {
      if (isNotFound(error)) {
        removeGonePost(client, post.id)
        return false
      }
      const refetched = await api.get(path, Post)
      updatePost(client, post.id, () => refetched)
      return !refetched.locked
    },
  })
  return (
    <UnlockDialog
      title={t`Unlock this post`}
      description={<Offer post={post} />}
      summary={contentSummary(post)}
      amount={unlockPrice(post)}
      unlocking={unlocking}
      {...props}
    />
  )
}

/** Describes what the user buys, and from whom. */
function Offer({ post }: { post: Post }) {
  const authorName = displayName(post.user)
  switch (post.mediaType) {
    case 'image':
      return (
        <Trans>
          A premium photo from <bdi>{authorName}</bdi>. Yours to keep.
        </Trans>
      )
    case 'video':
      return (
        <Trans>
          A premium video from <bdi>{authorName}</bdi>. Yours to keep.
        </Trans>
      )
    default:
      return (
        <Trans>
          A premium post from <bdi>{authorName}</bdi>. Yours to keep.
        </Trans>
      )
  }
}

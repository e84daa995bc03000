import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dollars } from '@/lib/format'
import { useNearEnd } from '@/ui/LoadMore'
import { Skeleton } from '@/ui/Skeleton'
import { InlineError } from '@/ui/states'
import { findPost, isPostGone, postQuery } from '../api/posts'
import { unlockPrice } from '../model'
import { QuotedPostCard, toQuotedPost } from './QuotedPostCard'

/** Shows the post that a message links to, or says that the viewer may not see it. Loads the post when it is on the screen. */
export default function LinkedPostCard({
  postId,
  preview = false,
}: {
  postId: string
  /** Whether the message is a draft. */
  preview?: boolean
}) {
  const client = useQueryClient()
  const [wasShown, setShown] = useState(preview)
  const root = useNearEnd<HTMLDivElement>(!wasShown, () => setShown(true))
  const { data, error, refetch } = useQuery({
    ...postQuery(postId),
    enabled: wasShown,
    placeholderData: () => findPost(client, postId),
  })
  return (
    <div ref={root}>
      {isPostGone(error) ? (
        <QuotedPostCard quoted={{ available: false }} />
      ) : data ? (
        <QuotedPostCard
          quoted={toQuotedPost(data, data.locked)}
          label={t`Post:`}
          price={data.locked || (data.mine && data.isPremium) ? dollars(unlockPrice(data)) : null}
          preview={preview}
        />
      ) : error ? (
        <InlineError text={t`Couldn't load the post.`} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height="5rem" borderRadius="md" />
      )}
    </div>
  )
}

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { StageIllustration } from '@/ui/illustrations'
import { EmptyState } from '@/ui/states'
import { pruneSavedPosts } from '../api/post-actions'
import { likedQuery, savedQuery } from '../api/posts'
import { PostList } from './PostList'

/** Lists the posts that the user likes. Posts that they unlike stay until the list is next opened. */
export function LikedPosts() {
  return (
    <PostList
      query={likedQuery}
      empty={<EmptyList title={t`No liked posts yet`} text={t`Like a post and you'll find it here.`} />}
    />
  )
}

/** Lists the user's saved posts. Posts that they unsave stay until the list closes, so that mistakes can be undone. */
export function SavedPosts() {
  const client = useQueryClient()
  useEffect(() => () => pruneSavedPosts(client), [client])
  return (
    <PostList
      query={savedQuery}
      loadMoreLabel={t`Load More Saved Posts`}
      empty={<EmptyList title={t`No saved posts yet`} text={t`Save a post and you'll find it here.`} />}
    />
  )
}

function EmptyList(texts: { title: string; text: string }) {
  return (
    <EmptyState
      as="h2"
      illustration={<StageIllustration />}
      {...texts}
      action={
        <ButtonLink to={paths.discover.getHref()} variant="ember">
          <Trans>Explore posts</Trans>
        </ButtonLink>
      }
    />
  )
}

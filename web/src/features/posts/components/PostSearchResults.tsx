import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { SearchIllustration } from '@/ui/illustrations'
import { EmptyState } from '@/ui/states'
import { postSearchQuery } from '../api/posts'
import { PostList } from './PostList'

/**
 * Shows the posts that a search for `term` finds.
 *
 * @param emptyAction shown if it finds none
 */
export default function PostSearchResults({ term, emptyAction }: { term: string; emptyAction: ReactNode }) {
  return (
    <PostList
      query={postSearchQuery(term)}
      empty={
        <div role="status">
          <EmptyState
            illustration={<SearchIllustration />}
            title={t`No posts found`}
            text={
              <Trans>
                No posts found for "<bdi>{term}</bdi>". Try other words, or fewer.
              </Trans>
            }
            action={emptyAction}
          />
        </div>
      }
    />
  )
}

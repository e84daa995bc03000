import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { SearchIllustration } from '@/ui/illustrations'
import { PageHeader } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { followingQuery, pruneFollowing } from '../api'
import { UserGrid } from '../components/UserGrid'

/**
 * Shows `/following`. Unfollowed users stay in the list until the viewer leaves the page, and can be followed again.
 */
export default function FollowingPage() {
  useDocumentTitle(t`Following`)
  const client = useQueryClient()
  useEffect(() => () => pruneFollowing(client), [client])
  return (
    <>
      <PageHeader title={t`Users you are following`} />
      <UserGrid
        query={followingQuery}
        wording="list"
        empty={
          <EmptyState
            illustration={<SearchIllustration />}
            title={t`You're not following anyone yet`}
            text={t`People you follow will appear here.`}
            action={
              <ButtonLink to={paths.creators.getHref()} variant="ember">
                {t`Top Users`}
              </ButtonLink>
            }
          />
        }
      />
    </>
  )
}

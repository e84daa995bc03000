import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { LampIllustration } from '@/ui/illustrations'
import { PageHeader } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { UserGrid } from '../components/UserGrid'
import { followingQuery, pruneFollowing } from '../lists'

/** `/following`. Who is unfollowed here stays until one leaves, so that a slip can be taken back. */
export default function FollowingPage() {
  useDocumentTitle('Following')
  const client = useQueryClient()
  useEffect(() => () => pruneFollowing(client), [client])
  return (
    <>
      <PageHeader title="Users you are following" />
      <UserGrid
        query={followingQuery}
        wording="list"
        empty={
          <EmptyState
            drawing={<LampIllustration />}
            title="You're not following anyone yet"
            text="Follow people to find them here."
            action={
              <ButtonLink to={paths.creators.getHref()} variant="ember">
                Top Users
              </ButtonLink>
            }
          />
        }
      />
    </>
  )
}

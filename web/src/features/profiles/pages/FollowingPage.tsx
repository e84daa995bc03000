import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { paths } from '@/paths'
import { ButtonLink } from '@/ui/Button'
import { LampDrawing } from '@/ui/drawings'
import { PageHeader } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { followedQuery, settleFollowed } from '../api/lists'
import { PeopleGrid } from '../components/PeopleGrid'

/** `/following`. Who is unfollowed here stays until one leaves, so that a slip can be taken back. */
export default function FollowingPage() {
  useDocumentTitle('Following')
  const client = useQueryClient()
  useEffect(() => () => settleFollowed(client), [client])
  return (
    <>
      <PageHeader title="Users you are following" />
      <PeopleGrid
        query={followedQuery}
        wording="list"
        empty={
          <EmptyState
            drawing={<LampDrawing />}
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

import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { ArrowLeftIcon } from '@/ui/icons'
import { SearchIllustration } from '@/ui/illustrations'
import { PageHeader } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { allUsersQuery } from '../api'
import { UserGrid } from '../components/UserGrid'

/** Shows `/creators`: all listed users, by registration date. */
export default function CreatorsPage() {
  useDocumentTitle('Top Users')
  return (
    <>
      <PageHeader
        title="Top Users"
        back={
          <ButtonLink to={paths.home.getHref()} variant="ghost" size="icon" aria-label="Back to home">
            <ArrowLeftIcon />
          </ButtonLink>
        }
      />
      <UserGrid
        query={allUsersQuery}
        wording="friend"
        empty={
          <EmptyState
            illustration={<SearchIllustration />}
            title="No Creators Found"
            text="There are no creators on the platform yet. Be the first to join!"
          />
        }
      />
    </>
  )
}

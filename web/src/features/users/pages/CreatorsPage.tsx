import { t } from '@lingui/core/macro'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { ArrowLeftIcon } from '@/ui/icons'
import { SearchIllustration } from '@/ui/illustrations'
import { PageHeader } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { allUsersQuery } from '../api'
import { UserGrid } from '../components/UserGrid'

/** Shows `/creators`: all users in the directory, by registration date. */
export default function CreatorsPage() {
  useDocumentTitle(t`Top Users`)
  return (
    <>
      <PageHeader
        title={t`Top Users`}
        back={
          <ButtonLink to={paths.home.getHref()} variant="ghost" size="icon" aria-label={t`Back to home`}>
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
            title={t`No Creators Found`}
            text={t`There are no creators on the platform yet. Be the first to join!`}
          />
        }
      />
    </>
  )
}

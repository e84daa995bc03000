import { paths } from '@/paths'
import { ButtonLink } from '@/ui/Button'
import { LampDrawing } from '@/ui/drawings'
import { ArrowLeftIcon } from '@/ui/icons'
import { PageHeader } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { everybodyQuery } from '../api/lists'
import { PeopleGrid } from '../components/PeopleGrid'

/** `/creators`: everybody, by sign-up. */
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
      <PeopleGrid
        query={everybodyQuery}
        wording="friend"
        empty={
          <EmptyState
            drawing={<LampDrawing />}
            title="No Creators Found"
            text="There are no creators on the platform yet. Be the first to join!"
          />
        }
      />
    </>
  )
}

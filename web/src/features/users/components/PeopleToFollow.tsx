import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useCurrentUser } from '@/session/session'
import { statsQuery } from '../api'

const FeaturedCreators = lazy(() => import('./FeaturedCreators'))

/** Shows the featured creators to a user who follows nobody, until the user leaves the page. */
export function PeopleToFollow() {
  const { user } = useCurrentUser()
  const { data: stats } = useQuery({ ...statsQuery(user?.id ?? ''), enabled: user !== null })
  const [isShown, setShown] = useState(false)
  // The list stays while the user follows one creator after another.
  if (stats?.following === 0 && !isShown) setShown(true)
  return (
    isShown && (
      <Suspense>
        <FeaturedCreators title={t`People to follow`} rows={2} />
      </Suspense>
    )
  )
}

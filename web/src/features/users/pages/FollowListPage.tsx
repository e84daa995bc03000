import type { User } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router-dom'
import { isMissing } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { displayName, isolateBidi } from '@/lib/text'
import { useCurrentUser } from '@/session/session'
import { ButtonLink } from '@/ui/Button'
import { ArrowLeftIcon } from '@/ui/icons'
import { CurtainIllustration, SearchIllustration } from '@/ui/illustrations'
import { Card, PageHeader } from '@/ui/layout'
import { EmptyState, ErrorState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { followsQuery, userQuery } from '../api'
import { ProfileNotFound } from '../components/ProfileNotFound'
import { UserGrid, UserGridSkeleton } from '../components/UserGrid'

/** Shows `/profile/:identifier/followers`. */
export function FollowersPage() {
  return <FollowList side="followers" />
}

/** Shows `/profile/:identifier/following`. */
export function FollowedUsersPage() {
  return <FollowList side="following" />
}

type Side = 'followers' | 'following'

/** Shows a user's followers, or the users whom that user follows, unless the user hides the list. */
function FollowList({ side }: { side: Side }) {
  const { identifier = '' } = useParams()
  const { user: viewer } = useCurrentUser()
  const query = useQuery(userQuery(identifier))
  const user = query.data
  const name = user ? isolateBidi(displayName(user)) : identifier
  const listName = side === 'followers' ? t`Followers` : t`Following`
  useDocumentTitle(user ? `${listName} · ${displayName(user)}` : listName)
  const missing = isMissing(query.error)
  const isOwn = user !== undefined && viewer?.id === user.id
  const title = missing ? listName : isOwn ? ownTitle(side) : otherTitle(side, name)
  return (
    <>
      <PageHeader
        title={title}
        back={
          <ButtonLink
            to={paths.profile.getHref(identifier)}
            variant="ghost"
            size="icon"
            aria-label={t`Back to profile`}
          >
            <ArrowLeftIcon />
          </ButtonLink>
        }
      />
      {user ? (
        <FollowGrid user={user} isOwn={isOwn} side={side} name={name} />
      ) : query.isError ? (
        <Card>
          {missing ? (
            <ProfileNotFound identifier={identifier} as="h2" />
          ) : (
            <ErrorState
              message={t`Couldn't load the profile. Try again.`}
              onRetry={() => void query.refetch()}
            />
          )}
        </Card>
      ) : (
        <UserGridSkeleton />
      )}
    </>
  )
}

const ownTitle = (side: Side) => (side === 'followers' ? t`Your followers` : t`People you follow`)

const otherTitle = (side: Side, name: string) =>
  side === 'followers' ? t`Followers of ${name}` : t`People ${name} follows`

function FollowGrid({ user, isOwn, side, name }: { user: User; isOwn: boolean; side: Side; name: string }) {
  const { user: viewer } = useCurrentUser()
  // The same rule as in the database. A hidden list is not requested.
  const isVisible = isOwn || viewer?.isAdmin || (user.canView && user.showFollowerCount)
  if (!isVisible) {
    return (
      <Card>
        <EmptyState
          illustration={<CurtainIllustration />}
          title={t`This list is hidden`}
          text={t`${name} doesn’t show this list.`}
        />
      </Card>
    )
  }
  return (
    <UserGrid
      key={`${user.id} ${side}`}
      query={followsQuery(user.id, side)}
      wording="list"
      empty={
        <EmptyState
          illustration={<SearchIllustration />}
          title={side === 'followers' ? t`No followers yet` : t`Not following anyone yet`}
          text={isOwn ? ownEmptyText(side) : otherEmptyText(side, name)}
        />
      }
    />
  )
}

const ownEmptyText = (side: Side) =>
  side === 'followers' ? t`People who follow you will appear here.` : t`People you follow will appear here.`

const otherEmptyText = (side: Side, name: string) =>
  side === 'followers' ? t`Nobody follows ${name} yet.` : t`${name} doesn’t follow anyone yet.`

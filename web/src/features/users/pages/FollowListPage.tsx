import type { User } from '@contract/user.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router-dom'
import { ApiError } from '@/lib/api'
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

const titles = { followers: 'Followers', following: 'Following' } as const
const otherTitles = { followers: 'Followers of', following: 'Followed by' } as const
const ownTitles = { followers: 'Your followers', following: 'Followed by you' } as const

/** Shows the followers of a user, or the users whom they follow, unless the user hides the list. */
function FollowList({ side }: { side: Side }) {
  const { identifier = '' } = useParams()
  const { user: viewer } = useCurrentUser()
  const query = useQuery(userQuery(identifier))
  const user = query.data
  const name = user ? isolateBidi(displayName(user)) : identifier
  useDocumentTitle(user ? `${titles[side]} · ${displayName(user)}` : titles[side])
  const isMissing = query.error instanceof ApiError && [400, 404].includes(query.error.status)
  const isOwn = user !== undefined && viewer?.id === user.id
  const title = isMissing ? titles[side] : isOwn ? ownTitles[side] : `${otherTitles[side]} ${name}`
  return (
    <>
      <PageHeader
        title={title}
        back={
          <ButtonLink
            to={paths.profile.getHref(identifier)}
            variant="ghost"
            size="icon"
            aria-label="Back to the profile"
          >
            <ArrowLeftIcon />
          </ButtonLink>
        }
      />
      {user ? (
        <FollowGrid user={user} isOwn={isOwn} side={side} name={name} />
      ) : query.isError ? (
        <Card>
          {isMissing ? (
            <ProfileNotFound identifier={identifier} as="h2" />
          ) : (
            <ErrorState message="The profile did not load." onRetry={() => void query.refetch()} />
          )}
        </Card>
      ) : (
        <UserGridSkeleton />
      )}
    </>
  )
}

function FollowGrid({ user, isOwn, side, name }: { user: User; isOwn: boolean; side: Side; name: string }) {
  const { user: viewer } = useCurrentUser()
  // The same rule as in the database. A hidden list is not requested.
  const isVisible = isOwn || viewer?.isAdmin || (user.canView && user.showFollowerCount)
  if (!isVisible) {
    return (
      <Card>
        <EmptyState
          illustration={<CurtainIllustration />}
          title="Not shown"
          text={`${name} does not show this list.`}
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
          title={side === 'followers' ? 'No followers yet' : 'Nobody yet'}
          text={
            side === 'followers'
              ? isOwn
                ? 'Who follows you is listed here.'
                : `Nobody follows ${name} yet.`
              : isOwn
                ? 'Whom you follow is listed here.'
                : `${name} does not follow anyone yet.`
          }
        />
      }
    />
  )
}

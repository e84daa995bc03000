import type { User } from '@contract/user.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router-dom'
import { ApiError } from '@/lib/api'
import { isolateBidi } from '@/lib/bidi'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { useCurrentUser } from '@/session/session'
import { ButtonLink } from '@/ui/Button'
import { ArrowLeftIcon } from '@/ui/icons'
import { CurtainIllustration, LampIllustration } from '@/ui/illustrations'
import { Card, PageHeader } from '@/ui/layout'
import { EmptyState, ErrorState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { userQuery } from '../api'
import { ProfileNotFound } from '../components/ProfileNotFound'
import { UserGrid, UserGridSkeleton } from '../components/UserGrid'
import { followsQuery } from '../lists'

type Side = 'followers' | 'following'

const titles = { followers: 'Followers', following: 'Following' } as const
const titlesOf = { followers: 'Followers of', following: 'Followed by' } as const
const ownTitles = { followers: 'Your followers', following: 'Followed by you' } as const

/** The screen of who follows somebody, or whom they follow, where they show it. */
export function FollowList({ side }: { side: Side }) {
  const { identifier = '' } = useParams()
  const { user: viewer } = useCurrentUser()
  const query = useQuery(userQuery(identifier))
  const user = query.data
  const name = user ? isolateBidi(displayName(user)) : identifier
  useDocumentTitle(user ? `${titles[side]} · ${displayName(user)}` : titles[side])
  const missing = query.error instanceof ApiError && [400, 404].includes(query.error.status)
  const own = user !== undefined && viewer?.id === user.id
  const title = missing ? titles[side] : own ? ownTitles[side] : `${titlesOf[side]} ${name}`
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
        <List user={user} own={own} side={side} name={name} />
      ) : query.isError ? (
        <Card>
          {missing ? (
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

function List({ user, own, side, name }: { user: User; own: boolean; side: Side; name: string }) {
  const { user: viewer } = useCurrentUser()
  // As the database decides it; the list is not even asked for where it is not shown.
  const shown = own || viewer?.isAdmin || (user.canView && user.showFollowerCount)
  if (!shown) {
    return (
      <Card>
        <EmptyState
          drawing={<CurtainIllustration />}
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
          drawing={<LampIllustration />}
          title={side === 'followers' ? 'No followers yet' : 'Nobody yet'}
          text={
            side === 'followers'
              ? own
                ? 'Who follows you is listed here.'
                : `Nobody follows ${name} yet.`
              : own
                ? 'Whom you follow is listed here.'
                : `${name} does not follow anyone yet.`
          }
        />
      }
    />
  )
}

import type { OwnUser, User } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { displayName } from '@/lib/text'
import { useUserChannel } from '@/realtime/channel-hooks'
import { Button } from '@/ui/Button'
import { followRequestsQuery, useAnswerFollowRequest } from '../api/relations'
import { UserListItem, UserListSection } from './UserListSection'

const followRequestsHeadingId = 'follow-requests'

/** Shows the pending requests to follow the user. Realtime events keep the list up to date. */
export function FollowRequests({ user }: { user: OwnUser }) {
  const client = useQueryClient()
  const list = useInfiniteQuery(followRequestsQuery)
  const refresh = () =>
    void client.invalidateQueries({ queryKey: followRequestsQuery.queryKey }, { cancelRefetch: false })
  useUserChannel(user.id, {
    onJoined: refresh,
    onEvent: (event) => {
      if (event === 'notification.read') refresh()
    },
  })
  const isPublic = user.profileVisibility === 'public'
  return (
    <UserListSection
      headingId={followRequestsHeadingId}
      title={t`Follow requests`}
      text={
        isPublic
          ? t`Your profile is public, so new followers don’t need approval. Earlier requests are still waiting.`
          : t`People you accept can see what your followers see.`
      }
      list={list}
      empty={t`No follow requests.`}
      showCount
    >
      {(user) => <FollowRequest key={user.id} user={user} />}
    </UserListSection>
  )
}

function FollowRequest({ user }: { user: User }) {
  const { mutate, isPending, variables } = useAnswerFollowRequest(user)
  const name = displayName(user)
  return (
    <UserListItem user={user}>
      <Button
        variant="tinted"
        size="sm"
        aria-label={t`Accept ${name}`}
        pending={isPending && variables === 'accept'}
        disabled={isPending}
        onClick={() => mutate('accept')}
      >
        {t`Accept`}
      </Button>
      <Button
        variant="outline"
        size="sm"
        aria-label={t`Decline ${name}`}
        pending={isPending && variables === 'decline'}
        disabled={isPending}
        onClick={() => mutate('decline')}
      >
        {t`Decline`}
      </Button>
    </UserListItem>
  )
}

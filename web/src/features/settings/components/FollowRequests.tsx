import { userEvents } from '@contract/events.ts'
import type { OwnUser, User } from '@contract/user.ts'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { displayName } from '@/lib/text'
import { useUserChannel } from '@/realtime'
import { Button } from '@/ui/Button'
import { followRequestsQuery, useAnswerFollowRequest } from '../api/relations'
import { focusNextRow } from '../focus'
import { UserListItem, UserListSection } from './UserListSection'

const followRequestsHeadingId = 'follow-requests'

/** Who asked to follow. The list follows the news of requests that come and are taken back. */
export function FollowRequests({ user }: { user: OwnUser }) {
  const client = useQueryClient()
  const list = useInfiniteQuery(followRequestsQuery)
  const readAgain = () =>
    void client.invalidateQueries({ queryKey: followRequestsQuery.queryKey }, { cancelRefetch: false })
  useUserChannel(user.id, {
    onJoined: readAgain,
    onEvent: (event, payload) => {
      if (event === 'notification.read') readAgain()
      if (event !== 'notification.created') return
      const news = userEvents['notification.created'].safeParse(payload)
      if (news.data?.kind === 'follow_request')
        void client.invalidateQueries({ queryKey: followRequestsQuery.queryKey })
    },
  })
  const isPublic = user.profileVisibility === 'public'
  return (
    <UserListSection
      heading={followRequestsHeadingId}
      title="Follow requests"
      text={
        isPublic
          ? 'Your profile is public: people follow you without asking. Who asked before still waits for your answer.'
          : 'Who asks to follow you sees what your followers see once you accept.'
      }
      list={list}
      empty="Nobody is waiting for an answer."
      counted
    >
      {(person) => <Request key={person.id} person={person} />}
    </UserListSection>
  )
}

function Request({ person }: { person: User }) {
  const accept = useRef<HTMLButtonElement>(null)
  const { mutate, isPending, variables } = useAnswerFollowRequest(person, () =>
    focusNextRow(accept.current, followRequestsHeadingId),
  )
  const name = displayName(person)
  return (
    <UserListItem person={person}>
      <Button
        ref={accept}
        variant="ember"
        size="sm"
        aria-label={`Accept ${name}`}
        pending={isPending && variables === 'accept'}
        disabled={isPending}
        onClick={() => mutate('accept')}
      >
        Accept
      </Button>
      <Button
        variant="outline"
        size="sm"
        aria-label={`Decline ${name}`}
        pending={isPending && variables === 'decline'}
        disabled={isPending}
        onClick={() => mutate('decline')}
      >
        Decline
      </Button>
    </UserListItem>
  )
}

import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { Presence } from '@contract/message.ts'
import type { UserCard } from '@contract/user.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { ApiError } from '@/lib/api'
import { conversationName } from '@/lib/person'
import { paths } from '@/paths'
import { Avatar } from '@/ui/Avatar'
import { BubblesDrawing } from '@/ui/drawings'
import { IconButton } from '@/ui/IconButton'
import { ArrowLeftIcon } from '@/ui/icons'
import { Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { EmptyState, ErrorState } from '@/ui/states'
import { ownLine } from '@/ui/words'
import { conversationsQuery } from '../api/conversations'
import { personQuery } from '../api/people'
import { MessageComposer } from './MessageComposer'
import { MessageList } from './MessageList'
import { NewMessageAnnouncer } from './NewMessageAnnouncer'
import { OnlineDot } from './OnlineDot'
import { PresenceLine } from './PresenceLine'
import { ThreadSkeleton } from './ThreadSkeleton'
import { TypingDots } from './TypingDots'
import { useConversationPresence } from './useConversationPresence'
import { useThread } from './useThread'

/** The open conversation. Mounted anew for each person. */
export function ThreadPanel({
  me,
  otherUserId,
  onBack,
}: {
  me: string
  otherUserId: string
  onBack: () => void
}) {
  const peer = usePeer(otherUserId)
  const presence = useConversationPresence(me, otherUserId, peer.canMessage)
  const name = conversationName(peer.person)
  return (
    <Box display="flex" flexDirection="column" height="100%" minHeight="0">
      <ThreadHeader
        person={peer.person}
        presence={peer.presence}
        loading={peer.loading}
        online={presence.online}
        onBack={onBack}
      />
      <Messages
        me={me}
        otherUserId={otherUserId}
        name={name}
        typingName={presence.typing ? name : null}
        instead={peer.missing ? <Missing /> : peer.failed ? <Failed onRetry={peer.retry} /> : null}
      />
      {peer.refusal ? (
        <Box padding="4" borderTopWidth="1px" textAlign="center" color="muted" textStyle="small">
          {peer.refusal}
        </Box>
      ) : (
        !peer.failed && (
          <MessageComposer me={me} receiverId={otherUserId} name={name} onTyping={presence.say} />
        )
      )}
    </Box>
  )
}

function Missing() {
  return (
    <EmptyState title="User not found" text="This person has left, or their profile is not open to you." />
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return <ErrorState message="This person did not load." onRetry={onRetry} />
}

/** Who the conversation is with, from the list, or asked for where there is no conversation yet. */
function usePeer(otherUserId: string) {
  const list = useQuery({
    ...conversationsQuery,
    // Where nothing may be written there is no channel either that would tell when that changes.
    refetchInterval: (query) => {
      const known = query.state.data?.items.find((one) => one.otherUserId === otherUserId)
      return known && !known.canMessage ? limits.pollInterval : false
    },
  })
  const conversation = list.data?.items.find((one) => one.otherUserId === otherUserId)
  const asked = useQuery({
    ...personQuery(otherUserId),
    enabled: list.isFetched && !conversation?.canMessage,
  })
  const person: UserCard | undefined = conversation?.otherUser ?? asked.data
  const known = conversation ?? asked.data
  const disabled = asked.data?.allowDirectMessages === false
  const missing = !person && asked.error instanceof ApiError && [400, 404].includes(asked.error.status)
  const refusal = disabled
    ? 'This user has disabled direct messages'
    : missing
      ? 'You cannot write to this person.'
      : `You cannot write to ${conversationName(person)} at the moment.`
  return {
    person,
    presence: conversation?.presence,
    loading: !person && (list.isPending || asked.isLoading),
    missing,
    failed: !person && asked.isError && !missing,
    retry: () => void asked.refetch(),
    canMessage: known?.canMessage ?? false,
    refusal: missing || (known && !known.canMessage) ? refusal : null,
  }
}

function ThreadHeader({
  person,
  presence,
  loading,
  online,
  onBack,
}: {
  person: UserCard | undefined
  presence: Presence | undefined
  loading: boolean
  online: boolean
  onBack: () => void
}) {
  const name = conversationName(person)
  return (
    <Box
      display="flex"
      alignItems="center"
      gap="3"
      minHeight="16"
      paddingInline={{ base: '2', md: '4' }}
      borderBottomWidth="1px"
    >
      <Box hideFrom="md">
        <IconButton label="Back to conversations" tooltip={false} onClick={onBack}>
          <ArrowLeftIcon />
        </IconButton>
      </Box>
      {loading && (
        <>
          <SkeletonCircle />
          <Skeleton height="4" width="8rem" />
        </>
      )}
      {person && (
        <Box asChild display="flex" alignItems="center" gap="3" minWidth="0" borderRadius="sm">
          <Link to={paths.profile.getHref(person.handle)}>
            <Box position="relative" flexShrink={0}>
              <Avatar person={{ ...person, displayName: name }} />
              {(online || presence?.online) && <OnlineDot />}
            </Box>
            <Box minWidth="0">
              <Box as="h2" textStyle="label" truncate {...ownLine}>
                {name}
              </Box>
              <Box textStyle="small" color="muted" truncate>
                @{person.handle || 'user'}
                <PresenceLine here={online} presence={presence} />
              </Box>
            </Box>
          </Link>
        </Box>
      )}
    </Box>
  )
}

/** The messages there are; `instead` is drawn where there is none, e.g. because nobody has this address. */
function Messages({
  me,
  otherUserId,
  name,
  typingName,
  instead,
}: {
  me: string
  otherUserId: string
  name: string
  typingName: string | null
  instead: ReactNode
}) {
  const { query, bubbles, older } = useThread(me, otherUserId)
  if (bubbles.length === 0 && instead) return <Alone>{instead}</Alone>
  if (query.isPending) return <ThreadSkeleton />
  if (query.isError && bubbles.length === 0) {
    return (
      <Alone>
        <ErrorState message="The messages did not load." onRetry={() => void query.refetch()} />
      </Alone>
    )
  }
  return (
    <>
      <NewMessageAnnouncer bubbles={bubbles} me={me} name={name} />
      {bubbles.length === 0 ? (
        <Alone>
          <EmptyState
            drawing={<BubblesDrawing />}
            title="No messages yet"
            text="Send a message to start the conversation"
          />
          {typingName && <TypingDots name={typingName} />}
        </Alone>
      ) : (
        <MessageList bubbles={bubbles} me={me} name={name} older={older} typingName={typingName} />
      )}
    </>
  )
}

function Alone({ children }: { children: ReactNode }) {
  return (
    <Box flex="1" overflowY="auto" padding="4">
      {children}
    </Box>
  )
}

import { Box } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { conversationName } from '@/lib/text'
import { ReadOnlyNotice } from '@/moderation/components/ReadOnlyNotice'
import { useCurrentUser } from '@/session/session'
import { BubblesIllustration } from '@/ui/illustrations'
import { EmptyState, ErrorState } from '@/ui/states'
import { useConversationPresence } from '../useConversationPresence'
import { MessageList } from './MessageList'
import { NewMessageAnnouncer } from './NewMessageAnnouncer'
import { ThreadComposer } from './ThreadComposer'
import { ThreadHeader } from './ThreadHeader'
import { ThreadSkeleton } from './ThreadSkeleton'
import { TypingIndicator } from './TypingIndicator'
import { useConversationPartner } from './useConversationPartner'
import { useScrollToMessage } from './useScrollToMessage'
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
  const peer = useConversationPartner(otherUserId)
  const presence = useConversationPresence(me, otherUserId, peer)
  const name = conversationName(peer.person)
  const readOnlyReason = useCurrentUser().user?.readOnlyReason
  return (
    <Box display="flex" flexDirection="column" height="100%" minHeight="0">
      <ThreadHeader
        person={peer.person}
        presence={peer.presence}
        loading={peer.loading}
        online={presence.online}
        canTip={peer.canMessage}
        onBack={onBack}
      />
      <Messages
        me={me}
        otherUserId={otherUserId}
        peer={peer}
        name={name}
        typingName={presence.typing ? name : null}
        instead={peer.missing ? <Missing /> : peer.failed ? <Failed onRetry={peer.retry} /> : null}
      />
      {readOnlyReason ? (
        <Box padding="3" borderTopWidth="1px">
          <ReadOnlyNotice reason={readOnlyReason} />
        </Box>
      ) : peer.refusal ? (
        <Box padding="4" borderTopWidth="1px" textAlign="center" color="muted" textStyle="small">
          {peer.refusal}
        </Box>
      ) : (
        !peer.failed && (
          <ThreadComposer me={me} receiverId={otherUserId} name={name} onTyping={presence.say} />
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

/** The messages there are; `instead` is drawn where there is none, e.g. because nobody has this address. */
function Messages({
  me,
  otherUserId,
  peer,
  name,
  typingName,
  instead,
}: {
  me: string
  otherUserId: string
  peer: Pick<ReturnType<typeof useConversationPartner>, 'canMessage' | 'unreadCount'>
  name: string
  typingName: string | null
  instead: ReactNode
}) {
  const { query, bubbles, live, older, newer, unreadId } = useThread(me, otherUserId, peer.unreadCount)
  const { target, goTo, leave } = useScrollToMessage(otherUserId, query.isSuccess)
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
      <NewMessageAnnouncer bubbles={live} me={me} name={name} />
      {bubbles.length === 0 ? (
        <Alone>
          <EmptyState
            drawing={<BubblesIllustration />}
            title="No messages yet"
            text="Send a message to start the conversation"
          />
          {typingName && <TypingIndicator name={typingName} />}
        </Alone>
      ) : (
        <MessageList
          bubbles={bubbles}
          live={live}
          me={me}
          otherUserId={otherUserId}
          name={name}
          canMessage={peer.canMessage}
          older={older}
          newer={newer}
          unreadId={unreadId}
          target={target}
          onGoTo={goTo}
          onLatest={leave}
          typingName={typingName}
        />
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

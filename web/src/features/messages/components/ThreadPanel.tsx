import { Box } from '@chakra-ui/react'
import { plural, t } from '@lingui/core/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { conversationName } from '@/lib/text'
import { ReadOnlyNotice } from '@/moderation/components/ReadOnlyNotice'
import { ConfirmationNotice } from '@/session/components/EmailConfirmation'
import { useCurrentUser } from '@/session/session'
import { BubblesIllustration } from '@/ui/illustrations'
import { VisuallyHidden } from '@/ui/layout'
import { Sheet } from '@/ui/Sheet'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { EmptyState, ErrorState } from '@/ui/states'
import { type Bubble, newFromPartner } from '../model/bubbles'
import { contentPreview } from '../model/post-link'
import { useConversationPresence } from '../realtime'
import { ConversationDetails, ConversationDetailsSkeleton } from './ConversationDetails'
import { MessageList } from './MessageList'
import { ThreadComposer } from './ThreadComposer'
import { ThreadHeader } from './ThreadHeader'
import { TypingIndicator } from './TypingIndicator'
import { useDetailsPanel } from './useDetailsPanel'
import { useConversationPartner, useScrollToMessage, useThread } from './useThread'

/** Shows the open conversation and its details. Must be remounted for each user. */
export function ThreadPanel({
  me,
  otherUserId,
  isPreview,
  onBack,
}: {
  me: string
  otherUserId: string
  /** If true, the messages stay unread, and the other user does not see that the viewer is online. */
  isPreview: boolean
  onBack: () => void
}) {
  const partner = useConversationPartner(otherUserId)
  const presence = useConversationPresence(me, otherUserId, partner, isPreview)
  const name = conversationName(partner.user)
  const { user } = useCurrentUser()
  const details = useDetailsPanel(me)
  return (
    <PanelColumns
      details={
        details.isPanelOpen &&
        (partner.user ? (
          <ConversationDetails me={me} user={partner.user} />
        ) : (
          partner.loading && <ConversationDetailsSkeleton />
        ))
      }
    >
      <ThreadHeader
        user={partner.user}
        presence={partner.presence}
        isSubscriber={partner.isSubscriber}
        loading={partner.loading}
        online={presence.online}
        canTip={partner.canMessage}
        panel={details}
        onBack={onBack}
      />
      <Messages
        me={me}
        otherUserId={otherUserId}
        isPreview={isPreview}
        partner={partner}
        name={name}
        typingName={presence.typing ? name : null}
        fallback={
          partner.missing ? <UserNotFound /> : partner.failed ? <LoadError onRetry={partner.retry} /> : null
        }
      />
      {user?.readOnlyReason ? (
        <Box padding="3" borderTopWidth="1px">
          <ReadOnlyNotice user={user} />
        </Box>
      ) : user && partner.needsConfirmation ? (
        <Box padding="3" borderTopWidth="1px">
          <ConfirmationNotice user={user} />
        </Box>
      ) : partner.refusal ? (
        <Box padding="4" borderTopWidth="1px" textAlign="center" color="muted" textStyle="small">
          {partner.refusal}
        </Box>
      ) : (
        !partner.failed && (
          <ThreadComposer me={me} receiverId={otherUserId} name={name} onTyping={presence.sendTyping} />
        )
      )}
      {partner.user && (
        <Sheet open={details.isSheetOpen} onClose={details.closeSheet} title={t`Details`}>
          <ConversationDetails me={me} user={partner.user} />
        </Sheet>
      )}
    </PanelColumns>
  )
}

/** Shows the conversation as a column and, beside it, the details if there are any. */
function PanelColumns({ details, children }: { details: ReactNode; children: ReactNode }) {
  return (
    <Box display="flex" height="100%" minHeight="0">
      <Box
        flex="1"
        minWidth="0"
        display="flex"
        flexDirection="column"
        paddingBottom="env(safe-area-inset-bottom)"
      >
        {children}
      </Box>
      {details && (
        <Box
          as="section"
          aria-labelledby="conversation-details"
          width="18.75rem"
          flexShrink="0"
          overflowY="auto"
          overscrollBehavior="contain"
          borderInlineStartWidth="1px"
        >
          <Box
            id="conversation-details"
            as="h2"
            textStyle="label"
            position="sticky"
            top="0"
            zIndex="raised"
            display="flex"
            alignItems="center"
            height="16"
            paddingInline="4"
            bg="surface"
            borderBottomWidth="1px"
          >
            {t`Details`}
          </Box>
          {details}
        </Box>
      )}
    </Box>
  )
}

function UserNotFound() {
  return <EmptyState title={t`User not found`} text={t`This account was deleted, or you can't view it.`} />
}

function LoadError({ onRetry }: { onRetry: () => void }) {
  return <ErrorState message={t`Couldn't load this conversation. Try again.`} onRetry={onRetry} />
}

/** Shows the messages, or `fallback` if there are none and the other user could not be loaded. */
function Messages({
  me,
  otherUserId,
  isPreview,
  partner,
  name,
  typingName,
  fallback,
}: {
  me: string
  otherUserId: string
  isPreview: boolean
  partner: Pick<ReturnType<typeof useConversationPartner>, 'canMessage' | 'unreadCount'>
  name: string
  typingName: string | null
  fallback: ReactNode
}) {
  const { query, bubbles, liveBubbles, older, newer, unreadId } = useThread(
    me,
    otherUserId,
    partner.unreadCount,
    isPreview,
  )
  const { target, goToMessage, returnToEnd } = useScrollToMessage(otherUserId, query.isSuccess)
  if (bubbles.length === 0 && fallback) return <NoticeArea>{fallback}</NoticeArea>
  if (query.isPending) return <ThreadSkeleton />
  if (query.isError && bubbles.length === 0) {
    return (
      <NoticeArea>
        <ErrorState message={t`Couldn't load messages. Try again.`} onRetry={() => void query.refetch()} />
      </NoticeArea>
    )
  }
  return (
    <>
      <NewMessageAnnouncer bubbles={liveBubbles} me={me} name={name} />
      {bubbles.length === 0 ? (
        <NoticeArea>
          <EmptyState
            illustration={<BubblesIllustration />}
            title={t`No messages yet`}
            text={t`Send a message to start the conversation`}
          />
          {typingName && <TypingIndicator name={typingName} />}
        </NoticeArea>
      ) : (
        <MessageList
          bubbles={bubbles}
          liveBubbles={liveBubbles}
          me={me}
          otherUserId={otherUserId}
          name={name}
          canMessage={partner.canMessage}
          older={older}
          newer={newer}
          unreadId={unreadId}
          target={target}
          onGoToMessage={goToMessage}
          onReturnToEnd={returnToEnd}
          typingName={typingName}
        />
      )}
    </>
  )
}

function NoticeArea({ children }: { children: ReactNode }) {
  return (
    <Box flex="1" overflowY="auto" padding="4">
      {children}
    </Box>
  )
}

/** Shows the outline of a conversation until the list says which one to preview. */
export function ThreadPanelSkeleton({ me }: { me: string }) {
  const { isPanelOpen } = useDetailsPanel(me)
  return (
    <PanelColumns details={isPanelOpen && <ConversationDetailsSkeleton />}>
      <Box
        display="flex"
        alignItems="center"
        gap="3"
        minHeight="16"
        paddingInline="4"
        borderBottomWidth="1px"
      >
        <SkeletonCircle />
        <Skeleton height="4" width="8rem" />
      </Box>
      <ThreadSkeleton />
    </PanelColumns>
  )
}

function ThreadSkeleton() {
  return (
    <Box asChild flex="1" minHeight="0" padding="4" overflow="hidden">
      <Loading label={t`Loading messages`}>
        {[
          ['start', '55%'],
          ['start', '35%'],
          ['end', '45%'],
          ['start', '60%'],
          ['end', '30%'],
        ].map(([side, width]) => (
          <Box key={width} display="flex" justifyContent={`flex-${side}`} marginBottom="4">
            <Skeleton height="10" width={width} borderRadius="lg" />
          </Box>
        ))}
      </Loading>
    </Box>
  )
}

/** How long an announcement stays in the DOM: longer than a screen reader needs to pick it up. */
const announcementMs = 5000

const noAnnouncement = { messageIds: [] as string[], text: '' }

/**
 * Announces the other user's new messages to screen readers. The announcement is removed after a while, and immediately
 * if its message is deleted.
 */
function NewMessageAnnouncer({ bubbles, me, name }: { bubbles: Bubble[]; me: string; name: string }) {
  const previousBubbles = useRef(bubbles)
  const [announcement, setAnnouncement] = useState(noAnnouncement)
  useEffect(() => {
    const newBubbles = newFromPartner(previousBubbles.current, bubbles, me).filter(({ deleted }) => !deleted)
    previousBubbles.current = bubbles
    if (newBubbles.length === 0) return
    const newCount = newBubbles.length
    const text =
      newCount > 3
        ? t`${plural(newCount, { one: '# new message', other: '# new messages' })}`
        : newBubbles.map(spokenText).join('. ')
    setAnnouncement({ messageIds: newBubbles.map(({ id }) => id), text: t`${name}: ${text}` })
  }, [bubbles, me, name])
  useEffect(() => {
    if (announcement === noAnnouncement) return
    const timer = setTimeout(() => setAnnouncement(noAnnouncement), announcementMs)
    return () => clearTimeout(timer)
  }, [announcement])
  if (bubbles.some(({ id, deleted }) => deleted && announcement.messageIds.includes(id))) {
    setAnnouncement(noAnnouncement)
  }
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {/* The key creates a new element, because screen readers ignore text that does not change. */}
      <span key={announcement.messageIds.at(-1) ?? ''}>{announcement.text}</span>
    </VisuallyHidden>
  )
}

function spokenText(bubble: Bubble): string {
  return [
    bubble.image && (bubble.paidPhoto?.unlocked === false ? t`Locked photo` : t`Photo`),
    contentPreview(bubble.content, bubble.voice?.seconds),
  ]
    .filter(Boolean)
    .join('. ')
}

import { Box, chakra } from '@chakra-ui/react'
import type { Notification } from '@contract/notification.ts'
import type { ReactNode } from 'react'
import { withoutBidiControls } from '@/lib/bidi'
import { fullTime, timeAgo } from '@/lib/format'
import { displayName } from '@/lib/person'
import { useNow } from '@/lib/useNow'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { TextLink, VisuallyHidden } from '@/ui/layout'
import { useAnswerRequest } from '../api/read'

const layout = {
  display: 'flex',
  gap: '3',
  width: '100%',
  paddingInline: '4',
  paddingBlock: '3',
  textAlign: 'start',
} as const
const ReadRow = chakra('div', { base: layout })
const UnreadRow = chakra('button', {
  base: {
    ...layout,
    bg: 'ember.wash',
    cursor: 'pointer',
    _hover: { bg: 'hover' },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

/** One notification. An unread one has a dot, and pressing it marks it read and leads to what it is about. */
export function NotificationRow({
  notification,
  onOpen,
  onLeave,
}: {
  notification: Notification
  /** An unread one was pressed. */
  onOpen: () => void
  /** A link in it was followed. */
  onLeave: () => void
}) {
  const asks = notification.kind === 'follow_request' && notification.relatedUser !== null
  return (
    <Box borderBottomWidth="1px">
      {notification.isRead ? (
        <ReadRow>
          <Content notification={notification}>
            <TextLink to={notification.href} onClick={onLeave} textStyle="small">
              View
            </TextLink>
          </Content>
        </ReadRow>
      ) : (
        <UnreadRow type="button" onClick={onOpen}>
          <Content notification={notification} />
        </UnreadRow>
      )}
      {asks && notification.relatedUser && <Answer userId={notification.relatedUser.id} />}
    </Box>
  )
}

function Content({ notification, children }: { notification: Notification; children?: ReactNode }) {
  const now = useNow()
  const { relatedUser, title, message, isRead, createdAt } = notification
  const name = displayName(relatedUser)
  return (
    <>
      <Avatar
        person={{
          displayName: name,
          profileImageUrl: relatedUser?.profileImageUrl ?? null,
          isCreator: relatedUser?.isCreator ?? false,
        }}
      />
      <Box flex="1" minWidth="0">
        <Box textStyle="label">{title}</Box>
        <Box textStyle="small" overflowWrap="anywhere">
          <Told message={message} name={name} />
        </Box>
        <Box display="flex" gap="3" textStyle="caption" color="muted" marginTop="0.5" alignItems="baseline">
          <time dateTime={createdAt} title={fullTime(createdAt)}>
            {timeAgo(createdAt, now)}
          </time>
          {children}
        </Box>
      </Box>
      {!isRead && (
        <Box
          as="span"
          width="2.5"
          height="2.5"
          marginTop="1.5"
          borderRadius="full"
          bg="ember.solid"
          flexShrink={0}
        >
          <VisuallyHidden>Unread</VisuallyHidden>
        </Box>
      )}
    </>
  )
}

/** What happened. Who did it is named by the server's sentence, and held together there whichever way it is written. */
function Told({ message, name }: { message: string; name: string }) {
  const text = withoutBidiControls(message)
  if (!text.startsWith(name)) return text
  return (
    <>
      <bdi>{name}</bdi>
      {text.slice(name.length)}
    </>
  )
}

/** Accepts or declines a request to follow, on the spot. */
function Answer({ userId }: { userId: string }) {
  const answer = useAnswerRequest()
  return (
    <Box
      display="flex"
      flexWrap="wrap"
      gap="2"
      paddingInline="4"
      paddingBottom="3"
      paddingInlineStart="4.25rem"
    >
      <Button
        size="sm"
        variant="ember"
        disabled={answer.isPending}
        onClick={() => answer.mutate({ userId, accept: true })}
      >
        Accept
      </Button>
      <Button
        size="sm"
        variant="outline"
        disabled={answer.isPending}
        onClick={() => answer.mutate({ userId, accept: false })}
      >
        Decline
      </Button>
      {answer.isError && (
        <Box role="alert" textStyle="small" color="danger.text" alignSelf="center">
          That did not work. Please try again.
        </Box>
      )}
    </Box>
  )
}

import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { HeaderButton } from '@/ui/HeaderButton'
import { MessageIcon } from '@/ui/icons'
import { BubblesIllustration } from '@/ui/illustrations'
import { focusPanel, Popover } from '@/ui/Popover'
import { EmptyState, ErrorState } from '@/ui/states'
import { useMarkAllRead } from '../api/mark-read'
import { unreadMessagesQuery } from '../api/unread-count'
import { useConversations } from '../api/useConversations'
import { useMessagesRealtime } from '../realtime'
import { useAlerts } from '../useAlerts'
import { ConversationRow } from './ConversationRow'
import { ConversationSkeleton } from './ConversationSkeleton'

/** The header's messages: unread badge, latest conversations, 'Mark all read'. Keeps all message data live and announces what is new. */
export default function MessagesMenu() {
  const { user } = useCurrentUser()
  const [open, setOpen] = useState(false)
  useMessagesRealtime(user?.id)
  useAlerts(user)
  const { data: unread } = useQuery({ ...unreadMessagesQuery, enabled: user !== null })
  const markAll = useMarkAllRead()
  const count = unread?.count ?? 0
  if (!user) return null

  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      title="Messages"
      action={
        count > 0 && (
          <Button
            size="sm"
            variant="link"
            paddingInline="0"
            pending={markAll.isPending}
            onClick={(event) => {
              focusPanel(event.currentTarget)
              markAll.mutate()
            }}
          >
            Mark all read
          </Button>
        )
      }
      trigger={<HeaderButton label="Messages" count={count} icon={<MessageIcon />} />}
    >
      {open && <LatestConversations me={user.id} onLeave={() => setOpen(false)} />}
    </Popover>
  )
}

/** Mounted, and so fetched, only while the dropdown is open. */
function LatestConversations({ me, onLeave }: { me: string; onLeave: () => void }) {
  const navigate = useNavigate()
  const list = useConversations()
  if (list.isPending) return <ConversationSkeleton />
  if (list.isError && !list.data) {
    return <ErrorState message="Your conversations did not load." onRetry={() => void list.refetch()} />
  }
  if (list.data.items.length === 0)
    return <EmptyState drawing={<BubblesIllustration />} title="No messages yet" />
  const open = (userId: string) => {
    onLeave()
    navigate(paths.messages.getHref(userId))
  }
  return (
    <>
      <Box as="ul" listStyleType="none">
        {list.data.items.slice(0, limits.page.conversations).map((conversation) => (
          <li key={conversation.otherUserId}>
            <ConversationRow conversation={conversation} me={me} onSelect={open} />
          </li>
        ))}
      </Box>
      <Box padding="3" borderTopWidth="1px" textAlign="center">
        <ButtonLink to={paths.messages.getHref()} size="sm" variant="link" onClick={onLeave}>
          All messages
        </ButtonLink>
      </Box>
    </>
  )
}

import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMatch, useNavigate } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { useIsConnectionSettled } from '@/realtime/connection'
import { useCurrentUser } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { MessageIcon } from '@/ui/icons'
import { BubblesIllustration } from '@/ui/illustrations'
import { focusPanel, HeaderButton, Popover } from '@/ui/Popover'
import { EmptyState, ErrorState } from '@/ui/states'
import { useAlerts } from '../alerts'
import { unreadMessagesQuery, useConversations, useMarkAllRead } from '../api/conversations'
import { useMessagesRealtime } from '../realtime'
import { ConversationRow, ConversationSkeleton } from './ConversationRow'

/**
 * Shows the messages button in the header, with an unread badge. Pressing it opens the latest conversations, with a
 * button that marks every conversation as read. Also keeps all message data current, and alerts the user to new
 * messages and notifications.
 */
export default function MessagesPopover() {
  const { user } = useCurrentUser()
  const [open, setOpen] = useState(false)
  useMessagesRealtime(user?.id)
  useAlerts(user)
  const { data: unread } = useQuery({
    ...unreadMessagesQuery,
    enabled: useIsConnectionSettled() && user !== null,
  })
  const markAllRead = useMarkAllRead()
  const isCurrent = useMatch(paths.messages.path) !== null
  const count = unread?.count ?? 0
  if (!user) return null

  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      title={t`Messages`}
      action={
        count > 0 && (
          <Button
            size="sm"
            variant="link"
            paddingInline="0"
            pending={markAllRead.isPending}
            onClick={(event) => {
              focusPanel(event.currentTarget)
              markAllRead.mutate()
            }}
          >
            {t`Mark all read`}
          </Button>
        )
      }
      footer={
        <ButtonLink to={paths.messages.getHref()} size="sm" variant="link" onClick={() => setOpen(false)}>
          {t`See all`}
        </ButtonLink>
      }
      trigger={
        <HeaderButton label={t`Messages`} count={count} icon={<MessageIcon />} isCurrent={isCurrent} />
      }
    >
      {open && <LatestConversations me={user.id} onClose={() => setOpen(false)} />}
    </Popover>
  )
}

/** Mounted only while the dropdown is open, so that the list is fetched only then. */
function LatestConversations({ me, onClose }: { me: string; onClose: () => void }) {
  const navigate = useNavigate()
  const list = useConversations()
  if (list.isPending) return <ConversationSkeleton />
  if (list.isError && !list.data) {
    return (
      <ErrorState message={t`Couldn't load conversations. Try again.`} onRetry={() => void list.refetch()} />
    )
  }
  if (list.data.items.length === 0)
    return (
      <EmptyState
        illustration={<BubblesIllustration />}
        title={t`No messages yet`}
        text={t`Write to someone to start a conversation.`}
        action={
          <ButtonLink to={paths.messages.getHref()} variant="ember" onClick={onClose}>
            {t`Open messages`}
          </ButtonLink>
        }
      />
    )
  const openConversation = (userId: string) => {
    onClose()
    navigate(paths.messages.getHref(userId))
  }
  return (
    <Box as="ul" listStyleType="none">
      {list.data.items.slice(0, limits.page.conversations).map((conversation) => (
        <li key={conversation.otherUserId}>
          <ConversationRow conversation={conversation} me={me} onSelect={openConversation} />
        </li>
      ))}
    </Box>
  )
}

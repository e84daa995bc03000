import { Box } from '@chakra-ui/react'
import type { Conversation } from '@contract/message.ts'
import { useRef, useState } from 'react'
import { ConversationRow, rowHeightRem } from './ConversationRow'
import { useRowsInView } from './useRowsInView'

/** Conversations, of which only those near what is in sight are drawn: people have thousands. */
export function VirtualConversationList({
  items,
  complete,
  me,
  selected,
  onSelect,
}: {
  items: Conversation[]
  /** There are no more on the server. */
  complete: boolean
  me: string
  selected: string | null
  onSelect: (userId: string) => void
}) {
  const list = useRef<HTMLUListElement>(null)
  const { first, end } = useRowsInView(list, items.length, rowHeightRem)
  // Whoever has the focus keeps it, however far it is scrolled away.
  const [focused, setFocused] = useState<string | null>(null)
  const drawn = items.flatMap((conversation, index) => {
    const isNear = (index >= first && index < end) || conversation.otherUserId === focused
    return isNear ? [{ conversation, index }] : []
  })
  return (
    <Box
      asChild
      position="relative"
      listStyleType="none"
      style={{ height: `${items.length * rowHeightRem}rem` }}
    >
      <ul ref={list} aria-label="Conversations" onBlur={() => setFocused(null)}>
        {drawn.map(({ conversation, index }) => (
          <Box
            asChild
            key={conversation.otherUserId}
            position="absolute"
            insetInline="0"
            style={{ top: `${index * rowHeightRem}rem` }}
          >
            <li
              aria-setsize={complete ? items.length : -1}
              aria-posinset={index + 1}
              onFocus={() => setFocused(conversation.otherUserId)}
            >
              <ConversationRow
                conversation={conversation}
                me={me}
                selected={conversation.otherUserId === selected}
                onSelect={onSelect}
              />
            </li>
          </Box>
        ))}
      </ul>
    </Box>
  )
}

import { Box } from '@chakra-ui/react'
import { useState } from 'react'
import { handleUnauthorized } from '@/lib/unauthorized'
import { Button } from '@/ui/Button'
import { BubblesDrawing } from '@/ui/drawings'
import { EmptyState, ErrorState } from '@/ui/states'
import { loadMoreConversations } from '../api/conversations'
import { ConversationRow } from './ConversationRow'
import { ConversationSkeleton } from './ConversationSkeleton'
import { matches, PeopleSearch } from './PeopleSearch'
import { useConversations } from './useConversations'

/** The left column: people to start with, and the conversations there are. */
export function ConversationListPanel({
  me,
  selected,
  onSelect,
}: {
  me: string
  selected: string | null
  onSelect: (userId: string) => void
}) {
  const [typed, setTyped] = useState('')
  const choose = (userId: string) => {
    setTyped('')
    onSelect(userId)
  }
  return (
    <Box display="flex" flexDirection="column" height="100%" minHeight="0">
      <PeopleSearch value={typed} onChange={setTyped} onChoose={choose} />
      <Box flex="1" minHeight="0" overflowY="auto" overscrollBehavior="contain">
        <Conversations me={me} selected={selected} onSelect={choose} typed={typed} />
      </Box>
    </Box>
  )
}

function Conversations({
  me,
  selected,
  onSelect,
  typed,
}: {
  me: string
  selected: string | null
  onSelect: (userId: string) => void
  typed: string
}) {
  const list = useConversations()
  if (list.isPending) return <ConversationSkeleton />
  if (list.isError && !list.data) {
    return <ErrorState message="Your conversations did not load." onRetry={() => void list.refetch()} />
  }
  if (list.data.items.length === 0) {
    return (
      <EmptyState
        drawing={<BubblesDrawing />}
        title="No conversations yet"
        text="Search for users to start messaging"
      />
    )
  }
  const shown = list.data.items.filter((conversation) => matches(conversation, typed))
  return (
    <>
      <Box as="ul" listStyleType="none" aria-label="Conversations">
        {shown.map((conversation) => (
          <li key={conversation.otherUserId}>
            <ConversationRow
              conversation={conversation}
              me={me}
              selected={conversation.otherUserId === selected}
              onSelect={() => onSelect(conversation.otherUserId)}
            />
          </li>
        ))}
      </Box>
      {list.data.nextCursor !== null && <MoreButton />}
    </>
  )
}

function MoreButton() {
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const load = () => {
    setState('loading')
    loadMoreConversations().then(
      () => setState('idle'),
      (error: unknown) => {
        handleUnauthorized(error)
        setState('failed')
      },
    )
  }
  return (
    <Box padding="4" textAlign="center">
      <Button size="sm" variant="outline" pending={state === 'loading'} onClick={load}>
        {state === 'failed' ? 'That did not load. Try again' : 'Older conversations'}
      </Button>
    </Box>
  )
}

import { Box } from '@chakra-ui/react'
import { intervals } from '@contract/intervals.ts'
import type { Conversation } from '@contract/message.ts'
import { useState } from 'react'
import { redirectIfUnauthorized } from '@/session/login-redirect'
import { BubblesIllustration } from '@/ui/illustrations'
import { LoadMore } from '@/ui/LoadMore'
import { EmptyState, ErrorState } from '@/ui/states'
import { useDebounced } from '@/ui/useDebounced'
import { loadMoreConversations } from '../api/conversations'
import { useConversations } from '../api/useConversations'
import { ConversationSkeleton } from './ConversationSkeleton'
import { MessageSearchResults } from './MessageSearchResults'
import { ConversationSearchBox, matchesSearch, normalizeQuery, RecipientSuggestions } from './PeopleSearch'
import { VirtualConversationList } from './VirtualConversationList'

/** The left column: the conversations there are, and the search for people and messages. */
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
  const settled = useDebounced(normalizeQuery(typed), intervals.searchDebounceMs)
  // An emptied box shows the conversations at once.
  const query = normalizeQuery(typed) && settled
  const list = useConversations()
  const items = list.data?.items ?? []
  const shown = normalizeQuery(typed)
    ? items.filter((conversation) => matchesSearch(conversation, typed))
    : items
  const choose = (userId: string) => {
    setTyped('')
    onSelect(userId)
  }
  return (
    <Box display="flex" flexDirection="column" height="100%" minHeight="0">
      <ConversationSearchBox value={typed} onChange={setTyped} />
      <Box flex="1" minHeight="0" overflowY="auto" overscrollBehavior="contain">
        {query && <RecipientSuggestions query={query} known={shown} onChoose={choose} />}
        <Conversations
          list={list}
          shown={shown}
          searching={normalizeQuery(typed) !== ''}
          me={me}
          selected={selected}
          onSelect={choose}
        />
        {query && <MessageSearchResults me={me} query={query} />}
      </Box>
    </Box>
  )
}

function Conversations({
  list,
  shown,
  searching,
  me,
  selected,
  onSelect,
}: {
  list: ReturnType<typeof useConversations>
  /** Those of the list that are to be shown. */
  shown: Conversation[]
  searching: boolean
  me: string
  selected: string | null
  onSelect: (userId: string) => void
}) {
  const more = useMore()
  if (list.isPending) return <ConversationSkeleton />
  if (list.isError && !list.data) {
    return <ErrorState message="Your conversations did not load." onRetry={() => void list.refetch()} />
  }
  const { items, nextCursor } = list.data
  if (items.length === 0) {
    if (searching) return null
    return (
      <EmptyState
        drawing={<BubblesIllustration />}
        title="No conversations yet"
        text="Search for users to start messaging"
      />
    )
  }
  return (
    <>
      {shown.length > 0 && (
        <VirtualConversationList
          items={shown}
          complete={nextCursor === null}
          me={me}
          selected={selected}
          onSelect={onSelect}
        />
      )}
      {!searching && (
        <LoadMore
          more={nextCursor !== null}
          failed={more.state === 'failed'}
          loading={more.state === 'loading'}
          onMore={more.load}
          label="Older conversations"
          failedLabel="That did not load. Try again"
        />
      )}
    </>
  )
}

function useMore() {
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const load = () => {
    setState('loading')
    loadMoreConversations().then(
      () => setState('idle'),
      (error: unknown) => {
        redirectIfUnauthorized(error)
        setState('failed')
      },
    )
  }
  return { state, load }
}

import { Box, chakra } from '@chakra-ui/react'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import type { Conversation, ConversationFilter } from '@contract/message.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type RefObject, useDeferredValue, useState } from 'react'
import { useCurrentUser } from '@/session/session'
import { SearchInput } from '@/ui/Field'
import { FilterChips } from '@/ui/FilterChips'
import { IconButton } from '@/ui/IconButton'
import { PencilIcon } from '@/ui/icons'
import { BubblesIllustration } from '@/ui/illustrations'
import { LoadMore } from '@/ui/LoadMore'
import { EmptyState, ErrorState } from '@/ui/states'
import { UserRow } from '@/ui/UserRow'
import { useDebounced } from '@/ui/useDebounced'
import {
  loadMoreConversations,
  pickSuggestions,
  recipientSuggestionsQuery,
  useConversations,
} from '../api/conversations'
import { ConversationSkeleton } from './ConversationRow'
import { MassMessageButton } from './MassMessageButton'
import { MessageSearchResults } from './MessageSearchResults'
import { VirtualConversationList } from './VirtualConversationList'

/** The left column: the conversations, and the search for messages and for users to start a conversation with. */
export function ConversationListPanel({
  me,
  selected,
  onSelect,
  filter,
  onFilter,
  searchRef,
}: {
  me: string
  selected: string | null
  onSelect: (userId: string) => void
  filter: ConversationFilter | undefined
  onFilter: (filter: ConversationFilter | undefined) => void
  searchRef: RefObject<HTMLInputElement | null>
}) {
  const isCreator = useCurrentUser().user?.isCreator
  const [searchText, setSearchText] = useState('')
  const currentQuery = normalizeQuery(searchText)
  const debouncedQuery = useDebounced(currentQuery, intervals.searchDebounceMs)
  // Clearing the search box takes effect without the debounce.
  const query = currentQuery && debouncedQuery
  // The search covers all conversations.
  const appliedFilter = currentQuery ? undefined : filter
  const list = useConversations(appliedFilter, selected)
  const items = list.data?.items ?? []
  const filteredItems = currentQuery
    ? items.filter((conversation) => matchesSearch(conversation, searchText))
    : items
  const selectUser = (userId: string) => {
    setSearchText('')
    onSelect(userId)
  }
  return (
    <Box display="flex" flexDirection="column" height="100%" minHeight="0">
      <Box display="flex" alignItems="center" paddingInline="4" paddingTop="2">
        {/* Screen readers use the page's heading, which exists even while a conversation covers the list. */}
        <Box aria-hidden textStyle="heading" flex="1" minWidth="0" truncate>
          {t`Messages`}
        </Box>
        <MassMessageButton me={me} />
        <IconButton label={t`New message`} marginInlineEnd="-3" onClick={() => searchRef.current?.focus()}>
          <PencilIcon />
        </IconButton>
      </Box>
      <ConversationSearchBox ref={searchRef} value={searchText} onChange={setSearchText} />
      {!currentQuery && (
        <Box paddingInline="4" paddingBottom="3">
          <FilterChips
            label={t`Filter conversations`}
            options={[
              { value: 'all', label: t`All` },
              { value: 'unread', label: t`Unread` },
              ...(isCreator || filter === 'subscribers'
                ? [{ value: 'subscribers', label: t`Subscribers` } as const]
                : []),
              { value: 'requests', label: t`Requests` },
            ]}
            value={filter ?? 'all'}
            onChange={(value) => onFilter(value === 'all' ? undefined : value)}
            singleLine
          />
        </Box>
      )}
      <Box flex="1" minHeight="0" overflowY="auto" overscrollBehavior="contain">
        {query && (
          <RecipientSuggestions me={me} query={query} conversations={filteredItems} onSelect={selectUser} />
        )}
        {/* Remounted for each filter, so that a list does not inherit the loading state of another one. */}
        <Conversations
          key={appliedFilter ?? 'all'}
          list={list}
          items={filteredItems}
          filter={appliedFilter}
          searching={currentQuery !== ''}
          me={me}
          selected={selected}
          onSelect={selectUser}
        />
        {query && <MessageSearchResults me={me} query={query} />}
      </Box>
    </Box>
  )
}

function Conversations({
  list,
  items,
  filter,
  searching,
  me,
  selected,
  onSelect,
}: {
  list: ReturnType<typeof useConversations>
  /** The conversations in `list` that are shown. */
  items: Conversation[]
  filter: ConversationFilter | undefined
  searching: boolean
  me: string
  selected: string | null
  onSelect: (userId: string) => void
}) {
  const nextPage = useMutation({ mutationFn: () => loadMoreConversations(filter) })
  // Deferred, so that rendering the first conversations does not block the page.
  const isLoading = useDeferredValue(list.isPending)
  if (list.isPending || isLoading) return <ConversationSkeleton />
  if (list.isError && !list.data) {
    return (
      <ErrorState message={t`Couldn't load conversations. Try again.`} onRetry={() => void list.refetch()} />
    )
  }
  if (list.data.items.length === 0) {
    if (searching) return null
    return (
      <Box role="status">
        <EmptyState illustration={<BubblesIllustration />} {...emptyState(filter)} />
      </Box>
    )
  }
  const hasMore = list.data.nextCursor !== null
  return (
    <>
      {items.length > 0 && (
        <VirtualConversationList
          items={items}
          complete={!hasMore}
          me={me}
          selected={selected}
          onSelect={onSelect}
        />
      )}
      {!searching && (
        <LoadMore
          list={{
            hasNextPage: hasMore,
            isFetchingNextPage: nextPage.isPending,
            isFetchNextPageError: nextPage.isError,
            fetchNextPage: () => nextPage.mutate(),
          }}
          label={t`Load more conversations`}
          failedLabel={t`Couldn't load more conversations. Try again`}
        />
      )}
    </>
  )
}

function emptyState(filter: ConversationFilter | undefined): { title: string; text: string } {
  if (filter === 'unread')
    return { title: t`No unread messages`, text: t`Conversations with new messages will appear here.` }
  if (filter === 'subscribers') {
    return {
      title: t`No conversations with subscribers`,
      text: t`When you and a subscriber write to each other, the conversation appears here.`,
    }
  }
  if (filter === 'requests') {
    return {
      title: t`No requests`,
      text: t`When people write to you first, their messages appear here until you reply.`,
    }
  }
  return { title: t`No conversations yet`, text: t`Search for users to start messaging` }
}

const UserButton = chakra('button', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    width: '100%',
    minHeight: '14',
    paddingInline: '4',
    textAlign: 'start',
    cursor: 'pointer',
    _hover: { bg: 'hover' },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

/** Returns the query for a search text; empty if there is nothing to search for. */
function normalizeQuery(searchText: string): string {
  return searchText.trim().slice(0, limits.searchQuery.max)
}

/** The search box for users, conversations and messages. */
function ConversationSearchBox({
  ref,
  value,
  onChange,
}: {
  ref: RefObject<HTMLInputElement | null>
  value: string
  onChange: (value: string) => void
}) {
  return (
    <Box marginInline="4" marginTop="1" marginBottom="3">
      <SearchInput
        ref={ref}
        round
        label={t`Search people and messages`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onChange('')}
        bg="hover"
        fontSize={{ base: 'input', md: 'md' }}
      />
    </Box>
  )
}

/** Suggests users who match the non-empty `query` and are not in `conversations`, which are listed below. */
function RecipientSuggestions({
  me,
  query,
  conversations,
  onSelect,
}: {
  me: string
  query: string
  conversations: readonly Conversation[]
  onSelect: (userId: string) => void
}) {
  const search = useQuery(recipientSuggestionsQuery(query))
  const suggestions =
    search.data &&
    pickSuggestions(
      search.data.filter(({ id }) => id !== me),
      conversations,
    )
  return (
    <>
      <Box role="status" aria-live="polite">
        {suggestions?.length === 0 && (
          <Box padding="4" color="muted" textStyle="small" overflowWrap="anywhere">
            {conversations.length > 0 ? (
              <Trans>
                No other users found for "<bdi>{query}</bdi>"
              </Trans>
            ) : (
              <Trans>
                No users found for "<bdi>{query}</bdi>"
              </Trans>
            )}
          </Box>
        )}
      </Box>
      {search.isError && (
        <Box role="alert" padding="4" color="danger.text" textStyle="small">
          {t`Search failed`}
        </Box>
      )}
      {suggestions && suggestions.length > 0 && (
        <Box as="ul" listStyleType="none" borderBottomWidth="1px" aria-label={t`Suggested people`}>
          {suggestions.map((user) => (
            <li key={user.id}>
              <UserButton type="button" onClick={() => onSelect(user.id)}>
                <UserRow user={user} size="sm" />
              </UserButton>
            </li>
          ))}
        </Box>
      )}
    </>
  )
}

/** Returns true if one of the other user's names contains the search text. */
function matchesSearch(conversation: Conversation, searchText: string): boolean {
  const query = searchText.trim().toLowerCase()
  const { fullName, username, displayName } = conversation.otherUser
  return [fullName, username, displayName].some((name) => name.toLowerCase().includes(query))
}

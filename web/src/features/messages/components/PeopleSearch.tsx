import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { Conversation } from '@contract/message.ts'
import { useQuery } from '@tanstack/react-query'
import { Input } from '@/ui/Field'
import { UserRow } from '@/ui/UserRow'
import { pickSuggestions, recipientSuggestionsQuery } from '../api/recipients'

const PersonButton = chakra('button', {
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

/** What is searched: nothing while the box is empty. */
export function normalizeQuery(typed: string): string {
  return typed.trim().slice(0, limits.searchQuery.max)
}

/** The box in which people, conversations and messages are searched. */
export function ConversationSearchBox({
  value,
  onChange,
}: {
  value: string
  onChange: (value: string) => void
}) {
  return (
    <Box padding="3" borderBottomWidth="1px">
      <Input
        type="search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onChange('')}
        placeholder="Search people and messages"
        aria-label="Search for users to message, and in your messages"
        autoComplete="off"
        minHeight="target"
      />
    </Box>
  )
}

/** Up to three people to write to, found by `query`, which is not empty; none of `known`, who are shown beside them. */
export function RecipientSuggestions({
  query,
  known,
  onChoose,
}: {
  query: string
  known: readonly Conversation[]
  onChoose: (userId: string) => void
}) {
  const people = useQuery(recipientSuggestionsQuery(query))
  const shown = people.data && pickSuggestions(people.data, known)
  return (
    <>
      <Box role="status" aria-live="polite">
        {shown?.length === 0 && (
          <Box padding="4" color="muted" textStyle="small" overflowWrap="anywhere">
            No {known.length > 0 && 'other '}users found for "<bdi>{query}</bdi>"
          </Box>
        )}
      </Box>
      {people.isError && (
        <Box role="alert" padding="4" color="danger.text" textStyle="small">
          Search failed
        </Box>
      )}
      {shown && shown.length > 0 && (
        <Box as="ul" listStyleType="none" borderBottomWidth="1px" aria-label="Suggested people">
          {shown.map((person) => (
            <li key={person.id}>
              <PersonButton type="button" onClick={() => onChoose(person.id)}>
                <UserRow person={person} size="sm" />
              </PersonButton>
            </li>
          ))}
        </Box>
      )}
    </>
  )
}

/** Marks a conversation that a typed name finds. */
export function matchesSearch(conversation: Conversation, typed: string): boolean {
  const query = typed.trim().toLowerCase()
  const { fullName, username, displayName: shownName } = conversation.otherUser
  return [fullName, username, shownName].some((name) => name.toLowerCase().includes(query))
}

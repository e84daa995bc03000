import { limits } from '@contract/limits.ts'
import type { Conversation } from '@contract/message.ts'
import { User } from '@contract/user.ts'
import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { api, withQuery } from '@/lib/api'
import { messageKeys } from './keys'

/** The other person of a conversation that has no message yet. */
export function recipientQuery(userId: string) {
  return queryOptions({
    queryKey: messageKeys.person(userId),
    queryFn: ({ signal }) => api.get(`/api/users/${encodeURIComponent(userId)}`, User, { signal }),
  })
}

/** As many as are asked for: some of them may be among the conversations that are shown already. */
const asked = 10

/** People who are found, to start a conversation with. */
export function recipientSuggestionsQuery(query: string) {
  return queryOptions({
    queryKey: messageKeys.suggestions(query),
    queryFn: ({ signal }) =>
      api.get(withQuery('/api/users/search', { q: query, limit: asked }), z.array(User), { signal }),
    staleTime: 30_000,
  })
}

/** The first three of those who were found, without those of `known`, who are shown beside them. */
export function pickSuggestions<Person extends Pick<User, 'id'>>(
  found: readonly Person[],
  known: readonly Pick<Conversation, 'otherUserId'>[],
): Person[] {
  const shown = new Set(known.map(({ otherUserId }) => otherUserId))
  return found.filter(({ id }) => !shown.has(id)).slice(0, limits.conversationSuggestions)
}

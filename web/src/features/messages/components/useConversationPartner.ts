import { intervals } from '@contract/intervals.ts'
import type { UserCard } from '@contract/user.ts'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '@/lib/api'
import { conversationName } from '@/lib/text'
import { conversationsQuery } from '../api/conversations'
import { recipientQuery } from '../api/recipients'
import { threadQuery } from '../api/thread'

/** Who the conversation is with, from the list, or asked for where there is no conversation yet. */
export function useConversationPartner(otherUserId: string) {
  const list = useQuery({
    ...conversationsQuery,
    // Where nothing may be written there is no channel either that would tell when that changes.
    refetchInterval: (query) => {
      const known = query.state.data?.items.find((one) => one.otherUserId === otherUserId)
      return known && !known.canMessage ? intervals.pollMs : false
    },
  })
  const conversation = list.data?.items.find((one) => one.otherUserId === otherUserId)
  const asked = useQuery({
    ...recipientQuery(otherUserId),
    enabled: list.isFetched && !conversation?.canMessage,
  })
  // The thread of a conversation that the list does not reach to.
  const { data: inThread } = useQuery({
    ...threadQuery(otherUserId),
    enabled: false,
    select: (thread) => thread.some((message) => message.senderId !== otherUserId),
  })
  const person: UserCard | undefined = conversation?.otherUser ?? asked.data
  const known = conversation ?? asked.data
  // An answer of before, or one that is being asked for again, says nothing about now.
  const disabled = asked.isSuccess && !asked.isFetching && asked.data.allowDirectMessages === false
  const missing = !person && asked.error instanceof ApiError && [400, 404].includes(asked.error.status)
  const refusal = disabled
    ? 'This user has disabled direct messages'
    : missing
      ? 'You cannot write to this person.'
      : `You cannot write to ${conversationName(person)} at the moment.`
  return {
    person,
    presence: conversation?.presence,
    unreadCount: conversation?.unreadCount ?? 0,
    loading: !person && (list.isPending || asked.isLoading),
    missing,
    failed: !person && asked.isError && !missing,
    retry: () => void asked.refetch(),
    canMessage: known?.canMessage ?? false,
    /** Whether the reader has written to them, as far as is known. */
    hasWritten: conversation?.hasWritten || inThread || false,
    refusal: missing || (known && !known.canMessage) ? refusal : null,
  }
}

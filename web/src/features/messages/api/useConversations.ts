import { intervals } from '@contract/intervals.ts'
import { useQuery } from '@tanstack/react-query'
import { useConnection } from '@/realtime'
import { conversationsQuery } from './conversations'

/** Milliseconds between two readings while news are pushed: who is online is not. */
const presencePoll = 60_000

/** The conversations, kept live: pushed while joined, else read on sight and polled. */
export function useConversations() {
  const joined = useConnection((connection) => connection.joined)
  return useQuery({
    ...conversationsQuery,
    refetchOnMount: joined ? true : 'always',
    refetchInterval: joined ? presencePoll : intervals.pollMs,
  })
}

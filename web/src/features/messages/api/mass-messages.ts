import { type MassMessage, MassMessages, type SendMassMessageRequest } from '@contract/mass-message.ts'
import { t } from '@lingui/core/macro'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { errorMessage } from '@/lib/errors'
import { invalidateQueries } from '@/lib/query-cache'
import { messageKeys } from './keys'

/** How often the progress of a mass message is fetched. */
const progressPollMs = 2000

/** The current user's subscribers and latest mass messages. */
export const massMessagesQuery = queryOptions({
  queryKey: messageKeys.massMessages,
  queryFn: ({ signal }) => api.get('/api/messages/mass', MassMessages, { signal }),
  staleTime: 60_000,
  refetchInterval: ({ state }) => (findUnfinished(state.data) ? progressPollMs : false),
})

/** Returns the mass message that is being sent, if any. */
export const findUnfinished = (data: MassMessages | undefined): MassMessage | undefined =>
  data?.messages.find(({ finishedAt }) => finishedAt === null)

/** Sends a mass message. Refetches the list after an error, because the server may have stored the message anyway. */
export function useSendMassMessage() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (request: SendMassMessageRequest) => api.post('/api/messages/mass', request, MassMessages),
    onMutate: () => client.cancelQueries({ queryKey: messageKeys.massMessages }),
    onSuccess: (data) => client.setQueryData(messageKeys.massMessages, data),
    onError: () => invalidateQueries(client, { queryKey: messageKeys.massMessages }),
  })
}

/** Stops the mass message that is being sent. */
export function useStopMassMessage() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      api.post(`/api/messages/mass/${encodeURIComponent(id)}/stop`, undefined, MassMessages),
    onMutate: () => client.cancelQueries({ queryKey: messageKeys.massMessages }),
    onSuccess: (data) => client.setQueryData(messageKeys.massMessages, data),
    meta: { errorMessage: (error) => errorMessage(error, t`Couldn't stop the message. Try again.`) },
  })
}

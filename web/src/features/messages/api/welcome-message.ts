import { WelcomeMessage } from '@contract/mass-message.ts'
import { t } from '@lingui/core/macro'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { pageFreshness } from '@/lib/query-client'
import { useTextDraft } from '@/lib/storage'
import { toast } from '@/ui/toaster'
import { messageKeys } from './keys'

const path = '/api/messages/welcome'

/** The message that the current user's new subscribers get. */
export const welcomeMessageQuery = queryOptions({
  queryKey: messageKeys.welcomeMessage,
  queryFn: ({ signal }) => api.get(path, WelcomeMessage, { signal }),
  ...pageFreshness,
})

/** The unsaved text of the welcome message, or null if there are no changes. */
export const useWelcomeMessageDraft = (me: string) => useTextDraft(me, 'draft:welcome-message')

/** Saves the welcome message and deletes the draft. */
export function useSaveWelcomeMessage(me: string) {
  const client = useQueryClient()
  const { write } = useWelcomeMessageDraft(me)
  return useMutation({
    mutationFn: (content: string) => api.put(path, { content }, WelcomeMessage),
    onMutate: () => client.cancelQueries({ queryKey: messageKeys.welcomeMessage }),
    onSuccess: (saved) => {
      client.setQueryData(messageKeys.welcomeMessage, saved)
      write(null)
      toast({ title: saved.content === '' ? t`Welcome message turned off` : t`Welcome message saved` })
    },
  })
}

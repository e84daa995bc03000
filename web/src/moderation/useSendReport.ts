import { Report, type ReportRequest } from '@contract/moderation.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { api, errorMessage, isTransient, isUnauthorized } from '@/lib/api'
import { isolateBidi } from '@/lib/bidi'
import { paths } from '@/lib/paths'
import { queryKeys } from '@/lib/query-keys'
import { toast } from '@/ui/toaster'
import type { ReportSubject } from './dialogs'

/** What is said of something: why, in words if wanted, and whether its person is blocked as well. */
type Said = Pick<ReportRequest, 'reason' | 'note'> & { block: boolean }

/**
 * Reports something, and blocks its person where that is wanted. The same again, while nobody has looked at it, is said
 * to be so. A report that is sent is not lost with a block that fails.
 */
export function useSendReport({ kind, id, person }: ReportSubject, onDone: () => void) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const mutation = useMutation({
    mutationFn: async ({ block, reason, note }: Said) => {
      const body: ReportRequest = { kind, id, reason, note: note || null }
      const { made } = await api.store('/api/reports', body, Report)
      const blocked = block && (await blockPerson(person.id))
      return { made, wanted: block, blocked }
    },
    onSuccess: ({ made, wanted, blocked }) => {
      void client.invalidateQueries({ queryKey: queryKeys.reports })
      const name = isolateBidi(person.name)
      toast({
        title: made ? 'Report sent' : 'You reported this already',
        description: [
          made
            ? 'The moderators look at it.'
            : 'Nobody has looked at it yet: it waits with what you said first.',
          wanted && (blocked ? `You blocked ${name}.` : `${name} could not be blocked. Please try again.`),
        ]
          .filter(Boolean)
          .join(' '),
        tone: wanted && !blocked ? 'destructive' : 'default',
        action: { label: 'My reports', run: () => void navigate(paths.safety.getHref('reports')) },
      })
      onDone()
      if (!blocked) return
      for (const queryKey of seenOfPeople) void client.invalidateQueries({ queryKey })
    },
  })
  const { error } = mutation
  return {
    send: mutation.mutate,
    isPending: mutation.isPending,
    failure: error && !isUnauthorized(error) ? reasonOf(error) : null,
  }
}

/** What the two of a block no longer see of each other. */
const seenOfPeople = [queryKeys.users, queryKeys.posts, queryKeys.comments, queryKeys.messages]

async function blockPerson(id: string): Promise<boolean> {
  try {
    await api.command('POST', `/api/users/${id}/block`)
    return true
  } catch {
    return false
  }
}

function reasonOf(error: Error): string {
  if (!isTransient(error)) return errorMessage(error, 'Your report could not be sent. Please try again.')
  return errorMessage(
    error,
    'Your report may not have been sent: the connection was lost. Please send it again.',
  )
}

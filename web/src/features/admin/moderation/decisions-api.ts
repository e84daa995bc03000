import {
  AdminCase,
  type AppealDecisionRequest,
  type BulkDecisionRequest,
  BulkDecisionResponse,
  type DecisionRequest,
  type ModerateRequest,
} from '@contract/moderation.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, errorMessage, isTransient, isUnauthorized } from '@/lib/api'
import { queryKeys } from '@/lib/query-keys'
import { uuidv7 } from '@/lib/uuid'
import { type Toast, toast } from '@/ui/toaster'
import { userStatsQuery } from '../users/api'
import { type CasePages, caseListKey, casesKey } from './api'
import { decisionStateNames, pluralizeCases } from './model'

/**
 * Decides cases alike. `onDone` is told which were, and why the others were not. Where none was it is a failure, so that
 * what was typed stays.
 */
export function useDecideCases(onDone: (answer: BulkDecisionResponse) => void) {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: (body: BulkDecisionRequest) =>
      api.post('/api/admin/cases/decide', body, BulkDecisionResponse),
    onSuccess: (answer, { decision }) => {
      dropOpen(client, answer.decided)
      refresh(client)
      if (answer.decided.length === 0) return
      toast(told(answer, decision))
      onDone(answer)
    },
    onError: () => void client.invalidateQueries({ queryKey: casesKey }),
  })
  const { data } = mutation
  const shared = withFailure(mutation, 'That was not decided. Please try again.', listShows)
  return { ...shared, failure: data?.decided.length === 0 ? whyNot(data) : shared.failure }
}

const listShows = 'The connection was lost. The list shows what was decided.'

const whyNot = ({ failed }: BulkDecisionResponse) =>
  [...new Set(failed.map(({ message }) => message))].join(' ')

function told(answer: BulkDecisionResponse, { decision }: DecisionRequest): Toast {
  const { decided, failed } = answer
  const title = `${decisionStateNames[decision]}: ${pluralizeCases(decided.length)}`
  if (failed.length === 0) return { title }
  return {
    title,
    description: `${failed.length} ${failed.length === 1 ? 'was' : 'were'} not: ${whyNot(answer)}`,
    tone: 'destructive',
  }
}

type Moderating = Omit<ModerateRequest, 'requestId'>

/** Decides about something from where it is shown. What others see of it is read again. */
export function useModerate(onDone: () => void) {
  const client = useQueryClient()
  const idOf = useRequestId()
  const mutation = useMutation({
    mutationFn: (body: Moderating) =>
      api.post(
        '/api/admin/moderate',
        { requestId: idOf(body), ...body } satisfies ModerateRequest,
        AdminCase,
      ),
    onSuccess: (_, { decision: { decision } }) => {
      toast({ title: decisionStateNames[decision], description: 'They are told why.' })
      refresh(client)
      onDone()
    },
  })
  const mayBe = 'The connection was lost: it may have been decided. Sent again unchanged, it is decided once.'
  return withFailure(mutation, 'That was not decided. Please try again.', mayBe)
}

/** One id for what is sent, however often, until something else is: then it is another decision. */
function useRequestId(): (body: Moderating) => string {
  const last = useRef({ said: '', id: '' })
  return (body) => {
    const said = JSON.stringify(body)
    if (last.current.said !== said) last.current = { said, id: uuidv7() }
    return last.current.id
  }
}

/** Answers an appeal, for good. */
export function useAnswerAppeal(onDone: () => void) {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: ({ id, ...form }: { id: string } & AppealDecisionRequest) =>
      api.post(`/api/admin/cases/${id}/appeal`, form, AdminCase),
    onSuccess: ({ id, appealOutcome }) => {
      drop(client, 'appealed', [id])
      refresh(client)
      toast({ title: appealOutcome === 'overturned' ? 'Appeal granted' : 'Appeal turned down' })
      onDone()
    },
    onError: () => void client.invalidateQueries({ queryKey: casesKey }),
  })
  return withFailure(mutation, 'The appeal was not answered. Please try again.', listShows)
}

function withFailure<Variables>(
  mutation: { mutate: (variables: Variables) => void; isPending: boolean; error: Error | null },
  fallback: string,
  /** Said where the answer did not come, so that nobody knows whether it was done. */
  lost: string,
) {
  const { error, isPending } = mutation
  const said = error && isTransient(error) ? lost : fallback
  return {
    send: mutation.mutate,
    isPending,
    /** What stands in the way, for people. */
    failure: error && !isPending && !isUnauthorized(error) ? errorMessage(error, said) : null,
  }
}

const dropOpen = (client: QueryClient, ids: readonly string[]) => drop(client, 'open', ids)

/** Takes cases out of the lists of a state that they are no longer in. */
function drop(client: QueryClient, state: 'open' | 'appealed', ids: readonly string[]): void {
  client.setQueriesData<CasePages>(
    { queryKey: caseListKey(state) },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          items: page.items.filter(({ id }) => !ids.includes(id)),
        })),
      },
  )
}

/** Reads again what a decision changes: cases, counts, and the things themselves wherever they are shown. */
function refresh(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: casesKey })
  void client.invalidateQueries({ queryKey: userStatsQuery.queryKey })
  for (const queryKey of [queryKeys.posts, queryKeys.comments, queryKeys.messages, queryKeys.users]) {
    void client.invalidateQueries({ queryKey })
  }
}

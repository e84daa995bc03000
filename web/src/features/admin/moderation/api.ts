import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import {
  AdminCase,
  AdminCaseDetails,
  type AppealDecisionRequest,
  type BulkDecisionRequest,
  BulkDecisionResponse,
  type CaseSort,
  type CaseState,
  type ModerateRequest,
  type SubjectKind,
} from '@contract/moderation.ts'
import { t } from '@lingui/core/macro'
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useRef } from 'react'
import { api, type Page, pagedList } from '@/lib/api'
import { inlineErrorMessage, isTransient, translateServerText } from '@/lib/errors'
import { updateItems } from '@/lib/query-cache'
import { queryKeys } from '@/lib/query-client'
import { uuidv7 } from '@/lib/uuid'
import { toast } from '@/ui/toaster'
import { userStatsQuery } from '../users/api'
import { caseCountText, decisionStateNames } from './model'

const casesKey = ['admin', 'cases'] as const

export type CaseFilter = {
  state: CaseState | undefined
  kind: SubjectKind | undefined
  userId: string | undefined
  sort: CaseSort
}
type CasePages = InfiniteData<Page<AdminCase>>

const listsKey = [...casesKey, 'list'] as const
/** The common prefix of the query keys for the cases in a state. */
const caseListKey = (state: CaseState) => [...listsKey, state] as const

/**
 * The cases that match the filter, in its sort order. There is no realtime event for new reports or for
 * the decisions of other admins, so the list polls.
 */
export const casesQuery = ({ state, kind, userId, sort }: CaseFilter) =>
  infiniteQueryOptions({
    queryKey: [...listsKey, state, kind, userId, sort],
    ...pagedList(
      '/api/admin/cases',
      { state, kind, personId: userId, sort, limit: limits.page.cases },
      AdminCase,
    ),
    staleTime: 0,
    refetchInterval: intervals.pollMs,
  })

/** A case with its latest reports and their reporters. */
export const caseQuery = (id: string) =>
  queryOptions({
    queryKey: [...casesKey, 'one', id],
    queryFn: ({ signal }) => api.get(`/api/admin/cases/${id}`, AdminCaseDetails, { signal }),
    staleTime: 0,
  })

/**
 * Makes the same decision on several cases. `onDone` receives the decided cases and the reasons why others could not
 * be decided. If none could, returns an error instead, so that the decision dialog stays open and keeps its input.
 */
export function useDecideCases(onDone: (response: BulkDecisionResponse) => void) {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: (body: BulkDecisionRequest) =>
      api.post('/api/admin/cases/decide', body, BulkDecisionResponse),
    onSuccess: (response, { decision: { decision } }) => {
      removeFromCaseLists(client, 'open', response.decided)
      invalidateModerationData(client)
      if (response.decided.length === 0) return
      // If some cases failed, the selection bar says so.
      if (response.failed.length === 0) {
        const state = t(decisionStateNames[decision])
        const cases = caseCountText(response.decided.length)
        toast({ title: t`${state}: ${cases}` })
      }
      onDone(response)
    },
    onError: () => void client.invalidateQueries({ queryKey: casesKey }),
  })
  const { data } = mutation
  const result = withErrorText(
    mutation,
    t`Couldn't save the decision. Try again.`,
    t`The connection was lost. The list shows what was decided.`,
  )
  return { ...result, error: data?.decided.length === 0 ? failureReasons(data.failed) : result.error }
}

/** Returns the reasons why cases could not be decided, without duplicates. */
export const failureReasons = (failed: BulkDecisionResponse['failed']): string =>
  [...new Set(failed.map(({ message }) => translateServerText(message)))].join(' ')

type ModerateInput = Omit<ModerateRequest, 'requestId'>

/**
 * Makes a decision about content or a user from the page that shows it, rather than from the list of cases. A report is
 * not required.
 */
export function useModerate(onDone: () => void) {
  const client = useQueryClient()
  const requestIdFor = useRequestId()
  const mutation = useMutation({
    mutationFn: (input: ModerateInput) =>
      api.post(
        '/api/admin/moderate',
        { requestId: requestIdFor(input), ...input } satisfies ModerateRequest,
        AdminCase,
      ),
    onSuccess: (_, { decision: { decision } }) => {
      toast({ title: t(decisionStateNames[decision]), description: t`The user has been notified.` })
      invalidateModerationData(client)
      onDone()
    },
  })
  return withErrorText(
    mutation,
    t`Couldn't save the decision. Try again.`,
    t`The connection was lost. Send it again unchanged: it won't be applied twice.`,
  )
}

/** Returns a function that returns the same request id until the input changes, so that a retry is idempotent. */
function useRequestId(): (input: ModerateInput) => string {
  const last = useRef({ input: '', id: '' })
  return (nextInput) => {
    const input = JSON.stringify(nextInput)
    if (last.current.input !== input) last.current = { input, id: uuidv7() }
    return last.current.id
  }
}

/** Answers an appeal. The answer is final. */
export function useAnswerAppeal(onDone: () => void) {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: ({ id, ...form }: { id: string } & AppealDecisionRequest) =>
      api.post(`/api/admin/cases/${id}/appeal`, form, AdminCase),
    onSuccess: ({ id, appealOutcome }) => {
      removeFromCaseLists(client, 'appealed', [id])
      invalidateModerationData(client)
      toast({ title: appealOutcome === 'overturned' ? t`Appeal granted` : t`Appeal turned down` })
      onDone()
    },
    onError: () => void client.invalidateQueries({ queryKey: casesKey }),
  })
  return withErrorText(
    mutation,
    t`Couldn't answer the appeal. Try again.`,
    t`The connection was lost. The list shows what was decided.`,
  )
}

/** Returns the fields of a mutation that its dialog uses, with the error converted to a message. */
function withErrorText<Variables>(
  mutation: { mutate: (variables: Variables) => void; isPending: boolean; error: Error | null },
  fallback: string,
  /** The message if no response arrived and the outcome is unknown. */
  connectionLost: string,
) {
  const { error, isPending } = mutation
  return {
    send: mutation.mutate,
    isPending,
    error: inlineErrorMessage(error, isTransient(error) ? connectionLost : fallback),
  }
}

/** Removes cases from the cached lists for `state`, which they have left. */
function removeFromCaseLists(client: QueryClient, state: 'open' | 'appealed', ids: readonly string[]): void {
  client.setQueriesData<CasePages>({ queryKey: caseListKey(state) }, (data) =>
    updateItems(data, (items) => items.filter(({ id }) => !ids.includes(id))),
  )
}

/** Refetches what a decision changes: cases, counts, and the content and users wherever they are shown. */
function invalidateModerationData(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: casesKey })
  void client.invalidateQueries({ queryKey: userStatsQuery.queryKey })
  for (const queryKey of [queryKeys.posts, queryKeys.comments, queryKeys.messages, queryKeys.users]) {
    void client.invalidateQueries({ queryKey })
  }
}

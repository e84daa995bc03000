import { withAdminBalanceError } from '../admin/user-actions.ts'
import type {
  AdminCase,
  AppealDecisionRequest,
  BulkDecisionResponse,
  DecisionRequest,
  ModerateRequest,
} from '../contract/moderation.ts'
import { type JsonText, type Sql, sql } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { log } from '../http/log.ts'
import { asUser } from '../http/run-as.ts'
import { sendAccountRemovedMail } from './account-removed-mail.ts'
import { readCase } from './queries.ts'
import { runUntilDeadline } from './run-until-deadline.ts'

/**
 * The statement timeout of one decision. Removing a user deletes everything they made, which can take long; see
 * `account/account-deletion.ts`.
 */
const decisionTimeoutMs = 120_000
const setStatementTimeout = (tx: Sql, timeoutMs = decisionTimeoutMs) =>
  tx`select set_config('statement_timeout', ${String(Math.floor(timeoutMs))}, true)`

/** The time for all cases of a call, below the 150 s that the gateway waits for a response. */
const bulkTimeBudget = { totalMs: 140_000, minMs: 5000, now: () => performance.now() }

/** The arguments that the database functions take for a decision. */
const decisionArguments = (request: DecisionRequest) => sql`
  ${request.decision}::text, ${request.reason ?? null}::text,
  ${request.decision === 'suspend' ? request.days : null}::integer,
  ${request.decision === 'suspend' && request.hide === true}::boolean,
  ${request.decision === 'remove' && request.giveUpBalance === true}::boolean`

/** @param email the address of an account that the decision removed, else null */
const mailRemovedAccount = (email: string | null | undefined, { reason }: DecisionRequest) => {
  if (email) sendAccountRemovedMail(email, reason ?? null)
}

/**
 * Decides several cases the same way, each in its own transaction: a failed case does not stop the others. Cases that
 * there is no time for are reported as failed.
 *
 * @throws ApiError 403 for a caller who is not an admin, 401 when their session ends in the meantime
 */
export async function decideCases(
  caller: Caller,
  ids: readonly string[],
  request: DecisionRequest,
): Promise<BulkDecisionResponse> {
  await asUser(caller, (tx) => tx`select private.require_admin()`)
  const response: BulkDecisionResponse = { decided: [], failed: [] }
  const skipped = await runUntilDeadline(new Set(ids), bulkTimeBudget, async (id, remainingMs) => {
    try {
      const [, [row]] = await withAdminBalanceError(() =>
        asUser(caller, (tx) => [
          setStatementTimeout(tx, Math.min(remainingMs, decisionTimeoutMs)),
          tx<{ email: string | null }[]>`
            select private.decide_case(${id}::text::uuid, ${decisionArguments(request)}) as email`,
        ]),
      )
      response.decided.push(id)
      mailRemovedAccount(row?.email, request)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) throw error
      response.failed.push({ id, message: failureMessage(error) })
    }
  })
  response.failed.push(...skipped.map((id) => ({ id, message: timedOutMessage })))
  return response
}

const timedOutMessage = 'There was no time left for this case. Please try again.'

function failureMessage(error: unknown): string {
  if (error instanceof ApiError) return error.message
  log('error', 'case_decision_failed', { kind: error instanceof Error ? error.name : undefined })
  return 'Something went wrong. Please try again.'
}

/**
 * Decides on a subject directly. If it was reported, its open case is decided. Sending the same `requestId` again
 * returns the case in its current state.
 *
 * @throws ApiError 400, 403 for a caller who is not an admin, for admins and for the caller's own content, 404 for
 *   a subject that is deleted or already hidden, 409 `balance_left`, and for a `requestId` of a different decision
 */
export async function moderate(
  caller: Caller,
  { requestId, kind, id, decision }: ModerateRequest,
): Promise<JsonText<AdminCase>> {
  const [, [moderated]] = await withAdminBalanceError(() =>
    asUser(caller, (tx) => [
      setStatementTimeout(tx),
      tx<{ id: string; email: string | null }[]>`
        select d.case_id as id, d.removed_email as email
        from private.moderate_subject(${kind}::text, ${id}::text::uuid, ${decisionArguments(decision)},
                              ${requestId ?? null}::text::uuid) d`,
    ]),
  )
  if (!moderated) throw notFound('Case not found')
  mailRemovedAccount(moderated.email, decision)
  return await readCase(caller, moderated.id)
}

/**
 * Answers an appeal. The answer is final.
 *
 * @throws ApiError 403 for a caller who is not an admin, whom the case is about, or who made the decision while another
 *   admin could answer; 404, 409 `conflict` without an open appeal
 */
export async function answerAppeal(
  caller: Caller,
  id: string,
  { outcome, answer }: AppealDecisionRequest,
): Promise<JsonText<AdminCase>> {
  await asUser(
    caller,
    (tx) => tx`
      select private.decide_appeal(${id}::text::uuid, ${outcome === 'overturned'}::boolean, ${answer}::text)`,
  )
  return await readCase(caller, id)
}

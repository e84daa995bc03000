import { withAdminBalanceError } from '../admin/user-actions.ts'
import type {
  AdminCase,
  AppealDecisionRequest,
  BulkDecisionResponse,
  DecisionRequest,
  ModerateRequest,
} from '../contract/moderation.ts'
import { type JsonText, sql } from '../db/sql.ts'
import { longStatementMs, setStatementTimeout } from '../db/statement-timeout.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { log } from '../http/log.ts'
import { asUser } from '../http/run-as.ts'
import { sendAccountRemovedMail } from './account-removed-mail.ts'
import { readCase } from './queries.ts'
import { runUntilDeadline } from './run-until-deadline.ts'

/** The time budget for all cases in a call. It is less than the 150 seconds that the gateway waits for this route. */
const bulkTimeBudget = { totalMs: 140_000, minMs: 5000, now: () => performance.now() }

/** Returns SQL for the arguments that the database functions take for a decision. */
const decisionArguments = (request: DecisionRequest) => sql`
  ${request.decision}::text, ${request.reason ?? null}::text,
  ${request.decision === 'suspend' ? request.days : null}::integer,
  ${request.decision === 'suspend' && request.hide === true}::boolean,
  ${request.decision === 'remove' && request.giveUpBalance === true}::boolean`

/**
 * Emails the user whose account a decision removed.
 *
 * @param email the removed account's email address; null if the decision removed no account
 */
const notifyRemovedUser = (email: string | null | undefined, { reason }: DecisionRequest) => {
  if (email) sendAccountRemovedMail(email, reason ?? null)
}

/**
 * Decides several cases in the same way, each in its own transaction: a failed case does not stop the others. Cases
 * that are not started before the time runs out are reported as failed.
 *
 * @throws ApiError 401 if the session has ended or ends in the meantime
 */
export async function decideCases(
  caller: Caller,
  ids: readonly string[],
  request: DecisionRequest,
): Promise<BulkDecisionResponse> {
  const response: BulkDecisionResponse = { decided: [], failed: [] }
  const skipped = await runUntilDeadline(new Set(ids), bulkTimeBudget, async (id, remainingMs) => {
    try {
      const [, [row]] = await withAdminBalanceError(() =>
        asUser(caller, (tx) => [
          setStatementTimeout(tx, Math.min(remainingMs, longStatementMs)),
          tx<{ email: string | null }[]>`
            select private.decide_case(${id}::text::uuid, ${decisionArguments(request)}) as email`,
        ]),
      )
      response.decided.push(id)
      notifyRemovedUser(row?.email, request)
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
 * Decides on a subject directly, whether it was reported or not. If it has an open case, that case is decided. Sending
 * the same `requestId` again returns the case in its current state.
 *
 * @throws ApiError 400; 403 if the caller is not an admin, the subject is the caller or their content, or another admin
 *   would be suspended or removed; 404 if the subject is deleted, already hidden, or a message that was not reported
 *   and is not in one of the caller's conversations; 409 `balance_left`, or if the `requestId` belongs to another
 *   decision
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
  notifyRemovedUser(moderated.email, decision)
  return await readCase(caller, moderated.id)
}

/**
 * Answers an appeal. The answer is final.
 *
 * @throws ApiError 403 if the caller is not an admin, the case is about them, or they made the decision and another
 *   admin can answer; 404; 409 `conflict` if the case has no open appeal
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

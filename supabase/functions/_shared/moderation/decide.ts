import { sayingWhose } from '../admin/deeds.ts'
import type {
  AdminCase,
  AppealDecisionRequest,
  BulkDecisionAnswer,
  DecisionRequest,
  ModerateRequest,
} from '../contract/moderation.ts'
import { sql } from '../db/page.ts'
import { asUser, type Sql } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { log } from '../http/log.ts'
import type { Caller } from '../http/session.ts'
import { selectCase } from './cases.ts'
import { inTime } from './in-time.ts'
import { tellRemoved } from './removed-mail.ts'

/**
 * Milliseconds that the database may take for one: removing somebody takes all that they made with them; see
 * `account/delete.ts`.
 */
const patience = 120_000
const wait = (tx: Sql, time = patience) =>
  tx`select set_config('statement_timeout', ${String(Math.floor(time))}, true)`

/** The time for all cases of a call: it answers while it is still waited for, which is for 150 s. */
const callTime = { all: 140_000, least: 5000, now: () => performance.now() }

/** What is decided, as the database's functions take it. */
const parts = (decided: DecisionRequest) => sql`
  ${decided.decision}::text, ${decided.reason ?? null}::text,
  ${decided.decision === 'suspend' ? decided.days : null}::integer,
  ${decided.decision === 'suspend' && decided.hide === true}::boolean,
  ${decided.decision === 'remove' && decided.giveUpBalance === true}::boolean`

const tell = (address: string | null | undefined, { reason }: DecisionRequest) => {
  if (address) tellRemoved(address, reason ?? null)
}

/**
 * Decides cases alike, each in a transaction of its own: one that fails stops no other. Those that no time is left for
 * are not begun, and named among the failed ones.
 *
 * @throws ApiError 403 for who is no admin, and when their session ends meanwhile 401
 */
export async function decideCases(
  caller: Caller,
  ids: readonly string[],
  decided: DecisionRequest,
): Promise<BulkDecisionAnswer> {
  await asUser(caller, (tx) => tx`select private.require_admin()`)
  const answer: BulkDecisionAnswer = { decided: [], failed: [] }
  const late = await inTime(new Set(ids), callTime, async (id, left) => {
    try {
      const [, [row]] = await sayingWhose(() =>
        asUser(caller, (tx) => [
          wait(tx, Math.min(left, patience)),
          tx<{ address: string | null }[]>`
            select private.decide_case(${id}::text::uuid, ${parts(decided)}) as address`,
        ]),
      )
      answer.decided.push(id)
      tell(row?.address, decided)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) throw error
      answer.failed.push({ id, message: wordsOf(error) })
    }
  })
  answer.failed.push(...late.map((id) => ({ id, message: noTime })))
  return answer
}

const noTime = 'There was no time left. Please send the rest again.'

function wordsOf(error: unknown): string {
  if (error instanceof ApiError) return error.message
  log('error', 'case_not_decided', { kind: error instanceof Error ? error.name : undefined })
  return 'Something went wrong. Please try again.'
}

/**
 * Decides about a thing that nobody need have reported; one that was reported is decided with its reports. Sent again
 * with its `requestId`, it answers the same case, as it is by then.
 *
 * @throws ApiError 400, 403 for who is no admin, about admins, and for what is the caller's own, 404 for what is gone or
 *   hidden already, 409 `balance_left`, and for a `requestId` of another decision
 */
export async function moderate(
  caller: Caller,
  { requestId, kind, id, decision }: ModerateRequest,
): Promise<JsonText<AdminCase>> {
  const [, [made]] = await sayingWhose(() =>
    asUser(caller, (tx) => [
      wait(tx),
      tx<{ id: string; address: string | null }[]>`
        select d.case_id as id, d.address
        from private.moderate(${kind}::text, ${id}::text::uuid, ${parts(decision)},
                              ${requestId ?? null}::text::uuid) d`,
    ]),
  )
  if (!made) throw notFound('Case not found')
  tell(made.address, decision)
  return await readDecided(caller, made.id)
}

/**
 * Answers an appeal, for good.
 *
 * @throws ApiError 403 for who is no admin, is concerned, or decided while another admin is there; 404, 409 `conflict`
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
  return await readDecided(caller, id)
}

async function readDecided(caller: Caller, id: string): Promise<JsonText<AdminCase>> {
  const [row] = await asUser(caller, (tx) => selectCase(tx, id))
  if (!row) throw notFound('Case not found')
  return row.item
}

import type { MassMessages, SendMassMessageRequest } from '../contract/mass-message.ts'
import type { JsonText, Sql } from '../db/sql.ts'
import { runInBackground } from '../http/background.ts'
import type { Caller } from '../http/caller.ts'
import { requireRow } from '../http/errors.ts'
import { log } from '../http/log.ts'
import { asService, asUser } from '../http/run-as.ts'
import { runJob } from '../jobs/run-job.ts'
import { findJob } from '../jobs/schedule.ts'

const selectList = (tx: Sql) => tx<{ item: JsonText<MassMessages> }[]>`
  select private.list_mass_messages()::text as item`

/** Returns the caller's subscriber counts and latest mass messages. */
export async function listMassMessages(caller: Caller): Promise<JsonText<MassMessages>> {
  return requireRow(await asUser(caller, selectList)).item
}

/**
 * Checks that the caller may send mass messages.
 *
 * @throws ApiError 403
 */
export async function requireCanSendMassMessages(caller: Caller): Promise<void> {
  await asUser(caller, (tx) => tx`select private.require_can_send_mass_messages()`)
}

/**
 * Creates a mass message, which is then sent in the background. Idempotent: if the caller has already created a mass
 * message with this `id`, `created` is false.
 *
 * @throws ApiError 400; 403; 409 if there are no recipients, if another mass message is still being sent, or if the id
 *   is taken; 429 if the caller has sent too many
 */
export async function createMassMessage(
  caller: Caller,
  { id, content }: SendMassMessageRequest,
): Promise<{ created: boolean; item: JsonText<MassMessages> }> {
  const [[result], rows] = await asUser(caller, (tx) => [
    tx<
      { created: boolean }[]
    >`select private.create_mass_message(${id}::text::uuid, ${content}::text) as created`,
    selectList(tx),
  ])
  runInBackground(runJob(findJob('mass-messages'), 'now', sendMassMessages), 'mass_message_failed')
  return { created: result?.created === true, item: requireRow(rows).item }
}

/**
 * Stops one of the caller's mass messages. Does nothing if it has finished.
 *
 * @throws ApiError 404
 */
export async function stopMassMessage(caller: Caller, id: string): Promise<JsonText<MassMessages>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.stop_mass_message(${id}::text::uuid)`,
    selectList(tx),
  ])
  return requireRow(rows).item
}

/** The number of recipients who get a mass message before it is the next mass message's turn. */
const turnSize = 25
/** After this time, a run starts no more turns. The next run of the `mass-messages` job continues. */
const maxDurationMs = 50_000

/**
 * Sends the unfinished mass messages in turns, so that one with many recipients does not delay the others. A mass
 * message that cannot be sent (for example, because the creator's account is being deleted) is skipped for the rest of
 * the run.
 *
 * @returns how many recipients got a message, and how many mass messages were skipped
 */
export async function sendMassMessages(): Promise<{ sent: number; failed: number }> {
  const deadline = Date.now() + maxDurationMs
  const failedIds = new Set<string>()
  let sent = 0
  for (;;) {
    const unfinished = await asService(
      (tx) => tx<{ id: string }[]>`
        select m.id from public.mass_messages m where m.finished_at is null order by m.created_at`,
    )
    const sendable = unfinished.filter(({ id }) => !failedIds.has(id))
    if (sendable.length === 0) return { sent, failed: failedIds.size }
    for (const { id } of sendable) {
      if (Date.now() > deadline) return { sent, failed: failedIds.size }
      try {
        sent += await takeTurn(id)
      } catch (error) {
        log('warn', 'mass_message_failed', {
          massMessageId: id,
          kind: error instanceof Error ? error.name : '',
        })
        failedIds.add(id)
      }
    }
  }
}

/** Sends a mass message to the next recipients, each in a transaction of its own. Returns the number of recipients. */
async function takeTurn(id: string): Promise<number> {
  for (let sent = 0; sent < turnSize; sent++) {
    const [row] = await asService(
      (tx) => tx<{ unfinished: boolean }[]>`
        select private.send_next_mass_message(${id}::text::uuid) as unfinished`,
    )
    if (!row?.unfinished) return sent
  }
  return turnSize
}

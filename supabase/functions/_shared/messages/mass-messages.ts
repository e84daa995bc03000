import type { MassMessages, SendMassMessageRequest } from '../contract/mass-message.ts'
import type { JsonText, Sql } from '../db/sql.ts'
import { runInBackground } from '../http/background.ts'
import type { Caller } from '../http/caller.ts'
import { asService, asUser } from '../http/run-as.ts'
import { runJob } from '../jobs/run-job.ts'
import { findJob } from '../jobs/schedule.ts'

const selectList = (tx: Sql) => tx<{ item: JsonText<MassMessages> }[]>`
  select private.list_mass_messages()::text as item`

/** Returns the caller's subscribers and latest mass messages. */
export async function listMassMessages(caller: Caller): Promise<JsonText<MassMessages>> {
  const [row] = await asUser(caller, selectList)
  return row?.item ?? ''
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
 * Creates a mass message, which is then sent in the background. Idempotent: if `id` is already stored, `created` is
 * false.
 *
 * @throws ApiError 400; 403; 409 without recipients, while another one is being sent, or if the id is taken; 429 after
 *   too many
 */
export async function createMassMessage(
  caller: Caller,
  { id, content }: SendMassMessageRequest,
): Promise<{ created: boolean; item: JsonText<MassMessages> }> {
  const [[result], [row]] = await asUser(caller, (tx) => [
    tx<
      { created: boolean }[]
    >`select private.create_mass_message(${id}::text::uuid, ${content}::text) as created`,
    selectList(tx),
  ])
  runInBackground(runJob(findJob('mass-messages'), 'now', sendMassMessages), 'mass_message_failed')
  return { created: result?.created === true, item: row?.item ?? '' }
}

/**
 * Stops one of the caller's mass messages. Does nothing if it is finished.
 *
 * @throws ApiError 404
 */
export async function stopMassMessage(caller: Caller, id: string): Promise<JsonText<MassMessages>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.stop_mass_message(${id}::text::uuid)`,
    selectList(tx),
  ])
  return row?.item ?? ''
}

/** How many recipients a mass message gets before the next mass message has its turn. */
const turnSize = 25
/** After this time a run starts no further turn. The next run of the `mass-messages` job continues. */
const maxDurationMs = 50_000

/** Sends the unfinished mass messages in turns, so that one with many recipients does not delay the others. */
export async function sendMassMessages(): Promise<{ sent: number }> {
  const deadline = Date.now() + maxDurationMs
  let sent = 0
  for (;;) {
    const unfinished = await asService(
      (tx) => tx<{ id: string }[]>`
        select m.id from public.mass_messages m where m.finished_at is null order by m.created_at`,
    )
    if (unfinished.length === 0) return { sent }
    for (const { id } of unfinished) {
      if (Date.now() > deadline) return { sent }
      sent += await takeTurn(id)
    }
  }
}

/** Sends a mass message to the next recipients, each in a transaction of its own. Returns how many there were. */
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

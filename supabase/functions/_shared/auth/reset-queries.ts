import { asService } from '../db/run.ts'
import { log } from '../http/log.ts'
import { obey } from '../limits/queries.ts'

const why = 'whoever forgot their password is nobody yet, and no one else may see who asked for a new one'

/**
 * Whether a link can be used. A wrong one counts against the network address, 30 an hour; a right one does not.
 *
 * @param claiming takes the link too, for this call alone: true is then answered to one of however many ask at once
 * @throws ApiError 429
 */
export async function openReset(token: string, network: string, claiming: boolean): Promise<boolean> {
  const rows = await asService(
    why,
    (tx) => tx<{ wait: number; valid: boolean }[]>`
      select wait, valid from private.open_reset(${token}::text, ${network}::text, ${claiming}::boolean)`,
  )
  obey(rows)
  return rows[0]?.valid ?? false
}

/** Gives a claimed link back that was not spent. Where that fails it comes back by itself, minutes later. */
export async function giveBackReset(token: string): Promise<void> {
  try {
    await asService(why, (tx) => tx`select private.give_back_reset(${token}::text)`)
  } catch {
    log('warn', 'reset_stays_claimed')
  }
}

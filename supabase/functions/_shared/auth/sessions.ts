import type { ActiveSession } from '../contract/auth.ts'
import { deviceInNotices } from '../contract/device.ts'
import type { OwnUser } from '../contract/user.ts'
import { asService, asUser } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import { inBackground } from '../http/background.ts'
import { notFound, unauthorized } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { selectOwnUser } from '../users/queries.ts'
import type { Client } from './provider.ts'
import { tellOfSignIn } from './sign-in-mail.ts'

/** Notes where a session was opened, and reads the record of whoever opened it. */
export async function beginSession(caller: Caller, client: Client): Promise<JsonText<OwnUser>> {
  const { sessionId, userId } = caller
  const [, rows] = await asService('nobody may write into their own sessions', (tx) => [
    tx`select private.describe_session(${sessionId}::text::uuid, ${userId}::text::uuid,
                                       ${client.userAgent}::text, ${client.address}::text)`,
    selectOwnUser(tx, userId),
  ])
  if (!rows[0]) throw unauthorized()
  return rows[0].item
}

/** Notes from what kind of device somebody signed in, and tells them, by mail too, when they never did before. */
export async function noteDevice({ userId }: Caller, client: Client): Promise<void> {
  const at = new Date()
  const device = deviceInNotices(client.userAgent)
  const [row] = await asService(
    'from where somebody signs in is noted for them',
    (tx) => tx<{ is_new: boolean }[]>`
      select private.note_device(${userId}::text::uuid, ${device}::text) as is_new`,
  )
  if (row?.is_new)
    inBackground(tellOfSignIn(userId, { device, address: client.address, at }), 'sign_in_mail_failed')
}

/** Where the caller is signed in: the session that asks first, then the last used. */
export async function listSessions(caller: Caller): Promise<JsonText<ActiveSession[]>> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ items: JsonText<ActiveSession[]> }[]>`
      select coalesce(json_agg(json_build_object(
        'id', s.id, 'current', s.current, 'userAgent', s.user_agent, 'address', s.address,
        'createdAt', s.created_at, 'lastSeenAt', s.last_seen_at)), '[]')::text as items
      from private.own_sessions() s`,
  )
  return row?.items ?? '[]'
}

/**
 * Ends one of the caller's sessions: its next call is refused, its refresh token is useless, its socket is closed.
 *
 * @throws ApiError 404 where the caller has no such session
 */
export async function endOwnSession(caller: Caller, id: string): Promise<void> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ ended: boolean }[]>`select private.end_own_session(${id}::text::uuid) as ended`,
  )
  if (!row?.ended) throw notFound('Session not found')
}

/** Ends all of the caller's sessions but the one that asks. */
export async function endOtherSessions(caller: Caller): Promise<void> {
  await asUser(caller, (tx) => tx`select private.end_other_sessions()`)
}

/** Signs a person out everywhere. */
export async function endAllSessions(userId: string): Promise<void> {
  await asService(
    'whoever sets a new password ends sessions that are not theirs to see',
    (tx) => tx`select private.end_sessions(${userId}::text::uuid)`,
  )
}

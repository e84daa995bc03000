import type { InstanceSettings, InstanceSettingsRequest } from '../contract/admin.ts'
import { asUser, type Sql } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import { unavailable } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'

const select = (tx: Sql) => tx<{ item: JsonText<InstanceSettings> }[]>`
  select json_build_object(
    'requireApproval', coalesce(s.held -> 'require_approval', 'false'),
    'creatorProBilling', coalesce(s.held -> 'creator_pro_billing', 'false'),
    'bannedWords', s.held -> 'banned_words', 'autoPosting', s.held -> 'auto_posting')::text as item
  from (select private.instance_settings() as held) s`

/**
 * The switches of this instance.
 *
 * @throws ApiError 401, 403
 */
export async function readSettings(caller: Caller): Promise<JsonText<InstanceSettings>> {
  return only(await asUser(caller, (tx) => select(tx)))
}

/** As long as the database may take: whether accounts have to be approved is asked of every one of them. */
const patience = '2min'

/**
 * Changes what is named, leaves the rest, and answers all of them after it.
 *
 * @throws ApiError 400 for hours that end before they begin, 401, 403
 */
export async function changeSettings(
  caller: Caller,
  { requireApproval, creatorProBilling, bannedWords, autoPosting }: InstanceSettingsRequest,
): Promise<JsonText<InstanceSettings>> {
  const changes = JSON.stringify({
    require_approval: requireApproval,
    creator_pro_billing: creatorProBilling,
    banned_words: bannedWords,
    auto_posting: autoPosting,
  })
  const [, , rows] = await asUser(caller, (tx) => [
    tx`select set_config('statement_timeout', ${patience}, true)`,
    tx`select private.change_settings(${changes}::text::jsonb)`,
    select(tx),
  ])
  return only(rows)
}

function only(rows: readonly { item: JsonText<InstanceSettings> }[]): JsonText<InstanceSettings> {
  if (!rows[0]) throw unavailable()
  return rows[0].item
}

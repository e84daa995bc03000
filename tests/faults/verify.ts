import type postgres from 'postgres'
import { computeCounters } from '../../stack/demo/counters.ts'
import { retryDeadlocks } from '../support/deadlocks.ts'
import type { Clients, Toggle, Write } from './clients.ts'

/** SQL that returns how many times each write is stored, as rows of `id` and `count`. */
const countQueries: Record<Exclude<Write['kind'], 'unlock'>, string> = {
  // A second copy would have a different ID, so the text identifies the write.
  message: `select w.id, count(*)::int from unnest($1::uuid[]) w(id)
            join public.messages m on m.content = 'Message ' || w.id group by w.id`,
  post: `select w.id, count(*)::int from unnest($1::uuid[]) w(id)
         join (public.posts p left join public.premium_contents c on c.post_id = p.id)
           on coalesce(c.content, p.content) = 'Post ' || w.id group by w.id`,
  comment: `select w.id, count(*)::int from unnest($1::uuid[]) w(id)
            join public.comments c on c.content = 'Comment ' || w.id group by w.id`,
  // A tip without a ledger transaction does not count: its request stopped before the payment was settled.
  tip: `select p.id, count(*)::int from public.payments p join public.ledger_transactions t on t.payment_id = p.id
        where p.id = any($1::uuid[]) and p.state = 'paid' group by p.id`,
}

/** Returns how many times the database stores each write, keyed by `keyOf`. Omits writes that are not stored. */
async function countStored(sql: postgres.Sql, writes: readonly Write[]): Promise<Map<string, number>> {
  const stored = new Map<string, number>()
  for (const [kind, query] of Object.entries(countQueries)) {
    const ids = writes.filter((write) => write.kind === kind).map(({ id }) => id)
    for (const row of await sql.unsafe<{ id: string; count: number }[]>(query, [ids]))
      stored.set(`${kind} ${row.id}`, row.count)
  }
  const posts = writes.filter(({ kind }) => kind === 'unlock').map(({ id }) => id)
  const unlocks = await sql<{ user: string; post: string; count: number }[]>`
    select u.user_id as user, u.post_id as post, count(*)::int
    from public.unlocks u join public.payments p on p.payer_id = u.user_id and p.post_id = u.post_id and p.state = 'paid'
    join public.ledger_transactions t on t.payment_id = p.id
    where u.post_id = any(${posts}::uuid[]) group by 1, 2`
  for (const { user, post, count } of unlocks) stored.set(`unlock ${user} ${post}`, count)
  return stored
}

const keyOf = ({ kind, client, id }: Write) =>
  kind === 'unlock' ? `unlock ${client.id} ${id}` : `${kind} ${id}`

/** Returns a line for each acknowledged write that is lost, and for each write that is stored more than once. */
export async function findLostOrRepeatedWrites(
  sql: postgres.Sql,
  writes: readonly Write[],
): Promise<string[]> {
  const stored = await countStored(sql, writes)
  return writes.flatMap((write) => {
    const count = stored.get(keyOf(write)) ?? 0
    if (count === 1 || (count === 0 && !write.isAcknowledged)) return []
    const state = write.isAcknowledged ? 'acknowledged' : 'not acknowledged'
    return [`${keyOf(write)} (${state}) is stored ${count} times`]
  })
}

/** Returns a line for each like or follow that differs from the last response, and sets `isOn` to the stored state. */
async function findWrongToggles(sql: postgres.Sql, toggles: readonly Toggle[]): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select 'like ' || user_id || ' ' || post_id as key from public.likes
    union all select 'comment-like ' || user_id || ' ' || comment_id from public.comment_likes
    union all select 'follow ' || follower_id || ' ' || followee_id from public.follows`
  const stored = new Set(rows.map(({ key }) => key))
  return toggles.flatMap((toggle) => {
    const key = `${toggle.kind} ${toggle.client.id} ${toggle.targetId}`
    const isOn = stored.has(key)
    const isWrong = toggle.isOn !== null && toggle.isOn !== isOn
    toggle.isOn = isOn
    return isWrong ? [`${key} is ${isOn ? 'on' : 'off'}`] : []
  })
}

/** SQL that returns a line for each inconsistency. */
const inconsistencyQuery = `
  select 'conversation ' || m.conversation_id || ' has missing or repeated sequence numbers' as line from public.messages m
  group by m.conversation_id having count(*) <> max(m.seq) or min(m.seq) <> 1
  union all
  select 'the unread count of ' || c.user_id || ' in conversation ' || c.conversation_id || ' is wrong: ' || c.unread_count
  from public.conversation_members c
  where c.unread_count <> (
    select count(*) from public.messages m
    where m.conversation_id = c.conversation_id and m.receiver_id = c.user_id and m.seq > c.last_read_seq
      and m.deleted_at is null)
  union all
  select 'payment ' || p.id || ' has ' || count(t.id) || ' ledger transactions'
  from public.payments p left join public.ledger_transactions t on t.payment_id = p.id
  group by p.id having count(t.id) <> case when p.state = 'paid' then 1 else 0 end
  union all
  select 'the photo of message ' || f.message_id || ' is unlocked without a payment, or paid for but locked'
  from private.paid_photos f join public.messages m on m.id = f.message_id
  left join public.payments p on p.message_id = f.message_id and p.state = 'paid'
  where f.payment_id is distinct from p.id
    or m.media_id is distinct from case when p.id is not null and m.deleted_at is null then f.media_id end
  union all
  select 'the ledger is off by ' || c || ' cents' from private.ledger_imbalance_cents() c where c <> 0`

/** Returns a line for each inconsistency between the rows, the ledger, the balances and the counters. */
async function findInconsistencies(sql: postgres.Sql): Promise<string[]> {
  const lines = (await sql.unsafe<{ line: string }[]>(inconsistencyQuery)).map(({ line }) => line)
  return [...lines, ...(await findWrongCounters(sql))]
}

const counterQuery = `
  select 'post ' || id || ' ' || likes_count || ' ' || reposts_count || ' ' || comments_count || ' ' ||
    coalesce(unlocks_count::text, '') as line from public.posts
  union all select 'comment ' || id || ' ' || likes_count || ' ' || replies_count from public.comments
  union all select 'profile ' || c::text from public.profile_counts c
  union all select 'user ' || user_id || ' ' || unread_messages || ' ' || unread_notifications from public.user_counters
  union all select 'balance ' || user_id || ' ' || total_cents || ' ' || test_cents
            from public.creator_balances where total_cents <> 0 or test_cents <> 0
  union all select 'day ' || d::text from public.earning_days d
  order by 1`

/**
 * Recomputes the counters and balances in a transaction that it rolls back. Returns the stored and the computed line of
 * each counter that differs.
 */
async function findWrongCounters(sql: postgres.Sql): Promise<string[]> {
  const rollback = new Error('rollback')
  let lines: string[] = []
  const compare = () =>
    sql.begin(async (tx) => {
      const read = async () => (await tx.unsafe<{ line: string }[]>(counterQuery)).map(({ line }) => line)
      const stored = await read()
      await computeCounters(tx)
      const computed = new Set(await read())
      lines = stored.filter((line) => !computed.delete(line)).map((line) => `stored counter: ${line}`)
      lines.push(...[...computed].map((line) => `computed counter: ${line}`))
      throw rollback
    })
  // The transaction can deadlock with a running job.
  await retryDeadlocks(compare).catch((error) => {
    if (error !== rollback) throw error
  })
  return lines
}

/**
 * Returns a line for each problem that one of the checks above finds, and for each unexpected response. Clears
 * `clients.unexpected`.
 */
export async function verify(
  sql: postgres.Sql,
  clients: Clients,
  writes: readonly Write[],
): Promise<string[]> {
  return [
    ...clients.unexpected.splice(0),
    ...(await findLostOrRepeatedWrites(sql, writes)),
    ...(await findWrongToggles(sql, clients.toggles)),
    ...(await findInconsistencies(sql)),
  ]
}

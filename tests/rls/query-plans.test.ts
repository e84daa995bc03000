import type postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  announcedPosts,
  notificationAmounts,
  notificationPage,
  notificationSubject,
  unreadByKind,
} from '../../supabase/functions/_shared/notifications/presenter.ts'
import { deleteAccounts } from '../support/deadlocks.ts'
import { impersonate, insertUsers, type SessionUser, sql } from './database.ts'

const rowCount = 5000

/** Functions that the jobs call on every run, even when there is nothing to do. */
const calls = [
  'private.run_moderation_maintenance()',
  'private.refresh_restrictions(500)',
  'private.roll_up_audiences(10)',
  'private.roll_up_views(100)',
  "private.clean_up('messages', 100)",
  "private.clean_up('conversations', 100)",
  "private.clean_up('announcements', 100)",
  'private.delete_orphaned_media(100)',
  'private.due_file_deletions(100)',
  'private.announce_posts(100)',
  'private.withdraw_announcements(100)',
  'private.refresh_topics(10)',
  'private.claim_digests(10)',
  'private.tidy_auto_posting()',
  "private.begin_renewals(100, 'test')",
  "private.begin_plan_renewals(100, 'test')",
  'private.create_scheduled_payouts(100, true)',
]

/**
 * The connection of the transaction in which the tables are large. The transaction is rolled back at the end. Until
 * then, this file must not use another connection, which could wait for a lock of another test that in turn waits for
 * this transaction. PostgreSQL cannot detect such a deadlock.
 */
let transaction: postgres.ReservedSql
let user: SessionUser
let other: SessionUser

beforeAll(async () => {
  ;[user, other] = (await insertUsers(2)) as [SessionUser, SessionUser]
  transaction = await sql.reserve()
  await transaction`begin`
  await fillTables(transaction)
})

afterAll(async () => {
  await transaction`rollback`
  transaction.release()
  await deleteAccounts(sql, [user.id, other.id])
})

it('a job with nothing to do reads no large table in full', async () => {
  await withLargeTables(async (tx) => {
    for (const call of calls)
      expect([call, await findFullyReadTables(tx, () => tx.unsafe(`select ${call}`))]).toEqual([call, []])
  })
})

it('a list of notifications reads only the posts that the notifications are about', async () => {
  await withLargeTables(async (tx) => {
    await tx`insert into public.notifications (user_id, actor_id, kind, post_id)
             select ${user.id}, id, 'like', id from ids where n <= 100`
    await tx`analyze public.notifications`
    await impersonate(tx, user)
    await tx`set local role authenticated`
    const listed = () => tx`
      select n.id, p.id as post_id
      from (select * from public.notifications order by created_at desc, id desc limit 20) n
      ${announcedPosts} ${notificationSubject}`
    expect((await listed()).filter((row) => row.post_id !== null)).toHaveLength(20)
    expect(await findFullyReadTables(tx, listed)).toEqual([])
  })
})

it('adding up the amounts in a list of notifications reads only the sales in each notification’s group', async () => {
  await withLargeTables(async (tx) => {
    // Each of 20 posts has 200 buyers, of whom 10 are in the post's notification group.
    await tx`create temp table sold_posts on commit drop as
             select gen_random_uuid() as post_id, k from generate_series(1, 20) k`
    await tx`insert into public.payments (kind, payer_id, payee_id, post_id, amount_cents, fee_cents, provider, state)
             select 'unlock', ids.id, ${user.id}, sold_posts.post_id, 250, 25, 'test', 'paid' from sold_posts join ids on n <= 200`
    await tx`set local session_replication_role = replica`
    await tx`insert into public.notifications (user_id, actor_id, kind, post_id, group_id, is_head, people)
             select ${user.id}, ids.id, 'unlock', post_id, post_id, n = 1, case when n = 1 then 10 else 1 end
             from sold_posts join ids on n <= 10`
    // A group that is too large to have an amount, and a notification about a paid subscription.
    await tx`insert into public.notifications (user_id, actor_id, kind, message_id, group_id, is_head, people)
             select ${user.id}, ids.id, 'unlock', gen_random_uuid(), ${other.id}, n = 1, case when n = 1 then 501 else 1 end
             from ids where n <= 501`
    await tx`with paid as (
               insert into public.payments (kind, payer_id, payee_id, subscription_id, period_start, amount_cents, fee_cents, provider, state)
               select 'subscription', s.subscriber_id, ${user.id}, s.id, now(), 999, 99, 'test', 'paid'
               from public.subscriptions s join ids on ids.id = s.creator_id and n = 1 returning subscription_id)
             update public.subscriptions s set creator_id = ${user.id} from paid where s.id = paid.subscription_id`
    await tx`insert into public.notifications (user_id, actor_id, kind)
             values (${user.id}, '00000000-0000-0000-0000-000000000000', 'subscription')`
    await tx`set local session_replication_role = origin`
    await tx`analyze public.notifications, public.payments, public.subscriptions`
    const listed = () => tx<{ id: string; kind: string; people: number; amount: number | null }[]>`
      with page as (
        select n.*, true as is_grouped, n.people - 1 as others from public.notifications n where n.user_id = ${user.id} and n.is_head)
      select n.id, n.kind, n.people, sales.amount_cents::int as amount from page n ${notificationAmounts}`
    await impersonate(tx, user)
    await tx`set local role authenticated`
    const rows = await listed()
    expect(rows.map(({ kind, people, amount }) => [kind, people, amount].join(' ')).sort()).toEqual([
      'subscription 1 999',
      ...Array(20).fill('unlock 10 2500'),
      'unlock 501 ',
    ])
    expect(await findFullyReadTables(tx, listed)).toEqual([])
    // The function returns nothing about the notifications of another user.
    await impersonate(tx, other)
    expect(
      await tx`select from private.own_sale_amounts(${rows.map(({ id }) => id)}::uuid[], true)`,
    ).toHaveLength(0)
  })
})

it.each([true, false])(
  'a filtered list of notifications reads only one page (in groups: %s)',
  async (isGrouped) => {
    await withLargeTables(async (tx) => {
      await tx`update public.user_settings set group_notifications = ${isGrouped} where user_id = ${user.id}`
      await tx`insert into public.notifications (user_id, kind, message_id, is_head, people, created_at)
               select ${user.id}, kind, id, n % 2 = 0, 3, now() - n * interval '1 minute'
               from ids cross join unnest(array['message', 'like', 'reaction']) kind`
      await tx`analyze public.notifications`
      await impersonate(tx, user)
      await tx`set local role authenticated`
      const range = { limit: 20, offset: 0, after: null }
      const listed = () =>
        tx<{ kind: string; others: number }[]>`
          select n.kind, n.others from (${notificationPage(user.id, range, 'likes')}) n`
      const rows = await listed()
      expect(rows).toHaveLength(21)
      expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(['like', 'reaction']))
      expect(new Set(rows.map(({ others }) => others))).toEqual(new Set([isGrouped ? 2 : 0]))
      expect(await findFullyReadTables(tx, listed)).toEqual([])
      // The counts of unread notifications stop at 100 for each kind.
      const counted = () => tx<{ kind: string; count: number }[]>`${unreadByKind(user.id)}`
      expect((await counted()).toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
        { kind: 'like', count: 100 },
        { kind: 'reaction', count: 100 },
      ])
      expect(await findFullyReadTables(tx, counted)).toEqual([])
    })
  },
)

it('a filtered list of conversations reads only one page', async () => {
  await withLargeTables(async (tx) => {
    await tx`insert into public.conversation_members
               (user_id, partner_id, conversation_id, last_message_at, unread_count, unread_since, has_written)
             select ${user.id}, id, id, now() - n * interval '1 minute', n % 2, case when n % 2 = 1 then now() end, n % 3 = 0
             from ids`
    await tx`set local session_replication_role = replica`
    await tx`insert into public.subscriptions
               (subscriber_id, creator_id, state, price_cents, started_at, period_end)
             select id, case when n % 3 = 0 then ${user.id}::uuid else gen_random_uuid() end, 'active', 999, now(),
                    now() + interval '1 month'
             from ids`
    await tx`set local session_replication_role = origin`
    await tx`analyze public.conversation_members, public.subscriptions`
    await impersonate(tx, user)
    await tx`set local role authenticated`
    for (const filter of ['unread', 'requests', 'subscribers']) {
      const listed = () => tx`select private.list_filtered_conversations(${filter}, null, null, 21)`
      expect(await listed()).toHaveLength(21)
      expect([filter, await findFullyReadTables(tx, listed)]).toEqual([filter, []])
    }
  })
})

it("the details of a conversation read only its photos and the other user's payments", async () => {
  await withLargeTables(async (tx) => {
    await tx`set local session_replication_role = replica`
    const [conversation] = await tx<{ id: string }[]>`
      insert into public.conversations (user_low, user_high)
      select least(a::text, b::text)::uuid, greatest(a::text, b::text)::uuid
      from (select ${user.id}::uuid as a, ${other.id}::uuid as b) members returning id`
    await tx`insert into public.conversation_members (user_id, partner_id, conversation_id)
             values (${user.id}, ${other.id}, ${conversation?.id ?? ''})`
    await tx`insert into public.messages (conversation_id, seq, sender_id, receiver_id, content, media_id, media_width, media_height)
             select ${conversation?.id ?? ''}, n, ${other.id}, ${user.id}, '', case when n % 50 = 1 then id end, 40, 30 from ids`
    await tx`insert into public.payments (kind, payer_id, payee_id, amount_cents, fee_cents, provider, state)
             select 'tip', case when n <= 3 then ${other.id} else id end, ${user.id}, 250, 25, 'test', 'paid' from ids`
    await tx`set local session_replication_role = origin`
    await tx`analyze public.messages, public.payments`
    await impersonate(tx, user)
    await tx`set local role authenticated`
    const photos = () => tx`select * from private.thread_photos(${other.id}, null, 10)`
    expect(await photos()).toHaveLength(10)
    expect(await findFullyReadTables(tx, photos)).toEqual([])
    const sales = () => tx<{ cents: number }[]>`select private.own_sales_to(${other.id}, true)::int as cents`
    expect(await sales()).toEqual([{ cents: 750 }])
    expect(await findFullyReadTables(tx, sales)).toEqual([])
    // Both functions depend on the caller: the same calls by the other user find neither photos nor sales.
    await impersonate(tx, other)
    expect([await photos(), await sales()]).toEqual([[], [{ cents: 0 }]])
  })
})

/** Runs `work` in the transaction with the large tables, and undoes its changes. */
async function withLargeTables(work: (tx: postgres.ISql) => Promise<void>): Promise<void> {
  await transaction`savepoint large_tables`
  try {
    await work(transaction)
  } finally {
    await transaction`rollback to savepoint large_tables`
  }
}

/** Runs `query` and returns the tables from which it read at least `rowCount` rows, with or without an index. */
async function findFullyReadTables(tx: postgres.ISql, query: () => PromiseLike<unknown>): Promise<string[]> {
  const before = await countReadRows(tx)
  await query()
  const after = await countReadRows(tx)
  return Object.keys(after).filter((name) => (after[name] ?? 0) - (before[name] ?? 0) >= rowCount)
}

async function countReadRows(tx: postgres.ISql): Promise<Record<string, number>> {
  const tables = await tx<{ name: string; rows: number }[]>`
    select relname as name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
    where schemaname in ('public', 'private')`
  return Object.fromEntries(tables.map(({ name, rows }) => [name, rows]))
}

/** Adds many rows to the tables that grow. */
async function fillTables(tx: postgres.ISql): Promise<void> {
  await tx`set local session_replication_role = replica`
  await tx`create temp table ids on commit drop as select n, gen_random_uuid() as id from generate_series(1, ${rowCount}) n`
  await tx`insert into public.profiles (id, username, full_name, is_creator) select id, 'plan_' || n, 'Plan', true from ids`
  await tx`insert into public.accounts (user_id, email, phone_number, adult_confirmed_at)
           select id, n || '@plan.test', '0123456789', now() from ids`
  await tx`insert into private.creator_audiences (creator_id, counted_at) select id, now() from ids`
  await tx`insert into public.posts (id, author_id, content, created_at) select id, id, 'Plan', now() - interval '2 days' from ids`
  await tx`insert into public.post_tags (post_id, tag, author_id, created_at)
           select id, 'plan' || n % 7, id, now() - interval '2 days' from ids`
  await tx`insert into private.topics (tag, search_key) select 'plan' || n, 'plan' || n from ids`
  await tx`insert into public.moderation_cases (kind, subject_id, user_id, snapshots, state, decision, hid, decided_at, moved_at)
           select 'post', id, id, '[{}]', 'decided', 'remove', true, now() - interval '2 days', now() - interval '2 days' from ids`
  await tx`insert into public.conversations (id, user_low, user_high)
           select id, '00000000-0000-0000-0000-000000000000', id from ids`
  await tx`insert into public.conversation_members (user_id, partner_id, conversation_id) select id, id, id from ids`
  await tx`insert into public.messages (conversation_id, seq, sender_id, receiver_id, content) select id, 1, id, id, 'Plan' from ids`
  await tx`insert into public.subscriptions (subscriber_id, creator_id, state, price_cents, started_at, period_end)
           select '00000000-0000-0000-0000-000000000000', id, 'active', 999, now(), now() + interval '3 days' from ids`
  await tx`insert into public.creator_plans (user_id, state, price_cents, started_at, period_end)
           select id, 'active', 1999, now(), now() + interval '3 days' from ids`
  await tx`insert into public.payout_schedules (user_id) select id from ids`
  await tx`insert into private.orphaned_media (media_id, due) select id, now() + interval '1 hour' from ids`
  await tx`insert into private.file_deletion_queue (bucket, path, due_at) select 'media', id, now() + interval '1 hour' from ids`
  await tx`insert into public.auto_post_drafts (user_id, content) select id, 'Plan' from ids`
  await tx`insert into public.auto_post_runs (user_id, kind, counted_on, ended_at, outcome, model)
           select id, 'test', current_date, now(), 'failed', 'plan' from ids`
  await tx`update public.accounts a set suspended_at = now(), suspended_until = now() + interval '1 day',
           suspension_reason = 'Plan' from ids where a.user_id = ids.id`
  await tx`set local session_replication_role = origin`
  // The list leaves out auth.users: `analyze` locks the tables that it analyzes, and another test that has locked
  // auth.users would cause a deadlock.
  const tables = await tx<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'private')`
  await tx.unsafe(`analyze ${tables.map(({ name }) => name).join(', ')}`)
}

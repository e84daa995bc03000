import { fillPosts, fillUsers } from './fill-database.mjs'
import { withSql } from './stack.mjs'

/**
 * @typedef {import('postgres').TransactionSql} Tx
 * @typedef {{ posts: number, users: number }} Size
 */

/**
 * The values of `bench.users.n` for the users with far more rows than the others: an admin, a creator whom everyone
 * follows and almost everyone pays, a user who follows many users, and two users with a long thread.
 */
export const heavyUsers = { admin: 1, creator: 2, follower: 3, writer: 4, reader: 5 }

/** Upper limits for the heavy users' rows. */
const heavy = { followed: 5000, thread: 5000, posts: 1000, notifications: 20_000 }

/**
 * Fills a stack's database with users, posts and all kinds of activity, in proportion to the number of posts.
 *
 * @param {{ connection: { databaseUrl: string } }} stack
 * @param {Size} size
 */
export async function fillWithActivity({ connection }, { posts, users }) {
  await withSql(connection.databaseUrl, async (sql) => {
    await sql`set idle_in_transaction_session_timeout = 0`
    await withoutIndexes(sql, async () => {
      await fillUsers(sql, users)
      await fillPosts(sql, posts, users, false)
      await fillActivity(sql, posts, users)
    })
  })
}

/**
 * Drops the indexes that do not belong to a constraint, and creates them again after `fill`: building an index is
 * several times faster than adding a million rows to it.
 *
 * @param {import('postgres').Sql} sql
 * @param {() => Promise<void>} fill
 */
async function withoutIndexes(sql, fill) {
  const indexes = await sql`
    select n.nspname as schema, c.relname as name, pg_get_indexdef(c.oid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'private') and not exists (select from pg_constraint k where k.conindid = c.oid)`
  for (const { schema, name } of indexes) await sql`drop index ${sql(schema)}.${sql(name)}`
  await fill()
  for (const { definition } of indexes) await sql.unsafe(definition)
  await sql`analyze`
}

/**
 * Inserts everything besides users and posts, in proportion to the number of posts: messages, notifications, sales
 * with their ledger entries, analytics, search and moderation data, and the rows of the heavy users. Call this function
 * after `fillUsers` and `fillPosts`.
 *
 * @param {import('postgres').Sql} sql a superuser's connection
 * @param {number} postCount
 * @param {number} userCount
 */
async function fillActivity(sql, postCount, userCount) {
  const size = { posts: postCount, users: userCount }
  for (const fill of [fillUserData, fillMessages, fillNotifications, fillSales, fillSearch, fillModeration]) {
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`set local client_min_messages = error`
      await tx`set local idle_in_transaction_session_timeout = 0`
      await tx`select setseed(0.42)`
      await fill(tx, size)
    })
  }
  await sql`vacuum (freeze, analyze)`
  await sql`checkpoint`
}

/**
 * Updates all users' flags and counts, inserts their countries, search rows, saved posts and last visits, and gives the
 * heavy users follows and posts. One user in ten is a creator.
 *
 * @param {Tx} tx
 * @param {Size} size
 */
async function fillUserData(tx, { users }) {
  await tx`
    update public.profiles p set is_creator = b.n % 10 = ${heavyUsers.creator}, is_admin = b.n = ${heavyUsers.admin},
      visibility = case when b.n <= 5 then 'public' else p.visibility end
    from bench.users b where b.id = p.id and (b.n <= 5 or b.n % 10 = ${heavyUsers.creator})`
  await tx`
    insert into public.profile_about (user_id, age, country)
    select id, 20 + n % 50, (array['DE', 'FR', 'US', 'ES'])[1 + n % 4] from bench.users`
  await tx`
    update public.accounts a set approved_at = case when b.n % 50 <> 0 then now() end,
      suspended_at = case when b.n % 500 = 10 then now() end, suspension_reason = case when b.n % 500 = 10 then 'Spam' end,
      suspended_until = case when b.n % 500 = 10 then now() + interval '30 days' end,
      read_only_reason = case when b.n % 500 = 10 then 'suspended' end
    from bench.users b where b.id = a.user_id`
  await tx`insert into private.account_search select * from private.account_search_source`
  await tx`
    insert into public.follows (follower_id, followee_id, created_at)
    select f.id, c.id, now() - random() * interval '400 days'
    from bench.users f, bench.users c where c.n = ${heavyUsers.creator} and f.n <> c.n on conflict do nothing`
  await tx`
    insert into public.follows (follower_id, followee_id, created_at)
    select f.id, c.id, now() - random() * interval '400 days'
    from bench.users f, bench.users c
    where f.n = ${heavyUsers.follower} and c.n between 6 and ${5 + heavy.followed} on conflict do nothing`
  await tx`
    delete from public.blocks b using bench.users u where u.n <= 5 and u.id in (b.blocker_id, b.blocked_id)`
  await tx`
    update public.posts p set author_id = u.id from bench.posts b, bench.users u
    where b.id = p.id and b.n % 10 = 5 and b.n <= ${heavy.posts * 10}::int and u.n = ${heavyUsers.creator}`
  await tx`
    update public.profile_counts c set posts = t.posts, followers = t.followers, following = t.following
    from (select u.id, coalesce(p.posts, 0) as posts, coalesce(b.followers, 0) as followers,
                 coalesce(a.following, 0) as following
          from bench.users u
          left join (select author_id as id, count(*) as posts from public.posts group by 1) p using (id)
          left join (select followee_id as id, count(*) as followers from public.follows group by 1) b using (id)
          left join (select follower_id as id, count(*) as following from public.follows group by 1) a using (id)) t
    where t.id = c.user_id`
  await tx`
    insert into public.saves (post_id, user_id, created_at)
    select p.id, u.id, p.created_at from public.posts p
    join bench.posts b on b.id = p.id join bench.users u on u.n = 1 + (b.n * 7) % ${users}::int
    where b.n % 2 = 0 on conflict do nothing`
  await tx`insert into private.last_seen (user_id, seen_at) select id, now() - random_value * interval '90 days' from bench.users`
}

/**
 * Inserts about as many messages as posts, about ten per conversation, and one long thread.
 *
 * @param {Tx} tx
 * @param {Size} size
 */
async function fillMessages(tx, { posts, users }) {
  await tx`
    create temp table threads on commit drop as
    select row_number() over () as n, low, high,
           case when is_long then ${Math.min(posts, heavy.thread)}::int else 1 + floor(random() * 19)::int end as messages,
           now() - interval '2 days' - random() * interval '200 days' as latest
    from (
      select distinct on (low, high) low, high, is_long from (
        select least(a.id::text, b.id::text)::uuid as low, greatest(a.id::text, b.id::text)::uuid as high, is_long
        from (select ${heavyUsers.writer}::int as first_n, ${heavyUsers.reader}::int as second_n, true as is_long
              union all
              select case when i % 100 = 0 then ${heavyUsers.reader}::int else (1 + floor(random() * ${users}::int))::int end,
                     (1 + floor(random() * ${users}::int))::int, false
              from generate_series(1, ${posts}::int / 10) i) pairs
        join bench.users a on a.n = pairs.first_n join bench.users b on b.n = pairs.second_n
        where pairs.first_n <> pairs.second_n) all_pairs
      order by low, high, is_long desc) one_each`
  await tx`
    insert into public.conversations (user_low, user_high, last_seq, created_at)
    select low, high, messages, latest - interval '100 days' from threads`
  await tx`
    insert into public.messages (conversation_id, seq, sender_id, receiver_id, content, created_at)
    select c.id, seq, case when seq % 2 = 0 then low else high end, case when seq % 2 = 0 then high else low end,
           'A message of average length, number ' || seq || ', that says a few words.',
           latest - (messages - seq) * interval '10 minutes'
    from threads t join public.conversations c on c.user_low = t.low and c.user_high = t.high,
    generate_series(1, messages) seq`
  // In a third of the conversations, the last message is unread.
  await tx`
    insert into public.conversation_members (user_id, partner_id, conversation_id, last_message_id, last_message_at,
                                             last_read_seq, unread_count, unread_since, has_written)
    select m.user_id, m.partner_id, c.id, l.id, l.created_at, t.messages - m.unread, m.unread,
           case when m.unread > 0 then l.created_at end, t.messages > 1
    from threads t
    join public.conversations c on c.user_low = t.low and c.user_high = t.high
    join public.messages l on l.conversation_id = c.id and l.seq = c.last_seq
    cross join lateral (values
      (l.receiver_id, l.sender_id, (t.n % 3 = 0)::int), (l.sender_id, l.receiver_id, 0)) m (user_id, partner_id, unread)`
  await tx`
    update public.user_counters c set unread_messages = t.unread
    from (select m.user_id, sum(m.unread_count) as unread from public.conversation_members m
          where m.unread_count > 0 group by 1) t
    where t.user_id = c.user_id`
}

/** Inserts about as many notifications as posts; one in three is unread. @param {Tx} tx @param {Size} size */
async function fillNotifications(tx, { posts, users }) {
  await tx`
    insert into public.notifications (user_id, actor_id, kind, post_id, created_at, read_at)
    select case when b.n <= ${heavy.notifications}::int and b.n <= ${posts}::int / 20 then c.id else u.id end, a.id, 'like', b.id,
           now() - interval '2 days' - random() * interval '200 days', case when b.n % 3 <> 0 then now() end
    from bench.posts b
    join bench.users c on c.n = ${heavyUsers.creator}
    join bench.users u on u.n = 1 + (b.n * 11) % ${users}::int
    join bench.users a on a.n = 1 + (b.n * 17 + 3) % ${users}::int
    where a.id <> u.id on conflict do nothing`
  await tx`
    update public.user_counters c set unread_notifications = t.unread
    from (select n.user_id, count(*) as unread from public.notifications n where n.read_at is null group by 1) t
    where t.user_id = c.user_id`
}

/**
 * Inserts tips and subscriptions, ledger transactions for the tips and for some of the other sales, and analytics. Most
 * rows belong to the heavy creator.
 *
 * @param {Tx} tx
 * @param {Size} size
 */
async function fillSales(tx, { posts, users }) {
  await tx`
    insert into public.payments (kind, payer_id, payee_id, amount_cents, fee_cents, provider, state)
    select 'tip', u.id, c.id, 700, 70, 'test', 'paid'
    from bench.users c, generate_series(1, ${posts}::int / 5) i join bench.users u on u.n = 6 + i % (${users}::int - 6)
    where c.n = ${heavyUsers.creator}`
  await tx`
    update public.payments p set created_at = t.at, settled_at = t.at
    from (select id, now() - random() * interval '400 days' as at from public.payments) t where t.id = p.id`
  await tx`update public.unlocks u set created_at = p.created_at from public.payments p where p.id = u.payment_id`
  await tx`
    insert into public.subscriptions (subscriber_id, creator_id, state, price_cents, periods, started_at, period_end,
                                      created_at)
    select distinct on (u.id, c.id) u.id, c.id, 'active', 900, 3, t.at, t.at + interval '120 days', t.at
    from bench.users u
    join bench.users c on c.n = case when u.n % 2 = 0 then ${heavyUsers.creator}::int else u.n - u.n % 10 + 2 end and c.n <> u.n,
    lateral (select now() - interval '90 days' + u.random_value * interval '20 days' as at) t where u.n > 5 and c.n <= ${users}::int`
  await tx`
    update public.profile_counts c set subscribers = s.subscribers
    from (select creator_id, count(*) as subscribers from public.subscriptions group by 1) s where s.creator_id = c.user_id`
  await tx`
    insert into public.ledger_transactions (id, kind, payment_id, created_at, user_id, source, gross_cents, fee_cents,
                                            net_cents, clears_at, is_test)
    select id, kind, id, created_at, payee_id, kind, amount_cents, fee_cents, amount_cents - fee_cents,
           created_at + interval '7 days', true
    from public.payments where kind = 'tip' or hashtext(id::text) % 5 = 0`
  await tx`
    insert into public.ledger_entries (transaction_id, account, user_id, label, amount_cents)
    select t.id, e.account, e.user_id, e.label, e.cents from public.ledger_transactions t cross join lateral (values
      ('processor', null::uuid, 'payment', -t.gross_cents), ('creator', t.user_id, 'sale', t.gross_cents),
      ('creator', t.user_id, 'fee', -t.fee_cents), ('platform', null, 'fee', t.fee_cents)) e (account, user_id, label, cents)`
  await tx`
    insert into public.creator_balances (user_id, total_cents, test_cents)
    select user_id, sum(net_cents), sum(net_cents) from public.ledger_transactions group by 1`
  await tx`
    insert into public.earning_days (user_id, day, source, gross_cents, fee_cents, sales)
    select user_id, created_at::date, source, sum(gross_cents), sum(fee_cents), count(*)
    from public.ledger_transactions group by 1, 2, 3`
  await tx`
    insert into public.creator_days (creator_id, day, views, likes, comments, followers)
    select p.id, current_date - d, 100, 10, 5, 3 from public.profiles p, generate_series(1, 365) d
    where p.is_creator and (d < 30 or p.id = (select id from bench.users where n = ${heavyUsers.creator}))
    -- The job that rolls up days may be inserting rows at the same time.
    on conflict do nothing`
  await tx`
    insert into public.creator_hours (creator_id, day, hour, views)
    select d.creator_id, d.day, h, 4 from public.creator_days d, generate_series(0, 23) h
    where d.creator_id = (select id from bench.users where n = ${heavyUsers.creator})
    on conflict do nothing`
  await tx`
    insert into public.post_days (post_id, author_id, day, views)
    select p.id, p.author_id, current_date - d, 10 from public.posts p, generate_series(1, 100) d
    where p.author_id = (select id from bench.users where n = ${heavyUsers.creator})
    on conflict do nothing`
  await tx`
    insert into private.creator_audiences (creator_id, counted_at)
    select id, now() from public.profiles where is_creator
    on conflict (creator_id) do update set counted_at = excluded.counted_at`
  await tx`insert into private.rollups (name, done_at) values ('days', now()) on conflict do nothing`
}

/**
 * Fills the search and topic tables. "lighthouse" occurs in a tenth of the posts, all of them old. A third of the
 * posts have a tag, and some tags are far more frequent than others.
 *
 * @param {Tx} tx
 */
async function fillSearch(tx) {
  await tx`
    update public.posts p set content = 'The lighthouse at the end of the pier. ' || p.content
    from bench.posts b where b.id = p.id and b.relative_age > 0.6 and b.n % 4 = 2`
  await tx`
    insert into public.post_tags (post_id, tag, author_id, created_at)
    select p.id, 'topic' || floor(1000 * power(b.relative_age, 3))::int, p.author_id, p.created_at
    from public.posts p join bench.posts b on b.id = p.id where b.n % 3 = 0`
  await tx`insert into private.topics (tag, search_key) select distinct tag, tag from public.post_tags`
  await tx`truncate private.post_search`
  await tx`select private.fill_post_search()`
}

/** Inserts decided and open cases, reports and an audit log. @param {Tx} tx @param {Size} size */
async function fillModeration(tx, { posts }) {
  await tx`
    insert into public.moderation_cases (kind, subject_id, user_id, snapshots, reports, state, moved_at, decision,
                                         reason, decided_by, decided_at)
    select 'post', p.id, p.author_id, '[{"at": "2026-01-01T00:00:00Z", "seen": {"content": "x"}}]', 1,
           case when b.n % 10000 = 0 then 'open' else 'decided' end, p.created_at,
           case when b.n % 10000 <> 0 then 'dismiss' end, 'Fine.', a.id,
           case when b.n % 10000 <> 0 then p.created_at end
    from public.posts p join bench.posts b on b.id = p.id, bench.users a
    where b.n % 50 = 0 and a.n = ${heavyUsers.admin}`
  await tx`
    insert into public.moderation_cases (kind, subject_id, user_id, snapshots, reports, state, moved_at, decision,
                                         reason, decided_by, decided_at)
    select 'user', u.id, u.id, '[{"at": "2026-01-01T00:00:00Z", "seen": {"username": "x"}}]', 1, 'decided',
           now() - u.random_value * interval '300 days', 'warn', 'Careful.', a.id, now() - u.random_value * interval '300 days'
    from bench.users u, bench.users a where u.n % 10 = 7 and a.n = ${heavyUsers.admin}`
  await tx`
    insert into public.reports (case_id, reporter_id, kind, subject_id, reason, created_at)
    select c.id, r.id, c.kind, c.subject_id, 'spam', c.moved_at from public.moderation_cases c, bench.users r
    where r.n = ${heavyUsers.reader}`
  await tx`
    insert into public.audit_entries (created_at, actor_id, action, target_id, previous_hash, hash)
    select now() - (${posts}::int / 5 - i) * interval '1 minute', a.id,
           (array['account.approve', 'account.edit', 'case.warn'])[1 + i % 3], u.id,
           sha256((i - 1)::text::bytea), sha256(i::text::bytea)
    from generate_series(1, ${posts}::int / 5) i
    join bench.users u on u.n = 1 + i % (select count(*)::int from bench.users), bench.users a
    where a.n = ${heavyUsers.admin}`
}

/** @typedef {import('postgres').Sql} Sql */

/**
 * Inserts users with active sessions who follow and block each other. A tenth of the profiles are not public. Triggers
 * are off for speed, so this function also inserts the counts that they maintain.
 *
 * @param {Sql} sql a superuser's connection
 * @param {number} userCount
 */
export async function fillUsers(sql, userCount) {
  await sql.begin(async (tx) => {
    await prepareFill(tx)
    await tx`
      create table bench.users as
      select i::int as n, gen_random_uuid() as id, random() as random_value from generate_series(1, ${userCount}::int) i`
    await tx`alter table bench.users add primary key (n)`
    await tx`insert into auth.users (id, email) select id, 'bench' || n || '@example.test' from bench.users`
    await tx`insert into auth.sessions (id, user_id) select gen_random_uuid(), id from bench.users`
    await tx`
      insert into public.profiles (id, username, full_name, visibility, created_at)
      select id, 'bench_' || n, 'Person ' || n,
             case when random_value < 0.9 then 'public' when random_value < 0.95 then 'followers' else 'private' end,
             now() - interval '400 days'
      from bench.users`
    await tx`insert into public.profile_details (user_id, bio) select id, 'One of many.' from bench.users`
    await tx`insert into public.user_counters (user_id) select id from bench.users`
    await tx`insert into public.user_settings (user_id) select id from bench.users`
    await tx`
      insert into public.accounts (user_id, email, phone_number, adult_confirmed_at, email_confirmed_at, onboarded_at)
      select id, 'bench' || n || '@example.test', '0123456789', now(), now(), now() from bench.users`
    await tx`
      insert into public.follows (follower_id, followee_id, created_at)
      select a.id, b.id, now() - random() * interval '400 days' from (${randomPairs(tx, userCount * 10, userCount)}) r
      join bench.users a on a.n = r.first_n join bench.users b on b.n = r.second_n where r.first_n <> r.second_n
      on conflict do nothing`
    await tx`
      insert into public.blocks (blocker_id, blocked_id)
      select a.id, b.id from (${randomPairs(tx, userCount, userCount)}) r
      join bench.users a on a.n = r.first_n join bench.users b on b.n = r.second_n where r.first_n <> r.second_n
      on conflict do nothing`
    await tx`
      insert into public.profile_counts (user_id, followers, following)
      select p.id, coalesce(b.followers, 0), coalesce(a.following, 0)
      from bench.users p
      left join (select followee_id as id, count(*) as followers from public.follows group by 1) b using (id)
      left join (select follower_id as id, count(*) as following from public.follows group by 1) a using (id)`
  })
}

/**
 * Inserts posts by random users over the last 300 days, with about three likes each. Unless `plain` is true, two in
 * five have an image (a media row without a file), one in ten is premium with up to five buyers, and one in five has
 * comments.
 *
 * @param {Sql} sql a superuser's connection. `fillUsers` must have been called before.
 * @param {number} postCount
 * @param {number} userCount
 * @param {boolean} plain whether posts have only text
 */
export async function fillPosts(sql, postCount, userCount, plain) {
  await sql.begin(async (tx) => {
    await prepareFill(tx)
    await tx`
      create table bench.posts as
      select i::int as n, gen_random_uuid() as id, ${randomNumber(tx, userCount)} as author, random() as relative_age
      from generate_series(1, ${postCount}::int) i`
    await tx`alter table bench.posts add primary key (n)`
    await tx`
      insert into public.posts (id, author_id, content, created_at)
      select p.id, a.id, repeat('A post of average length. ', 5) || 'About subject' || p.n % 100 || '.',
             now() - p.relative_age * interval '300 days'
      from bench.posts p join bench.users a on a.n = p.author`
    await tx`
      insert into public.likes (post_id, user_id, created_at)
      select p.id, a.id, now() - random() * p.relative_age * interval '300 days'
      from (select ${randomNumber(tx, postCount)} as post, ${randomNumber(tx, userCount)} as fan
            from generate_series(1, ${postCount * 3}::int)) r
      join bench.posts p on p.n = r.post join bench.users a on a.n = r.fan
      on conflict do nothing`
    await tx`
      update public.posts p set likes_count = l.likes
      from (select post_id, count(*) as likes from public.likes group by post_id) l where l.post_id = p.id`
    await tx`
      update public.profile_counts c set posts = p.posts
      from (select author_id, count(*) as posts from public.posts group by author_id) p where p.author_id = c.user_id`
    if (!plain) await fillMediaSalesAndComments(tx, userCount)
    await tx`select private.fill_post_search()`
  })
  await sql`vacuum (freeze, analyze)`
  await sql`checkpoint`
}

/**
 * Inserts about three times as many conversations as there are users, each between two random users. One in ten has 60
 * messages, the others have 5. A third of the conversations end with an unread message.
 *
 * @param {Sql} sql a superuser's connection. `fillUsers` must have been called before.
 * @param {number} userCount
 */
export async function fillMessages(sql, userCount) {
  await sql.begin(async (tx) => {
    await prepareFill(tx)
    await tx`
      create table bench.conversations as
      select gen_random_uuid() as id, row_number() over ()::int as n, pair.low, pair.high
      from (select distinct least(a.id::text, b.id::text)::uuid as low, greatest(a.id::text, b.id::text)::uuid as high
            from (${randomPairs(tx, userCount * 3, userCount)}) r
            join bench.users a on a.n = r.first_n join bench.users b on b.n = r.second_n
            where r.first_n <> r.second_n) pair`
    await tx`
      insert into public.conversations (id, user_low, user_high, last_seq)
      select id, low, high, case when n % 10 = 0 then 60 else 5 end from bench.conversations`
    await tx`
      insert into public.messages (conversation_id, seq, sender_id, receiver_id, content, created_at)
      select c.id, seq, case when seq % 2 = 0 then b.low else b.high end, case when seq % 2 = 0 then b.high else b.low end,
             'A message of average length, neither short nor long: ' || seq,
             now() - b.n % 200 * interval '1 hour' - (c.last_seq - seq) * interval '1 minute'
      from public.conversations c join bench.conversations b using (id), generate_series(1, c.last_seq) seq`
    await tx`
      insert into public.conversation_members (user_id, partner_id, conversation_id, last_message_id, last_message_at,
                                               last_read_seq, unread_count, has_written)
      select member.id, partner.id, m.conversation_id, m.id, m.created_at, m.seq - unread.count, unread.count, true
      from public.conversations c join bench.conversations b using (id)
      join public.messages m on m.conversation_id = c.id and m.seq = c.last_seq,
      lateral (values (b.low, b.high), (b.high, b.low)) pair (member_id, partner_id)
      join bench.users member on member.id = pair.member_id join bench.users partner on partner.id = pair.partner_id,
      lateral (select (b.n % 3 = 0 and m.receiver_id = member.id)::int as count) unread`
    await tx`
      update public.user_counters u set unread_messages = m.unread
      from (select user_id, sum(unread_count) as unread from public.conversation_members group by 1) m
      where m.user_id = u.user_id`
  })
  await sql`vacuum (freeze, analyze)`
}

/**
 * Adds images to posts, makes some posts premium and sells them, and adds comments.
 *
 * @param {import('postgres').TransactionSql} tx
 * @param {number} userCount
 */
async function fillMediaSalesAndComments(tx, userCount) {
  const placeholder = `data:image/png;base64,${'A'.repeat(200)}`
  await tx`
    insert into public.media (id, owner_id, kind, state, path, content_type, bytes, width, height, placeholder)
    select p.id, p.author_id, 'image', 'ready', p.id || '.png', 'image/png', 200000, 1200, 900, ${placeholder}
    from public.posts p join bench.posts b on b.id = p.id where b.n % 5 in (1, 2)`
  await tx`
    update public.posts p set media_type = 'image', media_width = 1200, media_height = 900, media_id = p.id,
      placeholder = ${placeholder}, alt_text = 'A description of the image in a few words.'
    from bench.posts b where b.id = p.id and b.n % 5 in (1, 2)`
  await tx`
    insert into public.premium_contents (post_id, author_id, content, media_id, alt_text)
    select p.id, p.author_id, p.content, p.media_id, p.alt_text
    from public.posts p join bench.posts b on b.id = p.id where b.n % 10 = 1`
  await tx`
    update public.posts p set is_premium = true, premium_price = 5, teaser = 'A preview of the paid content.', content = '',
      media_id = null, alt_text = null
    from bench.posts b where b.id = p.id and b.n % 10 = 1`
  await tx`
    insert into public.payments (kind, payer_id, payee_id, post_id, amount_cents, fee_cents, provider, state, settled_at)
    select distinct 'unlock', a.id, p.author_id, p.id, 500, 50, 'test', 'paid', now()
    from public.posts p cross join generate_series(1, 5) turn
    join bench.users a on a.n = 1 + (hashtext(p.id::text || turn) & 2147483647) % ${userCount}::int
    where p.is_premium and a.id <> p.author_id`
  await tx`
    insert into public.unlocks (user_id, post_id, payment_id)
    select y.payer_id, y.post_id, y.id from public.payments y`
  await tx`
    insert into public.comments (post_id, author_id, content, created_at)
    select b.id, a.id, 'A comment of average length, or nearly.', now() - random() * interval '400 days'
    from bench.posts b cross join generate_series(1, 4) turn
    join bench.users a on a.n = 1 + (b.n + turn * 7) % ${userCount}::int
    where b.n % 5 = 0`
  await tx`
    update public.posts p set comments_count = 4 from bench.posts b where b.id = p.id and b.n % 5 = 0`
}

/** Turns triggers and notices off, and creates the `bench` schema. @param {import('postgres').TransactionSql} tx */
async function prepareFill(tx) {
  await tx`set local session_replication_role = replica`
  await tx`set local client_min_messages = error`
  await tx`create schema if not exists bench`
  // Makes every run use the same random numbers.
  await tx`select setseed(0.42)`
}

/**
 * Returns SQL that yields a new random number from 1 to `max` for each row.
 *
 * @param {import('postgres').TransactionSql} tx
 * @param {number} max
 */
const randomNumber = (tx, max) => tx`(1 + floor(random() * ${max}::int))::int`

/**
 * Returns SQL for random pairs of user numbers.
 *
 * @param {import('postgres').TransactionSql} tx
 * @param {number} count
 * @param {number} userCount
 */
const randomPairs = (tx, count, userCount) => tx`
  select ${randomNumber(tx, userCount)} as first_n, ${randomNumber(tx, userCount)} as second_n
  from generate_series(1, ${count}::int)`

import type { TransactionSql } from 'postgres'
import { findFault } from '../../supabase/functions/_shared/auto-posting/content-checks.ts'

/** Queries that select the rows that break a rule, by the name of the rule. */
const rules: Record<string, string> = {
  'messages numbered and dated in order': `
    select from public.conversations c
    left join (select conversation_id, count(*) as n, min(seq) as first, max(seq) as last, min(created_at) as at
               from public.messages group by 1) m on m.conversation_id = c.id
    where (m.first, m.last, m.n, m.at) is distinct from (1::bigint, c.last_seq, c.last_seq, c.created_at)
    union all
    select from public.messages m join public.messages n
      on n.conversation_id = m.conversation_id and n.seq = m.seq + 1 and n.created_at < m.created_at`,

  'changes to messages numbered': `
    select from public.conversations c
    left join (select conversation_id, max(version) as last, count(*) filter (where version > 0) as changed,
                      count(distinct version) filter (where version > 0) as numbers
               from public.messages group by 1) m on m.conversation_id = c.id
    where (c.last_change, m.changed) is distinct from (coalesce(m.last, 0), m.numbers)
    union all
    select from public.messages m
    where (m.version > 0) <> (m.edited_at is not null or m.deleted_at is not null or m.reactions <> '[]')
       or m.edited_at not between m.created_at and m.created_at + interval '15 minutes'
       or greatest(m.edited_at, m.deleted_at) > now()`,

  'replies and reactions within one conversation': `
    select from public.messages m join public.messages q on q.id = m.reply_to_id
    where q.conversation_id <> m.conversation_id or q.seq >= m.seq
    union all
    select from public.messages m cross join lateral jsonb_array_elements(m.reactions) r
    where (r ->> 'userId')::uuid not in (m.sender_id, m.receiver_id)`,

  'conversation lists': `
    select from public.conversation_members x
    join public.conversations c on c.id = x.conversation_id
    left join public.messages m on m.conversation_id = c.id and m.seq = c.last_seq
    where (m.id, m.created_at) is distinct from (x.last_message_id, x.last_message_at)
       or x.unread_count <> (select count(*) from public.messages y where y.conversation_id = c.id
                             and y.receiver_id = x.user_id and y.seq > x.last_read_seq)`,

  'groups of notifications': `
    select from public.notifications n group by n.group_id
    having count(*) filter (where n.is_head) <> 1 or count(distinct n.user_id) > 1
        or max(n.people) filter (where n.is_head) <> greatest(1, count(distinct n.actor_id))
        or max(n.created_at) filter (where n.is_head) < max(n.created_at)`,

  'likes of visible posts': `
    select from public.likes l join public.posts p on p.id = l.post_id join public.profiles a on a.id = p.author_id
    where l.created_at < p.created_at or l.user_id = p.author_id
       or (a.visibility <> 'public' and not exists (
            select from public.follows f where f.follower_id = l.user_id and f.followee_id = a.id))`,

  'reposts of public posts': `
    select from public.reposts r join public.posts p on p.id = r.post_id join public.profiles a on a.id = p.author_id
    where r.created_at < p.created_at or a.visibility <> 'public' or not a.content_discoverable`,

  'comments on visible posts': `
    select from public.comments c
    join public.posts p on p.id = c.post_id
    join public.profiles a on a.id = p.author_id
    left join public.unlocks u on u.user_id = c.author_id and u.post_id = c.post_id
    left join public.comments o on o.id = c.parent_comment_id
    where c.created_at < p.created_at or o.created_at > c.created_at
       or o.post_id <> c.post_id or o.parent_comment_id is not null
       or (c.author_id <> p.author_id and (
         (p.is_premium and (u.user_id is null or u.created_at > c.created_at))
         or (a.visibility <> 'public' and not exists (
              select from public.follows f where f.follower_id = c.author_id and f.followee_id = a.id))))`,

  'likes of readable comments': `
    select from public.comment_likes l
    join public.comments c on c.id = l.comment_id
    join public.posts p on p.id = c.post_id
    join public.profiles a on a.id = p.author_id
    left join public.unlocks u on u.user_id = l.user_id and u.post_id = p.id
    where l.created_at < c.created_at or l.user_id = c.author_id
       or (l.user_id <> p.author_id and (
         (p.is_premium and (u.user_id is null or u.created_at > l.created_at))
         or (a.visibility <> 'public' and not exists (
              select from public.follows f where f.follower_id = l.user_id and f.followee_id = a.id))))`,

  'no relations across a block': `
    select from (
      select follower_id as a, followee_id as b from public.follows
      union all select follower_id, followee_id from public.follow_requests
      union all select l.user_id, p.author_id from public.likes l join public.posts p on p.id = l.post_id
      union all select r.user_id, p.author_id from public.reposts r join public.posts p on p.id = r.post_id
      union all select user_id, actor_id from public.notifications
      union all select c.author_id, p.author_id from public.comments c join public.posts p on p.id = c.post_id
      union all select l.user_id, c.author_id from public.comment_likes l
                join public.comments c on c.id = l.comment_id
      union all select payer_id, payee_id from public.payments) r
    join public.blocks x on (x.blocker_id, x.blocked_id) in ((r.a, r.b), (r.b, r.a))`,

  'follow requests to non-public profiles': `
    select from public.follow_requests r join public.profiles p on p.id = r.followee_id
    where p.visibility = 'public' or exists (
      select from public.follows f where f.follower_id = r.follower_id and f.followee_id = r.followee_id)`,

  'nothing before registration or in the future': `
    select from (
      select author_id as id, created_at as at from public.posts
      union all select user_id, created_at from public.likes
      union all select user_id, created_at from public.saves
      union all select user_id, created_at from public.reposts
      union all select user_id, created_at from public.comment_likes
      union all select author_id, created_at from public.comments
      union all select payer_id, created_at from public.payments
      union all select follower_id, created_at from public.follows
      union all select followee_id, created_at from public.follows
      union all select follower_id, created_at from public.follow_requests
      union all select followee_id, created_at from public.follow_requests
      union all select blocker_id, created_at from public.blocks
      union all select blocked_id, created_at from public.blocks
      union all select sender_id, created_at from public.messages
      union all select receiver_id, created_at from public.messages
      union all select user_id, created_at from public.notifications
      union all select actor_id, created_at from public.notifications where actor_id is not null) r
    join public.profiles p on p.id = r.id
    where r.at < p.created_at or r.at > now()`,

  'unlocks of other users’ posts': `
    select from public.unlocks u join public.posts p on p.id = u.post_id
    where u.user_id = p.author_id or u.created_at < p.created_at`,

  'months of subscriptions': `
    select from public.subscriptions s
    left join (select subscription_id, count(*) as n, max(period_start) as last
               from public.payments where state = 'paid' group by 1) y on y.subscription_id = s.id
    left join public.profiles c on c.id = s.creator_id and c.is_creator
    where c.id is null or y.n is distinct from s.periods
       or s.period_end <> s.started_at + s.periods * interval '1 month'
       or y.last is distinct from s.started_at + (s.periods - 1) * interval '1 month'
       or (s.state = 'active') <> (s.period_end > now())
       or s.cancelled_at not between y.last and s.period_end
       or greatest(s.started_at, y.last, s.cancelled_at, s.ended_at) > now()`,

  'payouts of cleared balances': `
    select from public.payouts p
    where p.amount_cents < private.minimum_payout_cents() or p.settled_at > now()
       or (select sum(s.net_cents) from public.ledger_transactions s where s.user_id = p.user_id
             and s.clears_at <= p.created_at and s.created_at <= p.created_at) < 0`,

  'views by day and hour': `
    select from public.creator_days c
    full join (select creator_id, day, sum(views) as views from public.creator_hours group by 1, 2) h
      on (h.creator_id, h.day) = (c.creator_id, c.day)
    full join (select creator_id, day, sum(views) as views from private.creator_view_sources group by 1, 2) s
      on (s.creator_id, s.day) = (c.creator_id, c.day)
    where coalesce(c.views, 0) <> coalesce(h.views, 0) or coalesce(c.views, 0) <> coalesce(s.views, 0)
      or coalesce(c.day, h.day) > (now() at time zone 'UTC')::date
    union all
    select from public.post_days d join public.posts p on p.id = d.post_id
    where p.author_id <> d.author_id or d.day < (p.created_at at time zone 'UTC')::date`,

  'timeline of moderation cases': `
    select from public.moderation_cases c
    left join (select case_id, count(*) as n, min(created_at) as first, max(created_at) as last from public.reports
               group by 1) r on r.case_id = c.id
    where (r.n, r.first) is distinct from (c.reports::bigint, c.created_at) or c.decided_at < r.last
       or c.moved_at is distinct from coalesce(c.appeal_decided_at, c.appealed_at, c.decided_at, r.last)
       or c.moved_at > now() or c.appealed_at not between c.decided_at and c.decided_at + interval '30 days'
       or c.appeal_decided_at < c.appealed_at or (c.decision <> 'dismiss' and c.reason is null)`,

  'reported content': `
    select from public.moderation_cases c
    cross join lateral (select private.subject_snapshot(c.kind, c.subject_id, true) as snapshot) current
    where (current.snapshot is null and c.decision is distinct from 'remove')
       or (current.snapshot ->> 'personId')::uuid <> c.user_id
       or (current.snapshot -> 'seen' ->> 'createdAt')::timestamptz > c.created_at
       or (current.snapshot is not null and jsonb_array_length(c.snapshots) = 0)
    union all
    select from public.reports r
    join public.moderation_cases c on c.id = r.case_id
    join public.profiles p on p.id = r.reporter_id
    where p.created_at > r.created_at or r.reporter_id = c.user_id`,

  'active suspensions': `
    select from public.accounts a
    where a.suspended_until < now() or a.read_only_reason is distinct from private.restriction_reason(a)`,

  'scheduled posts': `
    select from public.scheduled_posts s join public.profiles p on p.id = s.author_id
    where s.publish_at < now() + interval '1 day' or s.created_at not between p.created_at and now()
       or (s.premium_price is not null and not p.is_creator)`,

  'audit log': `
    select from (
      select e.created_at, lag(e.created_at) over (order by e.id) as previous, p.is_admin
      from public.audit_entries e left join public.profiles p on p.id = e.actor_id) e
    where e.previous > e.created_at or e.created_at > now() or e.is_admin is distinct from true
    union all
    select where private.verify_audit_chain() is not null`,

  'auto-posting': `
    select from private.auto_posting_settings x where not private.can_auto_post(x.user_id)
    union all
    select from public.auto_post_runs r where r.ended_at > now()
    union all
    select from public.auto_post_drafts f
    where f.decided_at > now() or (f.state = 'waiting' and f.created_at < now() - private.draft_lifetime())`,
}

/**
 * Checks the rules that depend on the current time or on several files of `content/`, and those that triggers and
 * foreign keys would enforce if they were on.
 *
 * @throws Error that names the broken rules; it rolls the transaction back
 */
export async function checkDemo(tx: TransactionSql): Promise<void> {
  const broken = await brokenForeignKeys(tx)
  for (const [rule, query] of Object.entries(rules)) {
    const { count } = await tx.unsafe(query)
    if (count > 0) broken.push(`${rule} (${count})`)
  }
  const runs = await tx<{ answer: string }[]>`
    select r.answer from public.auto_post_runs r where r.outcome not in ('refused', 'failed')`
  const noLimits = { bannedWords: [], recent: [], secrets: [] }
  if (runs.some(({ answer }) => findFault(answer, noLimits) !== null)) broken.push('answers of auto-posting')
  if (broken.length > 0) throw new Error(`The demo data fails these checks: ${broken.join(', ')}.`)
}

/** Returns the names of the foreign keys that are violated. */
async function brokenForeignKeys(tx: TransactionSql): Promise<string[]> {
  const foreignKeys = await tx<{ name: string; query: string }[]>`
    select k.conname as name, format('select from %s c where (%s) is not null and not exists (select from %s p where %s)',
      k.conrelid::regclass, string_agg(format('c.%I', c.attname), ', '), k.confrelid::regclass,
      string_agg(format('p.%I = c.%I', p.attname, c.attname), ' and ')) as query
    from pg_constraint k
    cross join unnest(k.conkey, k.confkey) as u (child, parent)
    join pg_attribute c on c.attrelid = k.conrelid and c.attnum = u.child
    join pg_attribute p on p.attrelid = k.confrelid and p.attnum = u.parent
    where k.contype = 'f' and k.connamespace in ('public'::regnamespace, 'private'::regnamespace)
    group by k.oid`
  const broken: string[] = []
  for (const { name, query } of foreignKeys) if ((await tx.unsafe(query)).count > 0) broken.push(name)
  return broken
}

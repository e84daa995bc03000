import type { TransactionSql } from 'postgres'
import { faultOf } from '../../supabase/functions/_shared/auto-posting/checks.ts'

/** How many rows break a rule of auto-posting, by rule. */
export async function faultsOfAutoPosting(tx: TransactionSql): Promise<Record<string, number>> {
  const [faults] = await tx<Record<string, number>[]>`
    select
      (select count(*) from private.ai_key)::int as "keys",
      (select count(*) from private.auto_posting x
        where not private.may_auto_post(x.user_id) or x.last_auto_post is distinct from (
          select max(r.ended_at) from public.auto_runs r
          where r.user_id = x.user_id and r.outcome in ('published', 'drafted')))::int as "creators who agreed",
      (select count(*) from (select p.id, p.author_id, p.content, p.created_at from public.posts p where p.made_by = 'ai') p
        full join (
          select r.post_id as id, r.user_id, r.answer, r.ended_at as at from public.auto_runs r where r.outcome = 'published'
          union all
          select f.id, f.user_id, f.content, f.decided_at from public.auto_drafts f where f.state = 'published') w
          on (w.id, w.user_id, w.answer, w.at) = (p.id, p.author_id, p.content, p.created_at)
        where w.id is null or p.id is null)::int as "posts that a program wrote",
      (select count(*) from (select * from public.auto_runs where outcome = 'drafted') r
        full join public.auto_drafts f
          on (f.id, f.user_id, f.content, f.created_at) = (r.draft_id, r.user_id, r.answer, r.ended_at)
        where r.id is null or f.id is null or f.decided_at > now()
           or (f.state = 'waiting' and f.created_at < now() - interval '3 days'))::int as "drafts",
      (select count(*) from public.auto_runs r
        left join private.auto_slots s on (s.user_id, s.day, s.nth) = (r.user_id, r.day, r.nth)
        where r.ended_at > now() or r.ended_at < r.started_at or (r.cost_micros <= 0 and r.answer is not null) or jsonb_array_length(r.prompt) < 2
           or (r.kind = 'slot') <> (s.user_id is not null)
           or (r.outcome in ('refused', 'failed')) <> (r.detail is not null)
           or (s.state = 'done') <> (r.outcome in ('published', 'drafted')))::int as "runs"`
  const [good] = await tx<{ texts: string[] }[]>`
    select array_agg(r.answer) as texts from public.auto_runs r where r.outcome not in ('refused', 'failed')`
  const kept = (good?.texts ?? []).filter(
    (text) => faultOf(text, { bannedWords: [], recent: [], secrets: [] }) !== null,
  )
  return { ...(faults ?? { everything: 1 }), 'texts that the checks refuse': kept.length }
}

import type { TransactionSql } from 'postgres'
import { type DemoAutoPosting, model } from './auto-posts.ts'
import { rowsOf, uidOf } from './insert-people.ts'
import { idOf } from './numbers.ts'
import { people } from './people.ts'
import { autoPosters } from './texts/auto-posts.ts'

const admin = 'samira'
const [hour, day] = [3_600_000, 86_400_000]
/** Days since it was switched on. */
const switchedOn = 14.1

/**
 * For whom auto-posting is on, each run of it with what it made, and what creators were told. The posts are there
 * already. There is no key: it was taken away, so nothing more is written until an admin sets one.
 */
export async function insertAutoPosting(
  tx: TransactionSql,
  { posts, runs, drafts }: DemoAutoPosting,
  now: Date,
): Promise<void> {
  const on = new Date(now.getTime() - switchedOn * day)
  const set = autoPosters.map(({ user, frequency }, index) => ({
    user: uidOf(user),
    frequency,
    at: new Date(on.getTime() + index * 40_000),
    // The first had agreed before.
    asked: index > 0,
    last: runs
      .filter(({ author, post, draft }) => author === user && (post !== null || draft !== null))
      .at(-1)?.endedAt,
  }))
  await tx`
    insert into private.auto_posting (user_id, enabled, frequency, changed_by, changed_at, last_auto_post, asked_at)
    select r.user, true, r.frequency, ${uidOf(admin)}::text::uuid, r.at, r.last, case when r.asked then r.at end
    from jsonb_to_recordset(${rowsOf(set)}::text::jsonb) as r ("user" uuid, frequency text, at timestamptz, asked boolean,
      last timestamptz)`
  const ran = rowsOf(runs.map((run) => ({ ...run, author: uidOf(run.author) })))
  await tx`
    insert into public.auto_runs (id, user_id, kind, day, nth, started_at, counted_on, ended_at, outcome, detail, model,
      prompt, answer, input_tokens, output_tokens, cost_micros, calls, post_id, draft_id)
    select r.id, r.author, r.kind, case when r.nth is not null then r.day end, r.nth, r.at, r.day, r."endedAt", r.outcome,
      r.detail, ${model.name}, r.prompt, r.answer, r.input, r.output, r.micros, r.calls, r.post, r.draft
    from jsonb_to_recordset(${ran}::text::jsonb) as r (id uuid, author uuid, kind text, nth smallint, day date,
      at timestamptz, "endedAt" timestamptz, outcome text, detail text, prompt jsonb, answer text, input integer,
      output integer, micros bigint, calls integer, post uuid, draft uuid)`
  await tx`
    insert into private.auto_slots (user_id, day, nth, due_at, state, attempts)
    select r.user_id, r.day, r.nth, r.started_at - interval '90 seconds',
      case when r.outcome in ('published', 'drafted') then 'done' else 'failed' end,
      case when r.outcome in ('published', 'drafted') then 1 else 3 end
    from public.auto_runs r where r.nth is not null`
  await tx`
    insert into public.auto_drafts (id, user_id, content, state, created_at, decided_at)
    select r.id, r.author, r.content, r.state, r.at, r."decidedAt"
    from jsonb_to_recordset(${rowsOf(drafts.map((draft) => ({ ...draft, author: uidOf(draft.author) })))}::text::jsonb)
      as r (id uuid, author uuid, content text, state text, at timestamptz, "decidedAt" timestamptz)`
  await tx`
    update public.posts p set made_by = 'ai'
    where p.id in (select value::uuid from jsonb_array_elements_text(${rowsOf(posts.map(({ id }) => id))}::text::jsonb))`
  await tellCreators(
    tx,
    [
      ...set.flatMap(({ user, at, asked }) =>
        asked ? [{ id: idOf('notice', `asked ${user}`), user, at, asked }] : [],
      ),
      ...drafts.map(({ id, author, at }) => ({
        id: idOf('notice', id),
        user: uidOf(author),
        at,
        asked: false,
      })),
    ],
    now,
  )
}

interface News {
  id: string
  user: string
  at: Date
  /** To agree; otherwise of a draft. */
  asked: boolean
}

/** In the words of private.set_auto_posting and private.end_auto_run. Unread is what came since they last looked. */
async function tellCreators(tx: TransactionSql, news: News[], now: Date): Promise<void> {
  const seen = new Map(people.map(({ username, lastSeen = 24 }) => [uidOf(username), lastSeen * hour]))
  const rows = news.map((one) => {
    const looked = now.getTime() - (seen.get(one.user) ?? 0)
    return { ...one, readAt: one.at.getTime() < looked ? new Date(looked) : null }
  })
  await tx`
    insert into public.notifications (id, user_id, kind, detail, created_at, read_at, group_id, is_head, people)
    select r.id, r.user, 'auto_post', case when r.asked
        then 'The team would like to post in your name, with text written by AI. It starts only if you agree in Settings.'
        else 'A draft written by AI waits for you to look at it.' end,
      r.at, r."readAt", r.id, true, 1
    from jsonb_to_recordset(${rowsOf(rows)}::text::jsonb) as r (id uuid, "user" uuid, at timestamptz, asked boolean,
      "readAt" timestamptz)`
}

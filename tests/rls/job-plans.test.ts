import { expect, it } from 'vitest'
import { sql } from './database.ts'

const rowCount = 5000

/** The functions that the jobs call, even when there is nothing to do. */
const calls = [
  'private.run_moderation_maintenance()',
  'private.refresh_restrictions(500)',
  'private.roll_up_audiences(10)',
  'private.roll_up_views(100)',
  "private.clean_up('messages', 100)",
  "private.clean_up('conversations', 100)",
  "private.clean_up('announcements', 100)",
  'private.delete_orphaned_media(100)',
  'private.announce_posts(100)',
  'private.withdraw_announcements(100)',
  'private.refresh_topics(10)',
  'private.claim_due_digests(10)',
]

it('scans no large table in full when a job has nothing to do', async () => {
  const rollback = new Error('rollback')
  const attempt = sql.begin(async (tx) => {
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
    await tx`insert into public.moderation_cases (kind, subject_id, user_id, snapshots, state, decision, decided_at, moved_at)
             select 'user', id, id, '[{}]', 'decided', 'warn', now() - interval '2 days', now() - interval '2 days' from ids`
    await tx`insert into public.conversations (id, user_low, user_high)
             select id, '00000000-0000-0000-0000-000000000000', id from ids`
    await tx`insert into public.conversation_members (user_id, partner_id, conversation_id) select id, id, id from ids`
    await tx`insert into public.messages (conversation_id, seq, sender_id, receiver_id, content) select id, 1, id, id, 'Plan' from ids`
    await tx`set local session_replication_role = origin`
    await tx`analyze`
    const countSequentialReads = async () =>
      Object.fromEntries(
        (
          await tx<{ name: string; rows: number }[]>`
            select relname as name, seq_tup_read::int as rows from pg_stat_xact_user_tables
            where schemaname in ('public', 'private')`
        ).map(({ name, rows }) => [name, rows]),
      )
    for (const call of calls) {
      const before = await countSequentialReads()
      await tx.unsafe(`select ${call}`)
      const after = await countSequentialReads()
      const large = Object.keys(after).filter((name) => (after[name] ?? 0) - (before[name] ?? 0) >= rowCount)
      expect([call, large]).toEqual([call, []])
    }
    throw rollback
  })
  await expect(attempt).rejects.toBe(rollback)
})

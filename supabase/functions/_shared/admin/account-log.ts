import { z } from 'zod'
import type { AccountLogEntry, AccountLogQuery, AuditAction } from '../contract/audit.ts'
import { limits } from '../contract/limits.ts'
import { sql } from '../db/page.ts'
import { asService } from '../db/run.ts'
import { confirmSession } from '../http/live.ts'
import type { Caller } from '../http/session.ts'

/** Change as it stands in the log, as far as sentences tell of it. */
const Change = z.object({
  fields: z.array(z.string()).catch([]),
  isCreator: z.boolean().optional().catch(undefined),
  enabled: z.boolean().optional().catch(undefined),
  frequency: z.string().optional().catch(undefined),
  kind: z.string().catch('account'),
  reason: z.string().optional().catch(undefined),
  answer: z.string().optional().catch(undefined),
})
type Change = z.infer<typeof Change>

const thing = ({ kind }: Change) => (kind === 'user' ? 'profile' : kind)
const why = (words: string | undefined) => (words ? `: ${words}` : '.')

/** What happened, for the person it happened to. */
const sentences: Partial<Record<AuditAction, (change: Change) => string>> = {
  'account.approve': () => 'Your account was approved.',
  'account.edit': ({ fields }) =>
    fields.length > 0
      ? `Your profile was changed: ${fields.map(inWords).join(', ')}.`
      : 'Your profile was changed.',
  'account.creator': ({ isCreator }) =>
    isCreator ? 'You were made a creator.' : 'Your account is no longer a creator account.',
  'account.unsuspend': () => 'Your suspension was lifted.',
  'post.create': () => 'A post was published in your name.',
  'auto_posting.set': ({ enabled, frequency }) =>
    enabled
      ? `AI auto-posting was switched on for you${frequency ? `, with ${frequency} frequency` : ''}.`
      : 'AI auto-posting was switched off for you.',
  'case.warn': (change) => `You were warned about your ${thing(change)}${why(change.reason)}`,
  'case.hide': (change) => `Your ${thing(change)} was hidden${why(change.reason)}`,
  'case.remove': (change) => `Your ${thing(change)} was removed${why(change.reason)}`,
  'case.suspend': (change) => `Your account was suspended${why(change.reason)}`,
  'appeal.grant': ({ answer }) => `Your appeal was granted${why(answer)}`,
  'appeal.refuse': ({ answer }) => `Your appeal was turned down${why(answer)}`,
  'payout.paid': () => 'A payout of yours was marked as paid.',
  'payout.failed': () => 'A payout of yours was marked as failed.',
  'payout.reveal': () => 'The details of a payout of yours were looked at.',
}

/** `allowDirectMessages` and `show_age` in words: 'allow direct messages', 'show age'. */
const inWords = (field: string) =>
  field
    .replaceAll('_', ' ')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/ url$/, '')

type Row = { id: number; createdAt: string; action: AuditAction; change: string }

/**
 * What admins did to the caller's account, the newest first. Who it was is not told, nor which reports came to nothing.
 *
 * @throws ApiError 401
 */
export async function listAccountLog(
  caller: Caller,
  { limit = limits.page.audit, before }: AccountLogQuery,
): Promise<AccountLogEntry[]> {
  const told = JSON.stringify(Object.keys(sentences))
  await confirmSession(caller)
  const rows = await asService(
    'the log names admins, so that they alone read it',
    (tx) => tx<Row[]>`
      select e.id::float8 as id, to_json(e.created_at) #>> '{}' as "createdAt", e.action, e.change::text as change
      from public.audit_entries e
      where e.target_id = ${caller.userId}::text::uuid and e.action in (select json_array_elements_text(${told}::text::json))
        ${before === undefined ? sql`` : sql`and e.id < ${before}::bigint`}
      order by e.id desc limit ${limit}::integer`,
  )
  return rows.map(({ change, ...row }) => ({
    ...row,
    text: sentences[row.action]?.(Change.parse(JSON.parse(change))) ?? row.action,
  }))
}

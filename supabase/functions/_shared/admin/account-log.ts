import {
  AccountLogChange,
  type AccountLogEntry,
  type AccountLogQuery,
  type AuditAction,
} from '../contract/audit.ts'
import { limits } from '../contract/limits.ts'
import { sql } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { asService, requireSession } from '../http/run-as.ts'

const subjectName = ({ kind = 'account' }: AccountLogChange) => (kind === 'user' ? 'profile' : kind)
const reasonSuffix = (reason: string | undefined) => (reason ? `: ${reason}` : '.')

/**
 * The messages that describe admin actions to the affected user. Actions without a message are not shown to the user.
 */
const messages: Partial<Record<AuditAction, (change: AccountLogChange) => string>> = {
  'account.approve': () => 'Your account was approved.',
  'account.edit': ({ fields = [] }) =>
    fields.length > 0
      ? `Your profile was changed: ${fields.map(fieldLabel).join(', ')}.`
      : 'Your profile was changed.',
  'account.creator': ({ isCreator }) =>
    isCreator ? 'You were made a creator.' : 'Your account is no longer a creator account.',
  'account.unsuspend': () => 'Your suspension was lifted.',
  'post.create': () => 'A post was published in your name.',
  'auto_posting.set': ({ enabled, frequency }) =>
    enabled
      ? `AI auto-posting was turned on for you${frequency ? `, with ${frequency} frequency` : ''}.`
      : 'AI auto-posting was turned off for you.',
  'case.warn': (change) => `You were warned about your ${subjectName(change)}${reasonSuffix(change.reason)}`,
  'case.hide': (change) => `Your ${subjectName(change)} was hidden${reasonSuffix(change.reason)}`,
  'case.remove': (change) => `Your ${subjectName(change)} was removed${reasonSuffix(change.reason)}`,
  'case.suspend': (change) => `Your account was suspended${reasonSuffix(change.reason)}`,
  'appeal.grant': ({ answer }) => `Your appeal was granted${reasonSuffix(answer)}`,
  'appeal.refuse': ({ answer }) => `Your appeal was turned down${reasonSuffix(answer)}`,
  'payout.paid': () => 'One of your payouts was marked as paid.',
  'payout.failed': () => 'One of your payouts was marked as failed.',
  'payout.reveal': () => 'The payment details of one of your payouts were viewed.',
}

/** Turns `allowDirectMessages` into 'allow direct messages', and `profileImageUrl` into 'profile image'. */
const fieldLabel = (field: string) =>
  field
    .replaceAll('_', ' ')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/ url$/, '')

type EntryRow = { id: number; createdAt: string; action: AuditAction; change: string }

/**
 * Returns the admin actions on the caller's account, newest first. The list names no admins and omits dismissed cases.
 *
 * @throws ApiError 401
 */
export async function listAccountLog(
  caller: Caller,
  { limit = limits.page.audit, before }: AccountLogQuery,
): Promise<AccountLogEntry[]> {
  const shownActions = JSON.stringify(Object.keys(messages))
  await requireSession(caller)
  // Runs as the service role. The audit log names admins, so the policies let only admins read it.
  const rows = await asService(
    (tx) => tx<EntryRow[]>`
      select e.id::float8 as id, to_json(e.created_at) #>> '{}' as "createdAt", e.action, e.change::text as change
      from public.audit_entries e
      where e.target_id = ${caller.userId}::text::uuid
        and e.action in (select json_array_elements_text(${shownActions}::text::json))
        ${before === undefined ? sql`` : sql`and e.id < ${before}::bigint`}
      order by e.id desc limit ${limit}::integer`,
  )
  return rows.map((row) => {
    const change = AccountLogChange.catch({}).parse(JSON.parse(row.change))
    return { ...row, change, text: messages[row.action]?.(change) ?? row.action }
  })
}

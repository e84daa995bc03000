import { z } from 'zod'
import { Id, PageQuery, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { UserCard } from './user.ts'

/** Actions in the audit log. The part before the dot names what the action is about. */
export const auditActions = [
  'account.approve',
  'account.edit',
  'account.creator',
  'account.remove',
  'account.unsuspend',
  'post.create',
  'auto_posting.set',
  'case.dismiss',
  'case.warn',
  'case.hide',
  'case.remove',
  'case.suspend',
  'appeal.grant',
  'appeal.refuse',
  'ai_key.set',
  'ai_key.reveal',
  'ai_key.remove',
  'settings.change',
  'payout.paid',
  'payout.failed',
  'payout.reveal',
  'test_money.void',
] as const
export type AuditAction = (typeof auditActions)[number]

/** One action of an admin, or of the operator, whose id is all zeros. */
export const AuditEntry = z.object({
  id: z.number().int(),
  createdAt: Timestamp,
  action: z.string(),
  actorId: Id,
  /** Null for the operator, or if the account was deleted. */
  actor: UserCard.nullable(),
  targetId: Id.nullable(),
  target: UserCard.nullable(),
  subject: z.string().nullable(),
  change: z.record(z.string(), z.unknown()),
  /** The hash of this entry's data and the previous entry's hash, in hex. */
  hash: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** `actor` and `target` are user ids. `from` and `to` are days in UTC, inclusive. */
export const AuditQuery = PageQuery.omit({ cursor: true }).extend({
  offset: z.coerce.number().int().min(0).max(limits.page.adminMaxOffset).optional(),
  /** The `id` of the last entry on the previous page. */
  before: z.coerce.number().int().min(1).optional(),
  action: z.string().max(60).optional(),
  actor: Id.optional(),
  target: Id.optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
})
export type AuditQuery = z.infer<typeof AuditQuery>

/**
 * The state of the hash chain. `brokenAt` is the `id` of the first entry that was modified or whose preceding entry is
 * missing; null if the chain is intact.
 */
export const AuditStatus = z.object({
  entries: z.number().int(),
  lastHash: z.string().nullable(),
  brokenAt: z.number().int().nullable(),
})
export type AuditStatus = z.infer<typeof AuditStatus>

/** `before` is the `id` of the last entry on the previous page. */
export const AccountLogQuery = AuditQuery.pick({ limit: true, before: true })
export type AccountLogQuery = z.infer<typeof AccountLogQuery>

/** The parts of an audit entry's `change` that the affected user sees. */
export const AccountLogChange = z.object({
  /** The changed profile fields. */
  fields: z.array(z.string()).optional(),
  isCreator: z.boolean().optional(),
  /** Whether auto-posting was turned on, and how often it posts. */
  enabled: z.boolean().optional(),
  frequency: z.string().optional(),
  /** What a moderation decision is about: 'post', 'comment', 'message' or 'user'. */
  kind: z.string().optional(),
  reason: z.string().optional(),
  /** The answer to an appeal. */
  answer: z.string().optional(),
})
export type AccountLogChange = z.infer<typeof AccountLogChange>

/** An action of an admin on the caller's account, as the caller sees it. */
export const AccountLogEntry = z.object({
  id: z.number().int(),
  createdAt: Timestamp,
  action: z.string(),
  change: AccountLogChange,
  /** What happened, in one English sentence. */
  text: z.string(),
})
export type AccountLogEntry = z.infer<typeof AccountLogEntry>

import { z } from 'zod'
import { Id, PageQuery, Timestamp } from './common.ts'
import { UserCard } from './user.ts'

/** What admins do, as it stands in the log: the first part is what it was done to. */
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
] as const
export type AuditAction = (typeof auditActions)[number]

/** One deed of an admin. */
export const AuditEntry = z.object({
  id: z.number().int(),
  createdAt: Timestamp,
  action: z.string(),
  actorId: Id,
  /** Null for an account that is gone. */
  actor: UserCard.nullable(),
  targetId: Id.nullable(),
  target: UserCard.nullable(),
  subject: z.string().nullable(),
  change: z.record(z.string(), z.unknown()),
  /** Of this row, over all of it and the hash of the one before; in hex. */
  hash: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** `actor` and `target` are ids; days are in UTC, both included. */
export const AuditQuery = PageQuery.omit({ cursor: true }).extend({
  /** The `id` of the last row of the page before. */
  before: z.coerce.number().int().min(1).optional(),
  action: z.string().max(60).optional(),
  actor: Id.optional(),
  target: Id.optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
})
export type AuditQuery = z.infer<typeof AuditQuery>

/** The chain as it is now. `brokenAt`: the first row that is not as it was written, or before which one is missing. */
export const AuditStatus = z.object({
  entries: z.number().int(),
  lastHash: z.string().nullable(),
  brokenAt: z.number().int().nullable(),
})
export type AuditStatus = z.infer<typeof AuditStatus>

/** `before`: the `id` of the last row of the page before. */
export const AccountLogQuery = AuditQuery.pick({ limit: true, before: true })
export type AccountLogQuery = z.infer<typeof AccountLogQuery>

/** What admins did to the caller's account, as the caller reads it. */
export const AccountLogEntry = z.object({
  id: z.number().int(),
  createdAt: Timestamp,
  action: z.string(),
  /** What happened, in a sentence. */
  text: z.string(),
})
export type AccountLogEntry = z.infer<typeof AccountLogEntry>

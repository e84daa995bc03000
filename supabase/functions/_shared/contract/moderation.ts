import { z } from 'zod'
import { RemoveUserRequest, SuspendUserRequest } from './admin.ts'
import { Id, PageQuery, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { maxCharacters } from './text.ts'
import { UserCard } from './user.ts'

/** What can be reported. */
export const SubjectKind = z.enum(['post', 'comment', 'message', 'user'])
export type SubjectKind = z.infer<typeof SubjectKind>

/** The reasons for a report, with their labels. */
export const reportReasons = {
  spam: 'Spam or a scam',
  harassment: 'Harassment or bullying',
  hate: 'Hate',
  violence: 'Violence or threats',
  sexual: 'Unwanted sexual content',
  minor: 'May involve a minor',
  self_harm: 'Suicide or self-harm',
  illegal: 'Illegal content',
  impersonation: 'Impersonation',
  other: 'Something else',
} as const
export type ReportReason = keyof typeof reportReasons
const reasonNames = Object.keys(reportReasons) as [ReportReason, ...ReportReason[]]
export const ReportReason = z.enum(reasonNames, 'Please choose a reason.')

/** `id` is the id of the post, comment, message or user. */
export const ReportRequest = z.strictObject({
  kind: SubjectKind,
  id: Id,
  reason: ReportReason,
  note: z
    .string()
    .trim()
    .check(
      maxCharacters(limits.reportNote.max, `A note can have at most ${limits.reportNote.max} characters.`),
    )
    .nullish(),
})
export type ReportRequest = z.infer<typeof ReportRequest>

/** One of the caller's own reports. */
export const Report = z.object({
  id: Id,
  kind: SubjectKind,
  subjectId: Id,
  reason: ReportReason,
  note: z.string().nullable(),
  createdAt: Timestamp,
  /** Null until an admin decides. */
  outcome: z.enum(['acted', 'dismissed']).nullable(),
  decidedAt: Timestamp.nullable(),
})
export type Report = z.infer<typeof Report>

export const DecisionKind = z.enum(['dismiss', 'warn', 'hide', 'remove', 'suspend'])
export type DecisionKind = z.infer<typeof DecisionKind>

/** A decision about the caller or their content. */
export const Decision = z.object({
  id: Id,
  kind: SubjectKind,
  subjectId: Id,
  decision: DecisionKind.exclude(['dismiss']),
  reason: z.string(),
  /** An excerpt of the content; null if it has no text. */
  excerpt: z.string().nullable(),
  decidedAt: Timestamp,
  suspendedUntil: Timestamp.nullable(),
  appeal: z.string().nullable(),
  appealedAt: Timestamp.nullable(),
  /** 'overturned' means that the appeal was granted. */
  appealOutcome: z.enum(['upheld', 'overturned']).nullable(),
  appealAnswer: z.string().nullable(),
  /** The deadline for an appeal. Null if the caller can no longer appeal, or already has. */
  mayAppealUntil: Timestamp.nullable(),
})
export type Decision = z.infer<typeof Decision>

export const AppealRequest = z.strictObject({
  text: z
    .string('Please say why you disagree.')
    .trim()
    .min(1, 'Please say why you disagree.')
    .check(maxCharacters(limits.appeal.max, `An appeal can have at most ${limits.appeal.max} characters.`)),
})
export type AppealRequest = z.infer<typeof AppealRequest>

/**
 * The subject of a case as it was at the time of a report or of the decision. `at` is truncated to the hour. Fields
 * that do not apply are omitted.
 */
export const Snapshot = z.object({
  at: Timestamp,
  seen: z.object({
    content: z.string().optional(),
    teaser: z.string().optional(),
    mediaType: z.enum(['image', 'video', 'audio']).optional(),
    mediaId: Id.optional(),
    posterId: Id.optional(),
    altText: z.string().optional(),
    premiumPrice: z.number().optional(),
    madeBy: z.string().optional(),
    postId: Id.optional(),
    parentCommentId: Id.optional(),
    createdAt: Timestamp.optional(),
    editedAt: Timestamp.optional(),
    username: z.string().optional(),
    fullName: z.string().optional(),
    bio: z.string().optional(),
    profileImageUrl: z.string().optional(),
    backgroundImageUrl: z.string().optional(),
    website: z.string().optional(),
    product: z.record(z.string(), z.unknown()).optional(),
  }),
})
export type Snapshot = z.infer<typeof Snapshot>

export const CaseState = z.enum(['open', 'decided', 'appealed', 'closed'])
export type CaseState = z.infer<typeof CaseState>

/** A moderation case: one subject and all reports about it. For admins. */
export const AdminCase = z.object({
  id: Id,
  kind: SubjectKind,
  subjectId: Id,
  personId: Id,
  /** Null if the account was deleted. */
  person: UserCard.nullable(),
  state: CaseState,
  snapshots: z.array(Snapshot),
  /** Whether the content has been changed or deleted since the last snapshot. */
  since: z.enum(['same', 'changed', 'gone']),
  /** Hidden by this or another case, or because its post or parent comment is hidden. */
  hidden: z.boolean(),
  reports: z.number().int(),
  /** The number of reports by reason. */
  reasons: z.array(z.object({ reason: ReportReason, count: z.number().int() })),
  createdAt: Timestamp,
  /** The time of the last report, decision, appeal or answer to an appeal. `newest` and `oldest` sort by it. */
  movedAt: Timestamp,
  decision: DecisionKind.nullable(),
  reason: z.string().nullable(),
  decidedBy: UserCard.nullable(),
  decidedAt: Timestamp.nullable(),
  suspendedUntil: Timestamp.nullable(),
  appeal: z.string().nullable(),
  appealedAt: Timestamp.nullable(),
  /**
   * An appeal is pending that the caller may answer. Admins may not answer their own appeal, and may answer an appeal
   * against their own decision only if no other admin can.
   */
  mayAnswer: z.boolean(),
  appealOutcome: z.enum(['upheld', 'overturned']).nullable(),
  appealAnswer: z.string().nullable(),
  appealDecidedBy: UserCard.nullable(),
  /** The number of earlier decisions against this user that were not overturned. */
  priorDecisions: z.number().int(),
})
export type AdminCase = z.infer<typeof AdminCase>

/** A report with its reporter. For admins only. */
export const CaseReport = z.object({
  id: Id,
  reporter: UserCard.nullable(),
  reason: ReportReason,
  note: z.string().nullable(),
  createdAt: Timestamp,
})
export type CaseReport = z.infer<typeof CaseReport>
export const AdminCaseDetails = AdminCase.extend({ reportList: z.array(CaseReport) })
export type AdminCaseDetails = z.infer<typeof AdminCaseDetails>

/**
 * `newest` and `oldest` sort by the latest activity. `attention` lists only open cases and appeals: those with the most
 * reports first, then those that have waited longest. The waiting time of an appeal begins when it is sent.
 */
export const CaseSort = z.enum(['newest', 'oldest', 'attention'])
export type CaseSort = z.infer<typeof CaseSort>
/** A cursor is valid only with the `sort` of the request that returned it. */
export const AdminCasesQuery = PageQuery.extend({
  state: CaseState.optional(),
  kind: SubjectKind.optional(),
  personId: Id.optional(),
  sort: CaseSort.default('newest'),
})
export type AdminCasesQuery = z.infer<typeof AdminCasesQuery>

const reason = SuspendUserRequest.shape.reason

/** A decision against a user, who sees `reason`. */
const Sanction = z.discriminatedUnion('decision', [
  z.strictObject({ decision: z.literal('warn'), reason }),
  z.strictObject({ decision: z.literal('hide'), reason }),
  z.strictObject({
    decision: z.literal('remove'),
    reason,
    /** For users only: see `RemoveUserRequest`. */
    giveUpBalance: RemoveUserRequest.shape.giveUpBalance,
  }),
  z.strictObject({
    decision: z.literal('suspend'),
    reason,
    days: SuspendUserRequest.shape.days,
    /** Also hides the reported content. */
    hide: z.boolean().default(false),
  }),
])

/** The decision on a case. */
export const DecisionRequest = z.discriminatedUnion('decision', [
  z.strictObject({ decision: z.literal('dismiss'), reason: reason.nullish() }),
  ...Sanction.options,
])
export type DecisionRequest = z.input<typeof DecisionRequest>

/**
 * One decision for several cases. Each case succeeds or fails on its own; cases for which there was no time left can
 * be sent again.
 */
export const BulkDecisionRequest = z.strictObject({
  ids: z.array(Id).min(1, 'Please choose at least one case.').max(50, 'Please choose at most 50 cases.'),
  decision: DecisionRequest,
})
export type BulkDecisionRequest = z.input<typeof BulkDecisionRequest>
export const BulkDecisionResponse = z.object({
  decided: z.array(Id),
  failed: z.array(z.object({ id: Id, message: z.string() })),
})
export type BulkDecisionResponse = z.infer<typeof BulkDecisionResponse>

/**
 * A decision that needs no report. The exception is a message between two other users: there must be an open case about
 * it. `requestId` is generated by the client: a request that is sent twice makes one decision.
 */
export const ModerateRequest = z.strictObject({
  requestId: Id.optional(),
  kind: SubjectKind,
  id: Id,
  decision: Sanction,
})
export type ModerateRequest = z.input<typeof ModerateRequest>

export const AppealDecisionRequest = z.strictObject({
  outcome: z.enum(['upheld', 'overturned'], 'Please choose an outcome.'),
  answer: reason,
})
export type AppealDecisionRequest = z.infer<typeof AppealDecisionRequest>

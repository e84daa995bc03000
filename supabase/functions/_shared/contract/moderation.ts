import { z } from 'zod'
import { RemoveUserRequest, SuspendUserRequest } from './admin.ts'
import { Id, PageQuery, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { UserCard } from './user.ts'

/** What can be reported. */
export const SubjectKind = z.enum(['post', 'comment', 'message', 'user'])
export type SubjectKind = z.infer<typeof SubjectKind>

/** Why something is reported, as people read it. */
export const reportReasons = {
  spam: 'Spam or a scam',
  harassment: 'Harassment or bullying',
  hate: 'Hate',
  violence: 'Violence or threats',
  sexual: 'Sexual content that nobody asked for',
  minor: 'Somebody seems to be under 18',
  self_harm: 'Suicide or self-harm',
  illegal: 'Something illegal',
  impersonation: 'Pretends to be somebody else',
  other: 'Something else',
} as const
export type ReportReason = keyof typeof reportReasons
const reasonNames = Object.keys(reportReasons) as [ReportReason, ...ReportReason[]]
export const ReportReason = z.enum(reasonNames, 'Please choose a reason.')

/** `id` is the post's, comment's, message's or person's. */
export const ReportRequest = z.strictObject({
  kind: SubjectKind,
  id: Id,
  reason: ReportReason,
  note: z
    .string()
    .trim()
    .max(limits.reportNote.max, `A note can have at most ${limits.reportNote.max} characters.`)
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
  /** Null while nobody has looked at it. */
  outcome: z.enum(['acted', 'dismissed']).nullable(),
  decidedAt: Timestamp.nullable(),
})
export type Report = z.infer<typeof Report>

export const DecisionKind = z.enum(['dismiss', 'warn', 'hide', 'remove', 'suspend'])
export type DecisionKind = z.infer<typeof DecisionKind>

/** A decision about the caller, or something of theirs. */
export const Decision = z.object({
  id: Id,
  kind: SubjectKind,
  subjectId: Id,
  decision: DecisionKind.exclude(['dismiss']),
  reason: z.string(),
  /** Of what it was about, as it was; null where there is no text. */
  excerpt: z.string().nullable(),
  decidedAt: Timestamp,
  suspendedUntil: Timestamp.nullable(),
  appeal: z.string().nullable(),
  appealedAt: Timestamp.nullable(),
  /** 'overturned': granted. */
  appealOutcome: z.enum(['upheld', 'overturned']).nullable(),
  appealAnswer: z.string().nullable(),
  /** Until then, and if they have not; null when they may not any more. */
  mayAppealUntil: Timestamp.nullable(),
})
export type Decision = z.infer<typeof Decision>

export const AppealRequest = z.strictObject({
  text: z
    .string('Please say why you disagree.')
    .trim()
    .min(1, 'Please say why you disagree.')
    .max(limits.appeal.max, `An appeal can have at most ${limits.appeal.max} characters.`),
})
export type AppealRequest = z.infer<typeof AppealRequest>

/** How a reported thing looked. What does not apply is left out. */
export const Snapshot = z.object({
  at: Timestamp,
  seen: z.object({
    content: z.string().optional(),
    teaser: z.string().optional(),
    mediaType: z.enum(['image', 'video']).optional(),
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

/** A case, as admins see it: one thing, with everything that was reported about it. */
export const AdminCase = z.object({
  id: Id,
  kind: SubjectKind,
  subjectId: Id,
  personId: Id,
  /** Null for an account that is gone. */
  person: UserCard.nullable(),
  state: CaseState,
  snapshots: z.array(Snapshot),
  /** What became of the thing since it was last seen, hidden or not. */
  since: z.enum(['same', 'changed', 'gone']),
  /** It is hidden, by this case or another one, or stands under a post that is. */
  hidden: z.boolean(),
  reports: z.number().int(),
  /** How often each reason was given. */
  reasons: z.array(z.object({ reason: ReportReason, count: z.number().int() })),
  createdAt: Timestamp,
  movedAt: Timestamp,
  decision: DecisionKind.nullable(),
  reason: z.string().nullable(),
  decidedBy: UserCard.nullable(),
  decidedAt: Timestamp.nullable(),
  suspendedUntil: Timestamp.nullable(),
  appeal: z.string().nullable(),
  appealedAt: Timestamp.nullable(),
  /** An appeal waits that the viewer may answer: who decided may not, where there is another admin. */
  mayAnswer: z.boolean(),
  appealOutcome: z.enum(['upheld', 'overturned']).nullable(),
  appealAnswer: z.string().nullable(),
  appealDecidedBy: UserCard.nullable(),
  /** Decisions against this person before this case. */
  priorDecisions: z.number().int(),
})
export type AdminCase = z.infer<typeof AdminCase>

/** One report of a case, with who made it: for admins alone. */
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

export const AdminCasesQuery = PageQuery.extend({
  state: CaseState.optional(),
  kind: SubjectKind.optional(),
  personId: Id.optional(),
})
export type AdminCasesQuery = z.infer<typeof AdminCasesQuery>

const why = SuspendUserRequest.shape.reason

/** What is decided against somebody. `reason` is told to them. */
const Measure = z.discriminatedUnion('decision', [
  z.strictObject({ decision: z.literal('warn'), reason: why }),
  z.strictObject({ decision: z.literal('hide'), reason: why }),
  z.strictObject({
    decision: z.literal('remove'),
    reason: why,
    /** Of a person: see `RemoveUserRequest`. */
    giveUpBalance: RemoveUserRequest.shape.giveUpBalance,
  }),
  z.strictObject({
    decision: z.literal('suspend'),
    reason: why,
    days: SuspendUserRequest.shape.days,
    /** Hides the reported thing as well. */
    hide: z.boolean().default(false),
  }),
])

/** What is decided about a case. */
export const DecisionRequest = z.discriminatedUnion('decision', [
  z.strictObject({ decision: z.literal('dismiss'), reason: why.nullish() }),
  ...Measure.options,
])
export type DecisionRequest = z.input<typeof DecisionRequest>

/** One decision for several cases: each is decided, or not, by itself. What there was no time for can be sent again. */
export const BulkDecisionRequest = z.strictObject({
  ids: z.array(Id).min(1, 'Please choose at least one case.').max(50, 'Please choose at most 50 cases.'),
  decision: DecisionRequest,
})
export type BulkDecisionRequest = z.input<typeof BulkDecisionRequest>
export const BulkDecisionAnswer = z.object({
  decided: z.array(Id),
  failed: z.array(z.object({ id: Id, message: z.string() })),
})
export type BulkDecisionAnswer = z.infer<typeof BulkDecisionAnswer>

/**
 * A decision about something that nobody need have reported, but for messages between others: those one of the two has to report. `requestId` is made by the client: sent again with the same,
 * it is the same decision.
 */
export const ModerateRequest = z.strictObject({
  requestId: Id.optional(),
  kind: SubjectKind,
  id: Id,
  decision: Measure,
})
export type ModerateRequest = z.input<typeof ModerateRequest>

export const AppealDecisionRequest = z.strictObject({
  outcome: z.enum(['upheld', 'overturned'], 'Please choose an answer.'),
  answer: why,
})
export type AppealDecisionRequest = z.infer<typeof AppealDecisionRequest>

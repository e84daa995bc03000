import { limits } from '@contract/limits.ts'
import type { AdminCase, DecisionKind, SubjectKind } from '@contract/moderation.ts'

export const subjectKindNames: Record<SubjectKind, string> = {
  post: 'Post',
  comment: 'Comment',
  message: 'Message',
  user: 'Person',
}

/** Names the subject of a case within a sentence: 'post by Noor', or the user's name. */
export const subjectText = (kind: SubjectKind, name: string) =>
  kind === 'user' ? name : `${kind} by ${name}`

/** Names the kind of a subject within a sentence. */
export const subjectNoun = (kind: SubjectKind) => (kind === 'user' ? 'account' : kind)

/** Labels of the buttons. */
export const decisionNames: Record<DecisionKind, string> = {
  dismiss: 'Dismiss',
  warn: 'Warn',
  hide: 'Hide',
  remove: 'Remove',
  suspend: 'Suspend',
}

/** Labels of decisions that were made. */
export const decisionStateNames: Record<DecisionKind, string> = {
  dismiss: 'Dismissed',
  warn: 'Warned',
  hide: 'Hidden',
  remove: 'Removed',
  suspend: 'Suspended',
}

/** Labels of subjects that are no longer as in the last snapshot. */
export const changedSinceNames: Record<Exclude<AdminCase['since'], 'same'>, string> = {
  changed: 'Changed since',
  gone: 'Gone since',
}

export const deletedUserName = 'Deleted user'

export const pluralizeCases = (count: number) => (count === 1 ? '1 case' : `${count} cases`)

/** Returns the decisions that are available for subjects of these kinds. Users cannot be hidden. */
export const availableDecisions = (kinds: readonly SubjectKind[]): DecisionKind[] =>
  kinds.every((kind) => kind === 'user')
    ? ['dismiss', 'warn', 'suspend', 'remove']
    : ['dismiss', 'warn', 'hide', 'suspend', 'remove']

/** Describes the effect of a decision in a sentence. */
export function decisionEffect(decision: DecisionKind, kinds: readonly SubjectKind[]): string {
  const userCount = kinds.filter((kind) => kind === 'user').length
  const messagesOnly = kinds.every((kind) => kind === 'message')
  switch (decision) {
    case 'dismiss':
      return 'It may stay. Whoever reported it is told so; its author hears nothing.'
    case 'warn':
      return 'It stays, and its author is told why it should not have been there.'
    case 'hide':
      return messagesOnly
        ? 'Neither of the two sees it any more. Granted an appeal, it is shown again.'
        : 'Only its author still sees it. Granted an appeal, it is shown again.'
    case 'suspend':
      return 'They can read, report and appeal, and change nothing until it is over.'
    case 'remove':
      if (userCount === 0)
        return `Nobody sees it any more; after ${limits.appeal.days} days it is gone for good.`
      return userCount === kinds.length
        ? 'The account goes at once, with all that is in it, and its email address cannot register again. This cannot be taken back.'
        : 'Things are out of sight at once. Accounts among them go, with all that is in them: that cannot be taken back.'
  }
}

/**
 * Returns where the post or comment of a case is shown, or null if it is hidden or deleted. Messages have no link, as
 * only the two participants can read a conversation.
 */
export function subjectLink({ kind, subjectId, snapshots, since, hidden }: AdminCase): SubjectLink | null {
  if (hidden || since === 'gone') return null
  const postId = snapshots.at(-1)?.seen.postId
  if (kind === 'post') return { post: subjectId }
  if (kind === 'comment' && postId) return { post: postId, comment: subjectId }
  return null
}
type SubjectLink = { post: string; comment?: string }

/** Suspension lengths in the select field, in days. */
export const suspensionDayOptions = [1, 3, 7, 30, 90]
/** The option for a suspension without an end date. */
export const untilLiftedOption = 'lifted'

import { limits } from '@contract/limits.ts'
import type { AdminCase, DecisionKind, SubjectKind } from '@contract/moderation.ts'

/** What kinds of things are called. */
export const subjectKindNames: Record<SubjectKind, string> = {
  post: 'Post',
  comment: 'Comment',
  message: 'Message',
  user: 'Person',
}

/** What a case is about, within a sentence: 'post by Noor', or the person. */
export const subjectText = (kind: SubjectKind, name: string) =>
  kind === 'user' ? name : `${kind} by ${name}`

/** Within a sentence. */
export const subjectNoun = (kind: SubjectKind) => (kind === 'user' ? 'account' : kind)

/** What is done, as buttons say it. */
export const decisionNames: Record<DecisionKind, string> = {
  dismiss: 'Dismiss',
  warn: 'Warn',
  hide: 'Hide',
  remove: 'Remove',
  suspend: 'Suspend',
}

/** What was done. */
export const decisionStateNames: Record<DecisionKind, string> = {
  dismiss: 'Dismissed',
  warn: 'Warned',
  hide: 'Hidden',
  remove: 'Removed',
  suspend: 'Suspended',
}

/** What became of a thing that is no longer as it was seen. */
export const changedSinceNames: Record<Exclude<AdminCase['since'], 'same'>, string> = {
  changed: 'Changed since',
  gone: 'Gone since',
}

/** What somebody is called whose account may be gone. */
export const deletedUserName = 'Deleted user'

export const pluralizeCases = (count: number) => (count === 1 ? '1 case' : `${count} cases`)

/** What can be decided about things of these kinds: a person cannot be hidden. */
export const availableDecisions = (kinds: readonly SubjectKind[]): DecisionKind[] =>
  kinds.every((kind) => kind === 'user')
    ? ['dismiss', 'warn', 'suspend', 'remove']
    : ['dismiss', 'warn', 'hide', 'suspend', 'remove']

/** What a decision does, in a sentence. */
export function decisionEffect(decision: DecisionKind, kinds: readonly SubjectKind[]): string {
  const persons = kinds.filter((kind) => kind === 'user').length
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
      if (persons === 0)
        return `Nobody sees it any more; after ${limits.appeal.days} days it is gone for good.`
      return persons === kinds.length
        ? 'The account goes at once, with all that is in it, and its email address cannot register again. This cannot be taken back.'
        : 'Things are out of sight at once. Accounts among them go, with all that is in them: that cannot be taken back.'
  }
}

/**
 * Where the thing of a case can be looked at; null for what is hidden or gone, and for messages, which are for their two
 * people.
 */
export function subjectLink({ kind, subjectId, snapshots, person, since, hidden }: AdminCase): Place | null {
  if (hidden || since === 'gone') return null
  const postId = snapshots.at(-1)?.seen.postId
  if (kind === 'post') return { post: subjectId }
  if (kind === 'comment' && postId) return { post: postId, comment: subjectId }
  if (kind === 'user' && person) return { profile: person.handle }
  return null
}
type Place = { post: string; comment?: string } | { profile: string }

import { excerpt } from '@contract/excerpt.ts'
import { limits } from '@contract/limits.ts'
import type { AdminCase, DecisionKind, Snapshot, SubjectKind } from '@contract/moderation.ts'
import { Product } from '@contract/product.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'

export const subjectKindNames: Record<SubjectKind, MessageDescriptor> = {
  post: msg`Post`,
  comment: msg`Comment`,
  message: msg`Message`,
  user: msg`Profile`,
}

/** Names the subject of a case in a label: 'post by Noor', or the user's name. */
export function subjectText(kind: SubjectKind, name: string): string {
  switch (kind) {
    case 'post':
      return t`post by ${name}`
    case 'comment':
      return t`comment by ${name}`
    case 'message':
      return t`message by ${name}`
    case 'user':
      return name
  }
}

/** The maximum length of an excerpt in characters. */
const excerptLength = 200

/** Returns the beginning of reported content or, if it has no text, what it is, such as 'Photo'. */
export function subjectExcerpt(kind: SubjectKind, seen: Snapshot['seen']): string {
  const { name } = Product.partial().safeParse(seen.product).data ?? {}
  const texts = kind === 'user' ? [seen.bio] : [name, seen.teaser, seen.content]
  const text = excerpt(texts.filter(Boolean).join(' '), excerptLength)
  if (text) return text
  if (kind === 'user') return seen.fullName || seen.username || t`No bio`
  switch (seen.mediaType) {
    case 'image':
      return t`Photo`
    case 'video':
      return t`Video`
    case 'audio':
      return t`Voice message`
    default:
      return t`No text`
  }
}

const decisionNames: Record<DecisionKind, MessageDescriptor> = {
  dismiss: msg({ message: 'Dismiss', context: 'decision' }),
  warn: msg`Warn`,
  hide: msg`Hide`,
  remove: msg`Remove`,
  suspend: msg`Suspend`,
}

/** Returns the label of the button for a decision on subjects of these kinds. */
export function decisionName(decision: DecisionKind, kinds: readonly SubjectKind[]): string {
  if (decision === 'remove' && kinds.every((kind) => kind === 'user')) {
    return t({ message: 'Remove', context: 'account' })
  }
  return t(decisionNames[decision])
}

/** Labels of decisions that were made. */
export const decisionStateNames: Record<DecisionKind, MessageDescriptor> = {
  dismiss: msg`Dismissed`,
  warn: msg`Warned`,
  hide: msg`Hidden`,
  remove: msg`Removed`,
  suspend: msg`Suspended`,
}

/** Returns a label such as 'Hidden by Noor' for a decision. */
export function decidedByText(decision: DecisionKind, admin: string): string {
  switch (decision) {
    case 'dismiss':
      return t`Dismissed by ${admin}`
    case 'warn':
      return t`Warned by ${admin}`
    case 'hide':
      return t`Hidden by ${admin}`
    case 'remove':
      return t`Removed by ${admin}`
    case 'suspend':
      return t`Suspended by ${admin}`
  }
}

/** Labels of subjects that have changed since the last snapshot. */
export const changedSinceNames: Record<Exclude<AdminCase['since'], 'same'>, MessageDescriptor> = {
  changed: msg`Edited since`,
  gone: msg`Deleted since`,
}

/** Formats 2 as '2 cases'. */
export const caseCountText = (count: number): string =>
  t`${plural(count, { one: '# case', other: '# cases' })}`

/** Returns the decisions that are available for subjects of these kinds. Users cannot be hidden. */
export const availableDecisions = (kinds: readonly SubjectKind[]): DecisionKind[] =>
  kinds.every((kind) => kind === 'user')
    ? ['dismiss', 'warn', 'suspend', 'remove']
    : ['dismiss', 'warn', 'hide', 'suspend', 'remove']

/** Returns whether a decision is one of the two that are made most often, which have buttons of their own. */
export const isCommonDecision = (decision: DecisionKind, kind: SubjectKind): boolean =>
  decision === 'dismiss' || decision === (kind === 'user' ? 'warn' : 'hide')

/** Describes the effect of a decision in a sentence. */
export function decisionEffect(decision: DecisionKind, kinds: readonly SubjectKind[]): string {
  const userCount = kinds.filter((kind) => kind === 'user').length
  const messagesOnly = kinds.every((kind) => kind === 'message')
  switch (decision) {
    case 'dismiss':
      return t`No action. Reporters are told that it doesn't break the rules.`
    case 'warn':
      return t`Nothing is hidden. The user is told the reason.`
    case 'hide':
      return messagesOnly
        ? t`Hidden from both people. Restored if an appeal succeeds.`
        : t`Only the author can still see it. Restored if an appeal succeeds.`
    case 'suspend':
      return t`They can read, report and appeal, but can't change anything until the suspension ends.`
    case 'remove':
      if (userCount === 0) return contentRemovalEffect(limits.appeal.days)
      return userCount === kinds.length
        ? t`The account is deleted immediately, and its email address is banned. You can't undo this.`
        : t`Content is hidden and accounts are deleted immediately. You can't undo the deletion of accounts.`
  }
}

const contentRemovalEffect = (days: number) =>
  t`${plural(days, {
    one: 'Nobody can see it. Deleted after # day unless an appeal succeeds.',
    other: 'Nobody can see it. Deleted after # days unless an appeal succeeds.',
  })}`

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
/** Formats 3 as '3 days'. */
export const durationText = (days: number): string => t`${plural(days, { one: '# day', other: '# days' })}`
/** The option for a suspension without an end date. */
export const untilLiftedOption = 'lifted'

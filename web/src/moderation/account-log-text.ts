import type { AccountLogChange, AccountLogEntry, AuditAction } from '@contract/audit.ts'
import { t } from '@lingui/core/macro'
import { isolateBidi } from '@/lib/text'
import { profileFieldNames } from '@/profile/field-names'

/**
 * Describes an admin's action on the viewer's account in the app's language. Returns the server's text for an action
 * that this version of the app does not know.
 */
export function accountLogText({ action, change, text }: AccountLogEntry): string {
  const sentence = sentences[action as AuditAction]?.(change)
  if (!sentence) return text
  if (change.reason) return t`${sentence} Reason: ${isolateBidi(change.reason)}`
  if (change.answer) return t`${sentence} Answer: ${isolateBidi(change.answer)}`
  return sentence
}

/** The sentences for the actions that users can see. */
const sentences: Partial<Record<AuditAction, (change: AccountLogChange) => string>> = {
  'account.approve': () => t`Your account was approved.`,
  'account.edit': ({ fields }) => {
    if (!fields?.length) return t`Your profile was changed.`
    const names = profileFieldNames(fields)
    return t`Your profile was changed: ${names}.`
  },
  'account.creator': ({ isCreator }) =>
    isCreator ? t`You were made a creator.` : t`Your account is no longer a creator account.`,
  'account.unsuspend': () => t`Your suspension was lifted.`,
  'post.create': () => t`A post was published in your name.`,
  'auto_posting.set': autoPostingSentence,
  'case.warn': warnSentence,
  'case.hide': hideSentence,
  'case.remove': removeSentence,
  'case.suspend': () => t`Your account was suspended.`,
  'appeal.grant': () => t`Your appeal was granted.`,
  'appeal.refuse': () => t`Your appeal was turned down.`,
  'payout.paid': () => t`One of your payouts was marked as paid.`,
  'payout.failed': () => t`One of your payouts was marked as failed.`,
  'payout.reveal': () => t`The payment details of one of your payouts were viewed.`,
}

function autoPostingSentence({ enabled, frequency }: AccountLogChange): string {
  if (!enabled) return t`AI auto-posting was turned off for you.`
  switch (frequency) {
    case 'low':
      return t`AI auto-posting was turned on for you, 1–2 posts per day.`
    case 'moderate':
      return t`AI auto-posting was turned on for you, 2–3 posts per day.`
    case 'high':
      return t`AI auto-posting was turned on for you, 3–4 posts per day.`
    default:
      return t`AI auto-posting was turned on for you.`
  }
}

function warnSentence({ kind }: AccountLogChange): string {
  switch (kind) {
    case 'post':
      return t`You were warned about your post.`
    case 'comment':
      return t`You were warned about your comment.`
    case 'message':
      return t`You were warned about your message.`
    default:
      return t`You were warned about your profile.`
  }
}

/** Returns the sentence for content that was hidden. Profiles cannot be hidden. */
function hideSentence({ kind }: AccountLogChange): string {
  switch (kind) {
    case 'post':
      return t`Your post was hidden.`
    case 'comment':
      return t`Your comment was hidden.`
    default:
      return t`Your message was hidden.`
  }
}

/** Returns the sentence for content that was removed. A removed account has no log. */
function removeSentence({ kind }: AccountLogChange): string {
  switch (kind) {
    case 'post':
      return t`Your post was removed.`
    case 'comment':
      return t`Your comment was removed.`
    default:
      return t`Your message was removed.`
  }
}

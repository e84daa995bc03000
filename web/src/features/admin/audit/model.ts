import type { AuditAction, AuditEntry } from '@contract/audit.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { dollars, formatCount, numberFormat } from '@/lib/format'
import { isObject } from '@/lib/json'
import { humanizeName } from '@/lib/text'
import { fullTime } from '@/lib/time'
import { profileFieldNames } from '@/profile/field-names'
import { settingLabels, settingSwitchLabels } from '../settings/model'
import { frequencyNames } from '../users/model'

/** Labels of the actions in the filter. */
export const auditActionNames: Record<AuditAction, MessageDescriptor> = {
  'account.approve': msg`Approve a user`,
  'account.edit': msg`Edit a profile`,
  'account.creator': msg`Change creator status`,
  'account.remove': msg`Remove an account`,
  'account.unsuspend': msg`Lift a suspension`,
  'post.create': msg`Publish a post as a creator`,
  'auto_posting.set': msg`Turn auto-posting on or off`,
  'case.dismiss': msg`Dismiss a report`,
  'case.warn': msg`Warn a user`,
  'case.hide': msg`Hide content`,
  'case.remove': msg`Remove content or an account`,
  'case.suspend': msg`Suspend a user`,
  'appeal.grant': msg`Grant an appeal`,
  'appeal.refuse': msg`Turn down an appeal`,
  'ai_key.set': msg`Set the AI provider key`,
  'ai_key.reveal': msg`View the AI provider key`,
  'ai_key.remove': msg`Remove the AI provider key`,
  'settings.change': msg`Change a setting`,
  'payout.paid': msg`Mark a payout as paid`,
  'payout.failed': msg`Mark a payout as failed`,
  'payout.reveal': msg`View payout details`,
  'test_money.void': msg`Remove test money`,
}

type Change = AuditEntry['change']
/** Labeled values of a log entry: what the action changed, and details such as its reason. */
type Facts = [name: string, value: string][]

/** Returns the labeled values of a log entry. For an unknown action, returns all values with their names. */
export function auditFacts({ action, change }: AuditEntry): Facts {
  switch (action as AuditAction) {
    case 'account.edit':
      return facts([t`Changed`, formatFieldNames(change)])
    case 'account.remove':
      return facts(
        [t`Reason`, text(change, 'reason')],
        [t`Balance`, change.gaveUpBalance === true ? t`Forfeited` : undefined],
      )
    case 'auto_posting.set':
      return facts([t`Frequency`, formatFrequency(change)])
    case 'case.dismiss':
    case 'case.warn':
    case 'case.hide':
    case 'case.remove':
    case 'case.suspend':
      return facts([t`Reason`, text(change, 'reason')], [t`Until`, formatTime(text(change, 'until'))])
    case 'appeal.grant':
    case 'appeal.refuse':
      return facts([t`Answer`, text(change, 'answer')])
    case 'settings.change':
      return settingFacts(change)
    case 'payout.paid':
      return facts([t`Amount`, formatAmount(change)], [t`Reference`, text(change, 'said')])
    case 'test_money.void':
      return facts([t`Amount`, formatAmount(change)])
    case 'payout.failed':
      return facts([t`Amount`, formatAmount(change)], [t`Reason`, text(change, 'said')])
    case 'account.approve':
    case 'account.creator':
    case 'account.unsuspend':
    case 'post.create':
    case 'ai_key.set':
    case 'ai_key.reveal':
    case 'ai_key.remove':
    case 'payout.reveal':
      return []
    default:
      return Object.entries(change).map(([name, value]) => [humanizeName(name), formatValue(value)])
  }
}

/** Returns the facts that have a value. */
const facts = (...all: [string, string | undefined][]): Facts =>
  all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))

const text = (change: Change, name: string): string | undefined => {
  const value = change[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const formatTime = (time: string | undefined) => time && fullTime(time)

const formatAmount = ({ amount }: Change) => (typeof amount === 'number' ? dollars(amount) : undefined)

function formatFrequency(change: Change): string | undefined {
  const frequency = text(change, 'frequency')
  const name = (frequencyNames as Partial<Record<string, MessageDescriptor>>)[frequency ?? '']
  return name ? t(name) : frequency
}

const formatFieldNames = ({ fields }: Change): string | undefined =>
  Array.isArray(fields) ? profileFieldNames(fields.map(String)) : undefined

const settingNames: Partial<Record<string, MessageDescriptor>> = {
  require_approval: settingSwitchLabels.requireApproval,
  sign_in_after_registration: settingSwitchLabels.signInAfterRegistration,
  creator_pro_billing: settingSwitchLabels.creatorProBilling,
  auto_posting: msg`Auto-posting`,
  banned_words: settingLabels.bannedWords,
}

/** Returns the label of a setting of this instance. */
export function settingName(key: string): string {
  const name = settingNames[key]
  return name ? t(name) : humanizeName(key)
}

/**
 * Returns the old and new values of a setting. For an object, returns those of each changed property. For the banned
 * words, returns only how many there are now, because the log records nothing else about them.
 */
function settingFacts({ from, to, words }: Change): Facts {
  if (typeof words === 'number') return [[t(settingLabels.bannedWords), formatCount(words)]]
  if (!isObject(from) || !isObject(to))
    return [
      [t`Now`, formatValue(to)],
      [t`Before`, formatValue(from)],
    ]
  const labels: Partial<Record<string, MessageDescriptor>> = settingLabels
  return Object.keys(to)
    .filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]))
    .map((name) => {
      const label = labels[name]
      return [label ? t(label) : humanizeName(name), `${formatValue(from[name])} → ${formatValue(to[name])}`]
    })
}

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return t`None`
  if (typeof value === 'boolean') return value ? t`On` : t`Off`
  if (typeof value === 'number') return numberFormat({ maximumFractionDigits: 10 }).format(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

import type { AuditEntry } from '@contract/audit.ts'
import { dollars } from '@/lib/format'
import { fullTime } from '@/lib/time'

/** Labels of the actions in the filter. */
export const auditActionNames: Record<string, string> = {
  'account.approve': 'Approve an account',
  'account.edit': 'Edit a profile',
  'account.creator': 'Make or unmake a creator',
  'account.remove': 'Remove an account',
  'account.unsuspend': 'Lift a suspension',
  'post.create': 'Post for a creator',
  'auto_posting.set': 'Switch auto-posting',
  'case.dismiss': 'Dismiss a report',
  'case.warn': 'Warn',
  'case.hide': 'Hide',
  'case.remove': 'Remove what was reported',
  'case.suspend': 'Suspend',
  'appeal.grant': 'Grant an appeal',
  'appeal.refuse': 'Turn down an appeal',
  'ai_key.set': 'Set the AI key',
  'ai_key.reveal': 'Look at the AI key',
  'ai_key.remove': 'Remove the AI key',
  'settings.change': 'Change a setting',
  'payout.paid': 'Mark a payout as paid',
  'payout.failed': 'Mark a payout as failed',
  'payout.reveal': 'Look at payout details',
}

/** The sentence of a log entry, `before` and `after` the affected user's name, and the changed values as `facts`. */
interface ActionDescription {
  before: string
  after?: string
  facts: [name: string, value: string][]
}

type Change = AuditEntry['change']

const text = (change: Change, name: string): string | undefined => {
  const value = change[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Drops the facts without a value. */
const facts = (...all: [string, string | undefined][]): ActionDescription['facts'] =>
  all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))

/** Names the subject of a case as the object of a sentence. */
function caseSubject(change: Change): string {
  const kind = text(change, 'kind')
  if (kind === undefined || kind === 'user') return 'the profile'
  return `a ${kind}`
}

const reasonFacts = (change: Change) =>
  facts(
    ['Reason', text(change, 'reason')],
    ['Until', text(change, 'until') && fullTime(text(change, 'until') ?? '')],
  )

const actionDescriptions: Record<string, (change: Change, subject: string | null) => ActionDescription> = {
  'account.approve': () => ({ before: 'approved', facts: [] }),
  'account.edit': (change) => ({
    before: 'edited the profile of',
    facts: facts(['Changed', formatFieldNames(change)]),
  }),
  'account.creator': ({ isCreator }) =>
    isCreator
      ? { before: 'made', after: 'a creator', facts: [] }
      : { before: 'made', after: 'no longer a creator', facts: [] },
  'account.remove': (change) => ({
    before: 'removed the account of',
    facts: facts(
      ['Reason', text(change, 'reason')],
      ['Balance', change.gaveUpBalance === true ? 'given up' : undefined],
    ),
  }),
  'account.unsuspend': () => ({ before: 'lifted the suspension of', facts: [] }),
  'post.create': ({ premium }) => ({
    before: `published a ${premium ? 'premium ' : ''}post in the name of`,
    facts: [],
  }),
  'auto_posting.set': (change) => ({
    before: `switched auto-posting ${change.enabled ? 'on' : 'off'} for`,
    facts: facts(['Frequency', text(change, 'frequency')]),
  }),
  // The entry has no target, so the sentence names the subject.
  'case.dismiss': (change) => ({
    before: `dismissed a report about ${text(change, 'kind') === 'user' ? 'a person' : caseSubject(change)}`,
    facts: reasonFacts(change),
  }),
  'case.warn': (change) => ({
    before: 'warned',
    after: `about ${caseSubject(change)}`,
    facts: reasonFacts(change),
  }),
  'case.hide': (change) => ({ before: `hid ${caseSubject(change)} of`, facts: reasonFacts(change) }),
  'case.remove': (change) => ({
    before: text(change, 'kind') === 'user' ? 'removed the account of' : `removed ${caseSubject(change)} of`,
    facts: reasonFacts(change),
  }),
  'case.suspend': (change) => ({ before: 'suspended', facts: reasonFacts(change) }),
  'appeal.grant': (change) => ({
    before: 'granted the appeal of',
    facts: facts(['Answer', text(change, 'answer')]),
  }),
  'appeal.refuse': (change) => ({
    before: 'turned down the appeal of',
    facts: facts(['Answer', text(change, 'answer')]),
  }),
  'ai_key.set': () => ({ before: 'set the AI provider key', facts: [] }),
  'ai_key.reveal': () => ({ before: 'looked at the AI provider key', facts: [] }),
  'ai_key.remove': () => ({ before: 'removed the AI provider key', facts: [] }),
  'settings.change': (change, subject) => ({
    before: `changed the setting ${humanizeName(subject ?? '')}`,
    facts: settingFacts(change),
  }),
  'payout.paid': (change) => ({
    before: 'marked a payout of',
    after: 'as paid',
    facts: facts(['Amount', formatAmount(change)], ['Reference', text(change, 'said')]),
  }),
  'payout.failed': (change) => ({
    before: 'marked a payout of',
    after: 'as failed',
    facts: facts(['Amount', formatAmount(change)], ['Reason', text(change, 'said')]),
  }),
  'payout.reveal': () => ({ before: 'looked at the payout details of', facts: [] }),
}

/** Describes a log entry. An unknown action is shown by its name with all changed values. */
export function describeAction({ action, change, subject }: AuditEntry): ActionDescription {
  const describe = actionDescriptions[action]
  if (describe) return describe(change, subject)
  return {
    before: `did ${action}`,
    facts: Object.entries(change).map(([name, value]) => [humanizeName(name), formatValue(value)]),
  }
}

const formatAmount = ({ amount }: Change) => (typeof amount === 'number' ? dollars(amount) : undefined)

function formatFieldNames({ fields }: Change): string | undefined {
  return Array.isArray(fields) ? fields.map((field) => humanizeName(String(field))).join(', ') : undefined
}

/** Returns the old and new value of a setting; if it is an object, those of each changed property. */
function settingFacts({ from, to, words }: Change): ActionDescription['facts'] {
  if (typeof words === 'number') return [['Banned words', String(words)]]
  if (!isObject(from) || !isObject(to))
    return [
      ['Now', formatValue(to)],
      ['Before', formatValue(from)],
    ]
  return Object.keys(to)
    .filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]))
    .map((name) => [humanizeName(name), `${formatValue(from[name])} → ${formatValue(to[name])}`])
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Formats `allowDirectMessages` as 'allow direct messages' and `require_approval` as 'require approval'. */
function humanizeName(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim()
}

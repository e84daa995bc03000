import type { AuditEntry } from '@contract/audit.ts'
import { dollars, fullTime } from '@/lib/format'

/** What each action is called where one is chosen. */
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

/** A deed in words: `before`, whom it was done to, `after`; and what changed by it, each with its name. */
export interface ActionDescription {
  before: string
  after?: string
  facts: [name: string, value: string][]
}

type Change = AuditEntry['change']

const text = (change: Change, name: string): string | undefined => {
  const value = change[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Facts whose value is known. */
const facts = (...all: [string, string | undefined][]): ActionDescription['facts'] =>
  all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))

/** What a case is about, as the object of a sentence. */
function thing(change: Change): string {
  const kind = text(change, 'kind')
  if (kind === undefined || kind === 'user') return 'the profile'
  return `a ${kind}`
}

const reasoned = (change: Change) =>
  facts(
    ['Reason', text(change, 'reason')],
    ['Until', text(change, 'until') && fullTime(text(change, 'until') ?? '')],
  )

const deeds: Record<string, (change: Change, subject: string | null) => ActionDescription> = {
  'account.approve': () => ({ before: 'approved', facts: [] }),
  'account.edit': (change) => ({
    before: 'edited the profile of',
    facts: facts(['Changed', fieldsOf(change)]),
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
  // It was done to nobody, so that nobody stands behind it.
  'case.dismiss': (change) => ({
    before: `dismissed a report about ${text(change, 'kind') === 'user' ? 'a person' : thing(change)}`,
    facts: reasoned(change),
  }),
  'case.warn': (change) => ({ before: 'warned', after: `about ${thing(change)}`, facts: reasoned(change) }),
  'case.hide': (change) => ({ before: `hid ${thing(change)} of`, facts: reasoned(change) }),
  'case.remove': (change) => ({
    before: text(change, 'kind') === 'user' ? 'removed the account of' : `removed ${thing(change)} of`,
    facts: reasoned(change),
  }),
  'case.suspend': (change) => ({ before: 'suspended', facts: reasoned(change) }),
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
    before: `changed the setting ${inWords(subject ?? '')}`,
    facts: settingOf(change),
  }),
  'payout.paid': (change) => ({
    before: 'marked a payout of',
    after: 'as paid',
    facts: facts(['Amount', amountOf(change)], ['Reference', text(change, 'said')]),
  }),
  'payout.failed': (change) => ({
    before: 'marked a payout of',
    after: 'as failed',
    facts: facts(['Amount', amountOf(change)], ['Reason', text(change, 'said')]),
  }),
  'payout.reveal': () => ({ before: 'looked at the payout details of', facts: [] }),
}

/** What an admin did, as the log has it. Of an action that is not known here it tells the name and all that changed. */
export function describeAction({ action, change, subject }: AuditEntry): ActionDescription {
  const known = deeds[action]
  if (known) return known(change, subject)
  return {
    before: `did ${action}`,
    facts: Object.entries(change).map(([name, value]) => [inWords(name), shown(value)]),
  }
}

const amountOf = ({ amount }: Change) => (typeof amount === 'number' ? dollars(amount) : undefined)

function fieldsOf({ fields }: Change): string | undefined {
  return Array.isArray(fields) ? fields.map((field) => inWords(String(field))).join(', ') : undefined
}

/** What of a setting is another one now: each of its parts where it holds several. */
function settingOf({ from, to, words }: Change): ActionDescription['facts'] {
  if (typeof words === 'number') return [['Banned words', String(words)]]
  if (!isObject(from) || !isObject(to))
    return [
      ['Now', shown(to)],
      ['Before', shown(from)],
    ]
  return Object.keys(to)
    .filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]))
    .map((name) => [inWords(name), `${shown(from[name])} → ${shown(to[name])}`])
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** `allowDirectMessages` and `require_approval` as 'allow direct messages' and 'require approval'. */
function inWords(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim()
}

import type { Transaction } from '@contract/earnings.ts'
import { describe, expect, it } from 'vitest'
import { transactionDescription } from './model'

const ana = {
  id: '00000000-0000-4000-8000-000000000001',
  username: 'ana',
  handle: 'ana',
  displayName: 'Ana',
  fullName: 'Ana',
  firstName: null,
  lastName: null,
  profileImageUrl: null,
  isCreator: false,
  isAdmin: false,
}

const transaction: Transaction = {
  id: '00000000-0000-4000-8000-000000000002',
  type: 'tip',
  source: null,
  amount: 9,
  gross: 10,
  fee: 1,
  date: '2026-01-01T00:00:00Z',
  description: 'Description from the server',
  details: {},
  status: 'completed',
  clearsAt: '2026-01-08T00:00:00Z',
  isTest: false,
  person: ana,
}

/** Returns the description without the bidi isolation characters around names. */
const describeTransaction = (fields: Partial<Transaction>) =>
  transactionDescription({ ...transaction, ...fields }).replace(/[\u2068\u2069]/g, '')

const titled = { deleted: false, title: 'Listen to this' }
const untitled = { deleted: false, title: '' }
const deleted = { deleted: true, title: '' }

describe('transactionDescription', () => {
  it('names the buyer, unless a block hides them or their account was deleted', () => {
    expect(describeTransaction({ type: 'subscription' })).toBe('Subscription from Ana')
    expect(describeTransaction({ type: 'subscription', person: null })).toBe('Subscription from Someone')
    expect(describeTransaction({ type: 'subscription', details: { months: 3 } })).toBe(
      'Subscription from Ana for 3 months',
    )
    expect(describeTransaction({ person: null, details: { buyerDeleted: true } })).toBe(
      'Tip from Deleted user',
    )
  })

  it('names the post and the note of a sale', () => {
    expect(describeTransaction({})).toBe('Tip from Ana')
    expect(describeTransaction({ details: { post: titled, note: 'Bravo' } })).toBe(
      'Tip from Ana for “Listen to this”: “Bravo”',
    )
    expect(describeTransaction({ details: { post: untitled } })).toBe('Tip from Ana for a post')
    expect(describeTransaction({ details: { post: deleted } })).toBe('Tip from Ana for a deleted post')
    const unlockOf = (post: typeof titled) =>
      describeTransaction({ type: 'premium_content', details: { post } })
    expect([titled, untitled, deleted].map(unlockOf)).toEqual([
      'Unlocked “Listen to this”',
      'Unlocked a post',
      'Unlocked a deleted post',
    ])
    expect(describeTransaction({ type: 'premium_content', details: { photo: true } })).toBe(
      'Unlocked a photo in a message',
    )
  })

  it('says what was refunded', () => {
    const refundOf = (source: Transaction['source'], post?: typeof titled) =>
      describeTransaction({ type: 'refund', source, details: { post } })
    expect(refundOf('subscription')).toBe('Refund of a subscription from Ana')
    expect(describeTransaction({ type: 'refund', source: 'subscription', details: { months: 12 } })).toBe(
      'Refund of a subscription from Ana for 12 months',
    )
    expect(refundOf('tip')).toBe('Refund of a tip from Ana')
    expect(refundOf('tip', titled)).toBe('Refund of a tip from Ana for “Listen to this”')
    expect(refundOf('premium_content', titled)).toBe('Refund of the unlock of “Listen to this”')
    expect(refundOf('premium_content', deleted)).toBe('Refund of the unlock of a deleted post')
  })

  it('describes payouts and a forfeited balance', () => {
    const withoutBuyer = { person: null, gross: 0, fee: 0 }
    expect(
      describeTransaction({ ...withoutBuyer, type: 'payout', details: { payoutMethod: 'Bank •••• 6789' } }),
    ).toBe('Payout to Bank •••• 6789')
    expect(
      describeTransaction({ ...withoutBuyer, type: 'payout_failed', details: { failure: 'Closed' } }),
    ).toBe('Payout returned: Closed')
    expect(describeTransaction({ ...withoutBuyer, type: 'given_up' })).toBe('Balance forfeited')
  })

  it('uses the text of the server if the details are missing', () => {
    expect(describeTransaction({ details: undefined })).toBe('Description from the server')
    expect(describeTransaction({ type: 'payout' })).toBe('Description from the server')
  })
})

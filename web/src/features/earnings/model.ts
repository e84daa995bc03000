import type { PayoutMethod, Transaction, TransactionsCard, TransactionType } from '@contract/earnings.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, select, t } from '@lingui/core/macro'
import { earningSourceNames } from '@/billing/payments'
import { translateServerText } from '@/lib/errors'
import { dateFormat } from '@/lib/format'
import { displayName, isolateBidi } from '@/lib/text'

/** The display name of a single transaction of each type. */
export const transactionTypeNames: Record<TransactionType, MessageDescriptor> = {
  subscription: msg`Subscription`,
  tip: msg`Tip`,
  premium_content: msg`Premium content`,
  refund: msg`Refund`,
  payout: msg`Payout`,
  payout_failed: msg`Payout returned`,
  given_up: msg`Balance forfeited`,
  test_void: msg`Test money removed`,
}

/** The options of the type filter. */
export const transactionTypeFilters: Record<TransactionType, MessageDescriptor> = {
  ...earningSourceNames,
  refund: msg`Refunds`,
  payout: msg`Payouts`,
  payout_failed: msg`Payouts returned`,
  given_up: msg`Balance forfeited`,
  test_void: msg`Test money removed`,
}

export type OverviewCard = Exclude<TransactionsCard, 'earnings'>

/** The titles of the overview cards. */
export const amountCardNames: Record<OverviewCard, MessageDescriptor> = {
  available: msg`Available Balance`,
  pending: msg`Pending`,
  this_month: msg`This Month`,
  last_30_days: msg`Yearly Projection`,
}

export const payoutMethodTypes: Record<PayoutMethod['type'], MessageDescriptor> = {
  bank: msg`Bank account`,
  paypal: msg`PayPal`,
}

/** Returns the description of a transaction in the app's language, or the server's text if there are no details. */
export function transactionDescription(transaction: Transaction): string {
  return buildDescription(transaction) ?? translateServerText(transaction.description)
}

function buildDescription({ type, source, person, details }: Transaction): string | undefined {
  if (!details) return undefined
  const buyer = person
    ? isolateBidi(displayName(person))
    : details.buyerDeleted
      ? t`Deleted user`
      : t`Someone`
  const post = postState(details)
  const title = isolateBidi(details.post?.title ?? '')
  const { months } = details
  switch (type) {
    case 'subscription':
      return months
        ? plural(months, {
            one: `Subscription from ${buyer} for # month`,
            other: `Subscription from ${buyer} for # months`,
          })
        : t`Subscription from ${buyer}`
    case 'tip': {
      const tip = select(post, {
        titled: `Tip from ${buyer} for “${title}”`,
        untitled: `Tip from ${buyer} for a post`,
        deleted: `Tip from ${buyer} for a deleted post`,
        other: `Tip from ${buyer}`,
      })
      if (!details.note) return tip
      const note = isolateBidi(details.note)
      return t`${tip}: “${note}”`
    }
    case 'premium_content':
      return select(post, {
        photo: 'Unlocked a photo in a message',
        titled: `Unlocked “${title}”`,
        deleted: 'Unlocked a deleted post',
        other: 'Unlocked a post',
      })
    case 'refund':
      switch (source) {
        case 'subscription':
          return months
            ? plural(months, {
                one: `Refund of a subscription from ${buyer} for # month`,
                other: `Refund of a subscription from ${buyer} for # months`,
              })
            : t`Refund of a subscription from ${buyer}`
        case 'tip':
          return select(post, {
            titled: `Refund of a tip from ${buyer} for “${title}”`,
            untitled: `Refund of a tip from ${buyer} for a post`,
            deleted: `Refund of a tip from ${buyer} for a deleted post`,
            other: `Refund of a tip from ${buyer}`,
          })
        case 'premium_content':
          return select(post, {
            photo: 'Refund of the unlock of a photo in a message',
            titled: `Refund of the unlock of “${title}”`,
            deleted: 'Refund of the unlock of a deleted post',
            other: 'Refund of the unlock of a post',
          })
        default:
          return undefined
      }
    case 'payout': {
      if (!details.payoutMethod) return undefined
      const method = isolateBidi(details.payoutMethod)
      return t`Payout to ${method}`
    }
    case 'payout_failed': {
      if (!details.failure) return undefined
      const reason = isolateBidi(details.failure)
      return t`Payout returned: ${reason}`
    }
    case 'given_up':
      return t(transactionTypeNames.given_up)
  }
}

/** Returns the key of the description variant that fits the post, or `photo` for a photo in a message. */
function postState({ post, photo }: NonNullable<Transaction['details']>): string {
  if (photo) return 'photo'
  if (!post) return 'none'
  if (post.deleted) return 'deleted'
  return post.title ? 'titled' : 'untitled'
}

/** Returns a timestamp's day in UTC, such as 'Nov 21, 2026'. All days in Earnings are in UTC. */
export const formatUtcDay = (timestamp: string) =>
  dateFormat({ month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' }).format(new Date(timestamp))

/** Returns a timestamp in the viewer's time zone, such as 'Nov 21, 6:50 PM'. */
export const formatDateTime = (timestamp: string) =>
  dateFormat({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }).format(
    new Date(timestamp),
  )

/** Returns whether a sale has not cleared yet at the time `now`, in milliseconds since 1970. */
export const isSalePending = ({ status, clearsAt }: Transaction, now: number) =>
  status === 'pending' && Date.parse(clearsAt) > now

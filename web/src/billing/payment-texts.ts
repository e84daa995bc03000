import { isolateBidi } from '@/lib/bidi'
import { dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import type { PendingPurchase } from './checkout'

type Words = { title: string; text: string }

/** What is said when the payment has arrived. */
export function paymentSuccessText(bought: PendingPurchase): Words {
  switch (bought.kind) {
    case 'unlock':
      return {
        title: 'Content Unlocked!',
        text: 'Your payment has arrived: the post is open to you for good.',
      }
    case 'tip':
      return {
        title: 'Thank you!',
        text: `Your tip of ${dollars(bought.amount)} is with ${isolateBidi(bought.name)}.`,
      }
    case 'subscription':
      return {
        title: `You subscribe to ${isolateBidi(bought.name)} now`,
        text: 'Your payment has arrived: what is included for subscribers is open to you.',
      }
    case 'creator_pro':
      return { title: 'Welcome to Creator Pro', text: 'Your payment has arrived: you are a creator now.' }
  }
}

/** Where somebody finds later what nothing was heard of yet. */
export function paymentPendingText(bought: PendingPurchase | null): {
  text: string
  to?: string
  label?: string
} {
  switch (bought?.kind) {
    case 'unlock':
      return {
        text: 'Once it has, the post is open to you when you look again. There is no need to pay again.',
      }
    case 'tip':
      return {
        text: `${isolateBidi(bought.name)} is told once it has. There is no need to send it again.`,
      }
    case 'subscription':
    case 'creator_pro':
      return {
        text: 'Once it has, Billing says so. There is no need to pay again.',
        to: paths.settings.getHref('billing'),
        label: 'Open Billing',
      }
    default:
      return { text: 'Once it has, what you paid for shows here when you look again.' }
  }
}

import { isolated } from '@/lib/bidi'
import type { Bought } from '@/lib/checkout'
import { dollars } from '@/lib/format'
import { paths } from '@/paths'

type Words = { title: string; text: string }

/** What is said when the payment has arrived. */
export function thanksFor(bought: Bought): Words {
  switch (bought.kind) {
    case 'unlock':
      return {
        title: 'Content Unlocked!',
        text: 'Your payment has arrived: the post is open to you for good.',
      }
    case 'tip':
      return {
        title: 'Thank you!',
        text: `Your tip of ${dollars(bought.amount)} is with ${isolated(bought.name)}.`,
      }
    case 'subscription':
      return {
        title: `You subscribe to ${isolated(bought.name)} now`,
        text: 'Your payment has arrived: what is included for subscribers is open to you.',
      }
    case 'creator_pro':
      return { title: 'Welcome to Creator Pro', text: 'Your payment has arrived: you are a creator now.' }
  }
}

/** Where somebody finds later what nothing was heard of yet. */
export function whereToLook(bought: Bought | null): { text: string; to: string | null; label: string } {
  switch (bought?.kind) {
    case 'unlock':
      return {
        text: 'The post opens by itself once it does.',
        to: paths.post.getHref(bought.postId),
        label: 'The post',
      }
    case 'tip':
      return {
        text: `${isolated(bought.name)} is told once it does. There is no need to send it again.`,
        to: null,
        label: '',
      }
    case 'subscription':
    case 'creator_pro':
      return {
        text: 'Once it does, Billing says so.',
        to: paths.settings.getHref('billing'),
        label: 'Open Billing',
      }
    default:
      return { text: 'Once it does, what you paid for shows here.', to: null, label: '' }
  }
}

import { limits } from '@contract/limits.ts'
import type { Post } from '@contract/post.ts'

/** 12.5 as '$12.50'. */
export function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`
}

/** What a premium post costs, in US dollars. */
export function priceOf(post: Pick<Post, 'premiumPrice'>): number {
  return post.premiumPrice ?? limits.premiumPrice.default
}

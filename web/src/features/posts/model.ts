import { limits } from '@contract/limits.ts'
import type { Post } from '@contract/post.ts'

/** What a premium post costs, in US dollars. */
export function unlockPrice(post: Pick<Post, 'premiumPrice'>): number {
  return post.premiumPrice ?? limits.premiumPrice.default
}

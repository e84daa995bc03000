import type { Post } from '@contract/post.ts'
import { cardOf } from '@/lib/testCard'

/** For tests: a free post of words, by somebody called Ada; `fields` says what differs. */
export const postOf = (id: string, fields: Partial<Post> = {}): Post => ({
  id,
  userId: 'u',
  user: cardOf('u'),
  content: id,
  teaser: null,
  mediaType: null,
  imageUrl: null,
  videoUrl: null,
  posterUrl: null,
  altText: null,
  placeholder: null,
  mediaWidth: null,
  mediaHeight: null,
  isPremium: false,
  premiumPrice: null,
  includedInSubscription: false,
  likesCount: 3,
  commentsCount: 0,
  createdAt: '2026-01-01T00:00:00Z',
  editedAt: null,
  liked: false,
  saved: false,
  locked: false,
  paymentPending: false,
  product: null,
  mine: true,
  ...fields,
})

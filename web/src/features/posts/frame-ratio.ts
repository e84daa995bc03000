import type { Post } from '@contract/post.ts'

/** The tallest and the widest frame, as width by height: what lies beyond is shown whole within it. */
const tallest = 4 / 5
const widest = 1.91
/** For what was uploaded before its size was known. */
const guesses = { image: 4 / 3, video: 16 / 9 } as const

/** Width by height of the frame that is kept for a post's picture or video before it is there. */
export function frameRatio(post: Pick<Post, 'mediaType' | 'mediaWidth' | 'mediaHeight'>): number {
  const { mediaWidth, mediaHeight } = post
  if (!mediaWidth || !mediaHeight) return guesses[post.mediaType ?? 'image']
  return Math.min(widest, Math.max(tallest, mediaWidth / mediaHeight))
}

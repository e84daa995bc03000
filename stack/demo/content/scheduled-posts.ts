/** A post that is already scheduled when the demo starts. */
export interface ScheduledPostContent {
  author: string
  /** Days from today to the day of publication. */
  inDays: number
  /** The hour in UTC at which it is published. */
  hour: number
  content: string
  hasPicture?: true
  /** US dollars. A post with a price is premium. */
  price?: number
  teaser?: string
}

export const scheduledPosts: ScheduledPostContent[] = [
  {
    author: 'noormakes',
    inDays: 2,
    hour: 17,
    content:
      'The shop update is live: twelve mugs, four bowls and the tall vase from the last firing. First come, first served. #ceramics',
    hasPicture: true,
  },
  {
    author: 'noormakes',
    inDays: 5,
    hour: 9,
    price: 8,
    teaser: 'How I trim a foot ring that never wobbles, step by step. #pottery',
    content:
      'Wait until the clay is leather hard: it should feel cool and ring dully when you tap it.\n\nCentre the bowl upside down and hold it with three coils. Mark the foot with a needle, then cut the outside first. Take the inside down until the sound changes, and stop. A foot ring two fingers wide and half a finger high stands on any table.\n\nCompress the edge with a chamois. It will never chip.',
  },
]

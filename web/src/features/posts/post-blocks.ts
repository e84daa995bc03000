import type { Post } from '@contract/post.ts'

/** A few posts in a row, which are drawn together or not at all. */
export interface PostBlock {
  /** The same for as long as any of its posts is in the list. */
  key: string
  posts: Post[]
}

/** Which stretch each post belongs to, by post id; grows with the list. */
export type PostBlockKeys = Map<string, string>

/** Posts in a stretch: few enough to be drawn between two frames. */
const length = 5

/**
 * Cuts a list into stretches. Posts that were in it before stay where they were cut, whatever is added around them or
 * taken away: their stretch is found again with its height. `keys` is brought up to date.
 */
export function groupIntoBlocks(posts: Post[], keys: PostBlockKeys): PostBlock[] {
  const made: PostBlock[] = []
  const used = new Set<string>()
  let current: PostBlock | undefined
  let room = 0
  const begin = (key: string, post: Post) => {
    current = { key, posts: [post] }
    made.push(current)
    used.add(key)
  }
  for (const post of posts) {
    const known = keys.get(post.id)
    if (current && known === current.key) {
      current.posts.push(post)
    } else if (known !== undefined && !used.has(known)) {
      begin(known, post)
      room = 0
    } else if (current && room > 0) {
      keys.set(post.id, current.key)
      current.posts.push(post)
      room--
    } else {
      // The number tells it from a stretch that began with the same post when the list had another order.
      const key = `${post.id}/${keys.size}`
      keys.set(post.id, key)
      begin(key, post)
      room = length - 1
    }
  }
  return made
}

/** Whether two stretches show the very same. */
export function isSameBlock(one: PostBlock, other: PostBlock): boolean {
  return (
    one.key === other.key &&
    one.posts.length === other.posts.length &&
    one.posts.every((post, at) => post === other.posts[at])
  )
}

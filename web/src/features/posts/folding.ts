import { limits } from '@contract/limits.ts'
import type { Post } from '@contract/post.ts'

/** Posts that are hidden behind a button, so that one author does not fill the feed. */
export interface Fold {
  posts: Post[]
  /** The id of the first hidden post. It identifies the fold when the user opens it. */
  firstId: string
}

/**
 * Folds runs of posts by the same author. `shown` contains the first `limits.postsInARow` posts of each run, or all of
 * them if `unfolded` contains the id of a post in the run. `folds` contains the hidden posts, keyed by the id of the
 * post that they follow.
 */
export function foldRuns(
  posts: Post[],
  unfolded: ReadonlySet<string>,
): { shown: Post[]; folds: Map<string, Fold> } {
  const shown: Post[] = []
  const folds = new Map<string, Fold>()
  for (let start = 0, end = 0; start < posts.length; start = end) {
    while (end < posts.length && posts[end]?.userId === posts[start]?.userId) end++
    const run = posts.slice(start, end)
    const isUnfolded = run.some(({ id }) => unfolded.has(id))
    shown.push(...(isUnfolded ? run : run.slice(0, limits.postsInARow)))
    const hidden = isUnfolded ? [] : run.slice(limits.postsInARow)
    const [last, first] = [shown.at(-1), hidden[0]]
    if (last && first) folds.set(last.id, { posts: hidden, firstId: first.id })
  }
  return { shown, folds }
}

/** Returns whether two folds look the same. */
export function isSameFold(a: Fold | undefined, b: Fold | undefined): boolean {
  return a?.firstId === b?.firstId && a?.posts.length === b?.posts.length
}

/** Returns whether the last run of posts is long enough to be folded. */
export function endsInFoldedRun(posts: Post[]): boolean {
  return lastRunLength(posts) > limits.postsInARow
}

/** Returns how many posts at the end are by the same author. */
export function lastRunLength(posts: Post[]): number {
  const other = posts.findLastIndex(({ userId }) => userId !== posts.at(-1)?.userId)
  return posts.length - 1 - other
}

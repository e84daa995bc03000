import { expect, test } from 'vitest'
import { foldRuns, lastRunLength } from './folding'
import { postFixture } from './post-fixture'

/** Returns one post for each letter, by the author with that name: for 'aab', the posts a1 and a2 by a, and b3 by b. */
const posts = (letters: string) =>
  [...letters].map((userId, index) => postFixture(`${userId}${index + 1}`, { userId }))

/** Returns the shown ids, and the folded ids in parentheses. */
function fold(letters: string, ...unfolded: string[]): string {
  const { shown, folds } = foldRuns(posts(letters), new Set(unfolded))
  return shown
    .map(({ id }) => {
      const folded = folds.get(id)
      return folded ? `${id} (${folded.posts.map((post) => post.id).join(' ')})` : id
    })
    .join(' ')
}

test.each([
  ['', ''],
  ['aaabbb', 'a1 a2 a3 b4 b5 b6'],
  ['aaaa', 'a1 a2 a3 (a4)'],
  ['baaaaaab', 'b1 a2 a3 a4 (a5 a6 a7) b8'],
  ['aaabaaaa', 'a1 a2 a3 b4 a5 a6 a7 (a8)'],
  ['abababab', 'a1 b2 a3 b4 a5 b6 a7 b8'],
])('folds the posts %o into %o', (letters, expected) => {
  expect(fold(letters)).toBe(expected)
})

test('returns every post once and in order, either shown or folded', () => {
  const all = posts('aaaaabccccccddab')
  const { shown, folds } = foldRuns(all, new Set())
  expect(shown.flatMap((post) => [post, ...(folds.get(post.id)?.posts ?? [])])).toEqual(all)
})

test('shows all posts of an unfolded run, including those that later pages add to it', () => {
  expect(fold('baaaab', 'a5')).toBe('b1 a2 a3 a4 a5 b6')
  expect(fold('baaaaaabbbb', 'a5')).toBe('b1 a2 a3 a4 a5 a6 a7 b8 b9 b10 (b11)')
})

test('returns the length of the last run', () => {
  expect(['', 'a', 'baa', 'aaa'].map((letters) => lastRunLength(posts(letters)))).toEqual([0, 1, 2, 3])
})

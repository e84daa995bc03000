/**
 * Reduces text to its letters and digits, lowercase and without accents or invisible characters, with single spaces.
 */
export const normalizeText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const characterTrigrams = (text: string) => {
  const characters = [...` ${text} `]
  return new Set(characters.slice(2).map((_, index) => characters.slice(index, index + 3).join('')))
}

const wordTrigrams = (text: string) => {
  const words = text.split(' ')
  return new Set(words.slice(2).map((_, index) => words.slice(index, index + 3).join(' ')))
}

function countShared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0
  for (const element of a) if (b.has(element)) count++
  return count
}

/**
 * Returns how similar two strings are, from 0 to 1. The result is the larger of two measures: the Jaccard index of
 * their character trigrams, which finds reordered and slightly changed text in any script, and the proportion of the
 * shorter string's word trigrams that occur in the other string, which finds copied passages.
 */
export function similarity(first: string, second: string): number {
  const [a, b] = [normalizeText(first), normalizeText(second)]
  if (a === '' || b === '') return a === b && first.trim() === second.trim() ? 1 : 0
  if (a === b) return 1
  const [charactersA, charactersB] = [characterTrigrams(a), characterTrigrams(b)]
  const sharedCharacters = countShared(charactersA, charactersB)
  const [wordsA, wordsB] = [wordTrigrams(a), wordTrigrams(b)]
  const shorter = Math.min(wordsA.size, wordsB.size)
  return Math.max(
    sharedCharacters / (charactersA.size + charactersB.size - sharedCharacters),
    // Shared word trigrams are not significant in very short strings.
    shorter >= 5 ? countShared(wordsA, wordsB) / shorter : 0,
  )
}

/** A post with at least this similarity counts as a repetition. Unrelated posts by one user stay below 0.35. */
const repeatThreshold = 0.5

/** Returns whether the text repeats one of the others. */
export const isRepeat = (text: string, others: readonly string[]): boolean =>
  others.some((other) => similarity(text, other) >= repeatThreshold)

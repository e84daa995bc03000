/** A text by its letters and digits alone: no marks, no case, no invisible signs, single spaces. */
export const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const trigrams = (text: string) => {
  const signs = [...` ${text} `]
  return new Set(signs.slice(2).map((_, at) => signs.slice(at, at + 3).join('')))
}

/** Words that follow each other, three at a time. */
const shingles = (text: string) => {
  const words = text.split(' ')
  return new Set(words.slice(2).map((_, at) => words.slice(at, at + 3).join(' ')))
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0
  for (const one of a) if (b.has(one)) both++
  return both
}

/**
 * How much two texts are the same, from 0 to 1: by their letters in threes of all they have (Jaccard), which finds what
 * was turned around or changed a little in any script; and by their words in threes of the shorter one, which finds a
 * part that was taken over.
 */
export function likeness(one: string, other: string): number {
  const [a, b] = [plain(one), plain(other)]
  if (a === '' || b === '') return a === b && one.trim() === other.trim() ? 1 : 0
  if (a === b) return 1
  const [x, y] = [trigrams(a), trigrams(b)]
  const letters = shared(x, y)
  const [v, w] = [shingles(a), shingles(b)]
  const fewest = Math.min(v.size, w.size)
  return Math.max(
    letters / (x.size + y.size - letters),
    // Of a handful of words three are soon the same.
    fewest >= 5 ? shared(v, w) / fewest : 0,
  )
}

/** From here on a text repeats another one. Different posts of one person stay below 0.35. */
const same = 0.5

/** Whether a text says again what one of `others` said. */
export const repeats = (text: string, others: readonly string[]): boolean =>
  others.some((other) => likeness(text, other) >= same)

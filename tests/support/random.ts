/** Returns a generator of numbers from 0 (inclusive) to 1 (exclusive) with a fixed sequence per seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A source of pseudo-random choices. The same seed always gives the same sequence. */
export interface Random {
  /** Returns a whole number from 0 to `count - 1`. */
  below(count: number): number
  /** Returns true with this probability. */
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  uuid(): string
}

/**
 * Creates a source of pseudo-random choices from a seed.
 *
 * @param part a number, such as a case number, that selects one of the seed's independent sequences
 */
export function createRandom(seed: number, part = 0): Random {
  const random = seededRandom(seed ^ Math.imul(part + 1, 0x9e3779b1))
  const below = (count: number) => Math.floor(random() * count)
  return {
    below,
    chance: (probability) => random() < probability,
    pick: <T>(list: readonly T[]): T => {
      if (list.length === 0) throw new Error('There is nothing to pick.')
      return list[below(list.length)] as T
    },
    uuid: () =>
      'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () => '0123456789abcdef'.charAt(below(16))),
  }
}

/** Unusual values. Most fields must reject most of them. */
export const unusualValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  2 ** 53,
  [],
  ['text'],
  {},
  { $ne: null },
  { toString: 'x' },
  '',
  '   ',
  '\0',
  'half \ud800 of a sign',
  'a\u0007bell',
  '\u202eright to left',
  'x'.repeat(5000),
  '👩‍👩‍👧‍👦'.repeat(400),
  "'; drop table public.profiles; --",
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  'NaN',
  '1e400',
]

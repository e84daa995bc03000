import { createHash } from 'node:crypto'

/** A repeatable sequence of random numbers. The same seed gives the same sequence on every machine. */
export interface Random {
  /** Returns a number from 0 up to, but not including, 1. */
  next(): number
  between(min: number, max: number): number
  /** Returns true with this probability. */
  chance(probability: number): boolean
}

/** Creates a mulberry32 generator. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    between: (min, max) => min + next() * (max - min),
    chance: (probability) => next() < probability,
  }
}

/** Returns a seed for `createRandom` that depends only on `name`. */
export function seedOf(name: string): number {
  return createHash('sha1').update(name).digest().readUInt32BE(0)
}

import { createHash } from 'node:crypto'

/** A repeatable stream of numbers: the same seed gives the same demo on every machine. */
export interface Random {
  /** From 0 up to 1. */
  next(): number
  between(least: number, most: number): number
  /** True in `share` of the cases. */
  chance(share: number): boolean
}

/** mulberry32: small, quick, and good enough for likes. */
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
    between: (least, most) => least + next() * (most - least),
    chance: (share) => next() < share,
  }
}

/** The fixed id of a thing of the demo: a UUID (version 5 in form) made from its kind and name. */
export function idOf(kind: string, name: string): string {
  const bytes = createHash('sha1').update(`ovation demo ${kind} ${name}`).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** A number to seed `createRandom` with, from a name. */
export function seedOf(name: string): number {
  return createHash('sha1').update(name).digest().readUInt32BE(0)
}

import { createHash, timingSafeEqual } from 'node:crypto'

/** Returns whether two strings are equal. The duration reveals nothing about either of them. */
export const equalsInConstantTime = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))

const digest = (text: string) => createHash('sha256').update(text).digest()

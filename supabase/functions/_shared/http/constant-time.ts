import { createHash, timingSafeEqual } from 'node:crypto'

/** Returns whether two strings are equal. How long this takes does not reveal where they differ. */
export const equalsInConstantTime = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))

const digest = (text: string) => createHash('sha256').update(text).digest()

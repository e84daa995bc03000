import { createHash, timingSafeEqual } from 'node:crypto'

/** Returns whether two strings are equal. The time that this takes reveals nothing about either string. */
export const equalsInConstantTime = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))

const digest = (text: string) => createHash('sha256').update(text).digest()

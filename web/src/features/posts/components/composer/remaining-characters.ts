import { limits } from '@contract/limits.ts'

/** Characters that still fit into a post; below zero when there are too many. Space around it does not count. */
export function remainingCharacters(text: string): number {
  return limits.postContent.max - text.trim().length
}

import type { ChatMessage } from '@contract/message.ts'
import { applyChanges, newerVersion } from './thread'

/**
 * What the page has heard of changes in one conversation. Their numbers (`version`) count without a gap, so a missing
 * one is a change that was missed.
 */
export interface ChangeLog {
  /** Every change up to this one has been heard. */
  upTo: number
  /** Those after it that were heard early, ascending. */
  early: readonly number[]
  /**
   * What changed messages are now, by id, also of messages that are not held: a page or an event that was on its way
   * when they changed must not bring back what they were.
   */
  latest: ReadonlyMap<string, ChatMessage>
}

/** Changes remembered at most: they only have to outlast what is on its way. */
const remembered = 500

/** Where a page begins that read messages which had changed up to `version`. */
export function createChangeLog(version: number): ChangeLog {
  return { upTo: version, early: [], latest: new Map() }
}

/** The highest version among messages. */
export function highestVersion(messages: Iterable<ChatMessage>): number {
  let highest = 0
  for (const { version } of messages) highest = Math.max(highest, version)
  return highest
}

/**
 * A change was told. `missed` says that one before it has not been heard, which was not known yet: ask for the
 * changes after `upTo`.
 */
export function recordChange(
  changes: ChangeLog,
  message: ChatMessage,
): { changes: ChangeLog; missed: boolean } {
  const { upTo, early } = changes
  const latest = remember(changes.latest, [message])
  const version = message.version
  if (version <= upTo || early.includes(version)) return { changes: { ...changes, latest }, missed: false }
  const heard = [...early, version].sort((a, b) => a - b)
  const missed = version > upTo + 1 && version > (early.at(-1) ?? upTo) + 1
  return { changes: { ...closed(upTo, heard), latest }, missed }
}

/** The server told all changes up to `upTo`: `messages` as they are now. */
export function completeChanges(changes: ChangeLog, messages: ChatMessage[], upTo: number): ChangeLog {
  return {
    ...closed(Math.max(changes.upTo, upTo), changes.early),
    latest: remember(changes.latest, messages),
  }
}

/** Messages as they are now, with what they quote, as far as the page has heard. */
export function withLoggedChanges(changes: ChangeLog | undefined, messages: ChatMessage[]): ChatMessage[] {
  return changes ? applyChanges(messages, changes.latest.values()) : messages
}

/** Moves `upTo` over what was heard early and follows it without a gap. */
function closed(upTo: number, heard: readonly number[]): Pick<ChangeLog, 'upTo' | 'early'> {
  let reached = upTo
  const early: number[] = []
  for (const version of heard) {
    if (version === reached + 1) reached = version
    else if (version > reached) early.push(version)
  }
  return { upTo: reached, early }
}

function remember(latest: ChangeLog['latest'], messages: ChatMessage[]): ChangeLog['latest'] {
  const next = new Map(latest)
  for (const message of messages) {
    const before = next.get(message.id)
    const after = before ? newerVersion(before, message) : message
    // The latest told stand last.
    next.delete(message.id)
    next.set(message.id, after)
  }
  for (const id of next.keys()) {
    if (next.size <= remembered) break
    next.delete(id)
  }
  return next
}

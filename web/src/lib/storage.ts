/**
 * What a person leaves unfinished in this browser (drafts; for unsent messages see `unsent.ts`), under keys that carry their id,
 * so that the next person at the same browser never meets it. Storage may be full, or refused by the browser:
 * then nothing is kept and nothing breaks.
 */
export interface UserStorage {
  get(name: string): string | null
  set(name: string, value: string): void
  remove(name: string): void
  /** Names that start with `start`. */
  names(start: string): string[]
  /** The full key, to recognise it in a `storage` event of another tab. */
  key(name: string): string
}

const prefix = 'ovation:'

export function userStorage(userId: string): UserStorage {
  const key = (name: string) => `${prefix}${userId}:${name}`
  return {
    key,
    get: (name) => attempt(() => localStorage.getItem(key(name))) ?? null,
    set: (name, value) => attempt(() => localStorage.setItem(key(name), value)),
    remove: (name) => attempt(() => localStorage.removeItem(key(name))),
    names: (start) => allKeys(key(start)).map((found) => found.slice(key('').length)),
  }
}

/** What the browser did not take, under full keys. */
const inPage = new Map<string, string>()

/**
 * As `userStorage`; what the browser does not take stays as long as the page does. For ids under which money moves once:
 * an id that is lost would move it twice.
 */
export function durableStorage(userId: string): UserStorage {
  const kept = userStorage(userId)
  return {
    ...kept,
    get: (name) => inPage.get(kept.key(name)) ?? kept.get(name),
    set: (name, value) => {
      kept.set(name, value)
      if (kept.get(name) === value) inPage.delete(kept.key(name))
      else inPage.set(kept.key(name), value)
    },
    remove: (name) => {
      inPage.delete(kept.key(name))
      kept.remove(name)
    },
  }
}

/** Forgets everything that a person left here; part of signing out. */
export function clearUserStorage(userId: string): void {
  const start = `${prefix}${userId}:`
  for (const found of allKeys(start)) attempt(() => localStorage.removeItem(found))
  for (const found of inPage.keys()) if (found.startsWith(start)) inPage.delete(found)
}

function allKeys(start: string): string[] {
  return attempt(() => Object.keys(localStorage).filter((found) => found.startsWith(start))) ?? []
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

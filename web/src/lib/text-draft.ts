import { createDraftStore, useStoredDraft } from './drafts'

const drafts = createDraftStore<string | null>({
  empty: () => null,
  parse: (stored) => {
    try {
      const text: unknown = JSON.parse(stored ?? 'null')
      return typeof text === 'string' ? text : undefined
    } catch {
      return undefined
    }
  },
  isEmpty: (text) => text === null,
})

/**
 * Words that somebody is writing, kept in the browser under `name` until `write(null)` ends it, the same in all tabs;
 * null while there are none. Of each name there is one draft, whoever asks for it.
 */
export function useTextDraft(userId: string, name: `draft:${string}`) {
  const text = useStoredDraft(drafts, userId, name)
  return { text, write: (next: string | null) => drafts.keep(userId, name, next) }
}

/** Ends a draft that was sent, here or elsewhere. */
export function clearTextDraft(userId: string, name: `draft:${string}`): void {
  if (drafts.current(userId, name) !== null) drafts.keep(userId, name, null)
}

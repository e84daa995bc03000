import { createDrafts, useDraftOf } from '@/lib/drafts'

/** The words of a draft as its creator is changing them; null while they are as they were written. */
const drafts = createDrafts<string | null>({
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

const nameOf = (draftId: string) => `draft:auto-post:${draftId}`

/** What somebody makes of a draft, kept in the browser until it is published or discarded, the same in all tabs. */
export function useChanged(userId: string, draftId: string) {
  const text = useDraftOf(drafts, userId, nameOf(draftId))
  return { text, write: (next: string | null) => drafts.keep(userId, nameOf(draftId), next) }
}

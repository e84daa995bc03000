import { useCallback } from 'react'
import { z } from 'zod'
import { createDraftStore, useStoredDraft } from '@/lib/drafts'
import { uuidv7 } from '@/lib/uuid'

/** `id` is the comment's own. It stays while the text does, over a reload too, so that a repeated press stores once. */
const Draft = z.object({ id: z.string(), text: z.string() })
type Draft = z.infer<typeof Draft>

const nameOf = (target: string) => `draft:comment:${target}`

const drafts = createDraftStore<Draft>({
  empty: () => ({ id: uuidv7(), text: '' }),
  parse: (stored) => {
    if (stored === null) return
    try {
      return Draft.parse(JSON.parse(stored))
    } catch {
      return
    }
  },
  isEmpty: ({ text }) => text === '',
})

/** Another text is another comment: one that may have been stored under the old id must not stand for it. */
function write(userId: string, target: string, text: string): void {
  drafts.keep(userId, nameOf(target), { id: uuidv7(), text })
}

/** Empties the draft once it was stored as `id`, unless something else has been written since. */
export function clearCommentDraft(userId: string, target: string, id: string): void {
  if (drafts.current(userId, nameOf(target)).id === id) write(userId, target, '')
}

/**
 * What a person is writing about `target`, a post's or a comment's id, kept in the browser until it is stored, the
 * same in all tabs.
 */
export function useCommentDraft(
  userId: string,
  target: string,
): { draft: Draft; write: (text: string) => void } {
  const draft = useStoredDraft(drafts, userId, nameOf(target))
  return { draft, write: useCallback((text: string) => write(userId, target, text), [userId, target]) }
}

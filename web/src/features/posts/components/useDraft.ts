import { useCallback, useState } from 'react'
import { z } from 'zod'
import { userStorage } from '@/lib/userStorage'
import { uuidv7 } from '@/lib/uuidv7'

/** `id` is the post's own. It stays while the text does, over a reload too, so that a repeated press stores once. */
const Draft = z.object({ id: z.string(), text: z.string() })
type Draft = z.infer<typeof Draft>

const name = 'draft:post'

function stored(userId: string): Draft {
  try {
    return Draft.parse(JSON.parse(userStorage(userId).get(name) ?? ''))
  } catch {
    return { id: uuidv7(), text: '' }
  }
}

/** What a person is writing, kept in the browser until it is posted. */
export function useDraft(userId: string) {
  const [draft, setDraft] = useState(() => stored(userId))
  const keep = useCallback(
    (next: Draft) => {
      setDraft(next)
      if (next.text) userStorage(userId).set(name, JSON.stringify(next))
      else userStorage(userId).remove(name)
    },
    [userId],
  )
  return {
    draft,
    /** Another text is another post: one that may have been stored under the old id must not stand for it. */
    write: useCallback((text: string) => keep({ id: uuidv7(), text }), [keep]),
    clear: useCallback(() => keep({ id: uuidv7(), text: '' }), [keep]),
  }
}

import { useCallback, useState } from 'react'
import { z } from 'zod'
import { create } from 'zustand'
import { userStorage } from '@/lib/userStorage'
import { uuidv7 } from '@/lib/uuidv7'

/** `id` is the post's own. It stays while the text does, over a reload too, so that a repeated press stores once. */
const Draft = z.object({ id: z.string(), text: z.string() })
type Draft = z.infer<typeof Draft>

const name = 'draft:post'

/** What each person writes, by their id: a composer that comes while a post is on its way shows the same draft. */
const useDrafts = create<Record<string, Draft>>(() => ({}))

function stored(userId: string): Draft {
  try {
    return Draft.parse(JSON.parse(userStorage(userId).get(name) ?? ''))
  } catch {
    return { id: uuidv7(), text: '' }
  }
}

/** Another text is another post: one that may have been stored under the old id must not stand for it. */
function write(userId: string, text: string): void {
  const draft = { id: uuidv7(), text }
  useDrafts.setState({ [userId]: draft })
  if (text) userStorage(userId).set(name, JSON.stringify(draft))
  else userStorage(userId).remove(name)
}

/** Empties the draft once it was posted as `id`, unless something else has been written since. */
export function clearDraft(userId: string, id: string): void {
  const { id: current } = useDrafts.getState()[userId] ?? stored(userId)
  if (current === id) write(userId, '')
}

/** What a person is writing, kept in the browser until it is posted. */
export function useDraft(userId: string): { draft: Draft; write: (text: string) => void } {
  const [atFirst] = useState(() => stored(userId))
  const draft = useDrafts((drafts) => drafts[userId]) ?? atFirst
  return { draft, write: useCallback((text: string) => write(userId, text), [userId]) }
}

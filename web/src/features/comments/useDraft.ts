import { useCallback, useState } from 'react'
import { z } from 'zod'
import { create } from 'zustand'
import { userStorage } from '@/lib/userStorage'
import { uuidv7 } from '@/lib/uuidv7'

/** `id` is the comment's own. It stays while the text does, over a reload too, so that a repeated press stores once. */
const Draft = z.object({ id: z.string(), text: z.string() })
type Draft = z.infer<typeof Draft>

const nameOf = (target: string) => `draft:comment:${target}`
const keyOf = (userId: string, target: string) => `${userId}:${target}`

/** What each person writes about a post or comment: a box that was out of sight shows the same draft again. */
const useDrafts = create<Record<string, Draft>>(() => ({}))

function stored(userId: string, target: string): Draft {
  try {
    return Draft.parse(JSON.parse(userStorage(userId).get(nameOf(target)) ?? ''))
  } catch {
    return { id: uuidv7(), text: '' }
  }
}

/** Another text is another comment: one that may have been stored under the old id must not stand for it. */
function write(userId: string, target: string, text: string): void {
  const draft = { id: uuidv7(), text }
  useDrafts.setState({ [keyOf(userId, target)]: draft })
  if (text) userStorage(userId).set(nameOf(target), JSON.stringify(draft))
  else userStorage(userId).remove(nameOf(target))
}

/** Empties the draft once it was stored as `id`, unless something else has been written since. */
export function clearDraft(userId: string, target: string, id: string): void {
  const { id: current } = useDrafts.getState()[keyOf(userId, target)] ?? stored(userId, target)
  if (current === id) write(userId, target, '')
}

/** What a person is writing about `target`, a post's or a comment's id, kept in the browser until it is stored. */
export function useDraft(userId: string, target: string): { draft: Draft; write: (text: string) => void } {
  const [atFirst] = useState(() => stored(userId, target))
  const draft = useDrafts((drafts) => drafts[keyOf(userId, target)]) ?? atFirst
  return { draft, write: useCallback((text: string) => write(userId, target, text), [userId, target]) }
}

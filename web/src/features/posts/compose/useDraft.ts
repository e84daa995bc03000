import { useEffect, useState } from 'react'
import { create } from 'zustand'
import { userStorage } from '@/lib/userStorage'
import { afterPosting, changed, type Draft, type DraftFields, emptyDraft, isEmpty, parseDraft } from './draft'

const name = 'draft:post'

/** What each person writes, by their id. All composers of a page show the same draft. */
const useDrafts = create<Record<string, Draft>>(() => ({}))

function stored(userId: string): Draft | undefined {
  return parseDraft(userStorage(userId).get(name))
}

/** What a person is writing. */
export function currentDraft(userId: string): Draft {
  const known = useDrafts.getState()[userId]
  if (known) return known
  const draft = stored(userId) ?? emptyDraft()
  useDrafts.setState({ [userId]: draft })
  return draft
}

function keep(userId: string, draft: Draft): void {
  useDrafts.setState({ [userId]: draft })
  if (isEmpty(draft)) userStorage(userId).remove(name)
  else userStorage(userId).set(name, JSON.stringify(draft))
}

export function changeDraft(userId: string, fields: DraftFields): void {
  keep(userId, changed(currentDraft(userId), fields))
}

/** Empties the draft once it was posted, but for what has been written since. */
export function settleDraft(userId: string, posted: Draft): void {
  const draft = currentDraft(userId)
  const left = afterPosting(draft, posted)
  if (left !== draft) keep(userId, left)
}

/**
 * Takes over what other tabs write, so that all of them show one draft: none can overwrite what it never showed.
 * A page that comes back out of the browser's history has missed what was written meanwhile.
 */
function followOtherTabs(userId: string): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key !== userStorage(userId).key(name)) return
    useDrafts.setState({ [userId]: parseDraft(newValue) ?? emptyDraft() })
  }
  const onShow = ({ persisted }: PageTransitionEvent) => {
    const draft = persisted ? stored(userId) : undefined
    if (draft) useDrafts.setState({ [userId]: draft })
  }
  window.addEventListener('storage', onStorage)
  window.addEventListener('pageshow', onShow)
  return () => {
    window.removeEventListener('storage', onStorage)
    window.removeEventListener('pageshow', onShow)
  }
}

/** What a person is writing, kept in the browser until it is posted, the same in all tabs. */
export function useDraft(userId: string): Draft {
  const [atFirst] = useState(() => stored(userId) ?? emptyDraft())
  useEffect(() => {
    // Whatever was stored while no composer was open counts.
    const { [userId]: known } = useDrafts.getState()
    if (!known) useDrafts.setState({ [userId]: atFirst })
    return followOtherTabs(userId)
  }, [userId, atFirst])
  return useDrafts((drafts) => drafts[userId]) ?? atFirst
}

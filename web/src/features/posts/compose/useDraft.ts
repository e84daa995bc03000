import { createDrafts, useDraftOf } from '@/lib/drafts'
import { afterPosting, changed, type Draft, type DraftFields, emptyDraft, isEmpty, parseDraft } from './draft'

const name = 'draft:post'
const drafts = createDrafts({ empty: emptyDraft, parse: parseDraft, isEmpty })

/** What a person is writing. */
export function currentDraft(userId: string): Draft {
  return drafts.current(userId, name)
}

export function changeDraft(userId: string, fields: DraftFields): void {
  drafts.keep(userId, name, changed(currentDraft(userId), fields))
}

/** Empties the draft once it was posted, but for what has been written since. */
export function settleDraft(userId: string, posted: Draft): void {
  const draft = currentDraft(userId)
  const left = afterPosting(draft, posted)
  if (left !== draft) drafts.keep(userId, name, left)
}

/** What a person is writing, kept in the browser until it is posted. All composers, in all tabs, show the same. */
export function useDraft(userId: string): Draft {
  return useDraftOf(drafts, userId, name)
}

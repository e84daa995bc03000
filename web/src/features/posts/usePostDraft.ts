import { createDraftStore, useStoredDraft } from '@/lib/drafts'
import {
  draftAfterPosting,
  emptyDraft,
  isDraftEmpty,
  type PostDraft,
  type PostDraftFields,
  parseDraft,
  updateDraft,
} from './post-draft'

const name = 'draft:post'
const drafts = createDraftStore({ empty: emptyDraft, parse: parseDraft, isEmpty: isDraftEmpty })

/** What a person is writing. */
export function getPostDraft(userId: string): PostDraft {
  return drafts.current(userId, name)
}

export function changePostDraft(userId: string, fields: PostDraftFields): void {
  drafts.keep(userId, name, updateDraft(getPostDraft(userId), fields))
}

/** Empties the draft once it was posted, but for what has been written since. */
export function clearPostedDraft(userId: string, posted: PostDraft): void {
  const draft = getPostDraft(userId)
  const left = draftAfterPosting(draft, posted)
  if (left !== draft) drafts.keep(userId, name, left)
}

/** What a person is writing, kept in the browser until it is posted. All composers, in all tabs, show the same. */
export function usePostDraft(userId: string): PostDraft {
  return useStoredDraft(drafts, userId, name)
}

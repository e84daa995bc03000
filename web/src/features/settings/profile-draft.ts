import { z } from 'zod'
import { createDraftStore } from '@/lib/drafts'
import { profileDraftKey } from '@/lib/unsaved-changes'
import { changedFields, type ProfileFormValues, switchFields, textFields } from './model'

type Changes = Partial<ProfileFormValues>

const isNothing = (changes: Changes) => Object.keys(changes).length === 0

/** Takes what an older version of the site may have kept for what it still is. */
function parseChanges(stored: string | null): Changes | undefined {
  if (stored === null) return
  try {
    const kept = z.record(z.string(), z.unknown()).parse(JSON.parse(stored))
    const changes: Changes = {}
    for (const name of textFields) {
      const value = kept[name]
      if (typeof value === 'string') changes[name] = value
    }
    for (const name of switchFields) {
      const value = kept[name]
      if (typeof value === 'boolean') changes[name] = value
    }
    return changes
  } catch {
    return
  }
}

const drafts = createDraftStore<Changes>({ empty: () => ({}), parse: parseChanges, isEmpty: isNothing })

/** The profile as its form was left, where that was not saved: by a session that ended, or a page that was closed. */
export function restoreProfileDraft(userId: string, stored: ProfileFormValues): ProfileFormValues {
  return { ...stored, ...drafts.stored(userId, profileDraftKey) }
}

/** Keeps what differs from the stored profile in the browser, under the person's own key; nothing where nothing does. */
export function saveProfileDraft(userId: string, values: ProfileFormValues, stored: ProfileFormValues): void {
  const changes: Changes = {}
  for (const name of changedFields(values, stored)) Object.assign(changes, { [name]: values[name] })
  drafts.keep(userId, profileDraftKey, changes)
}

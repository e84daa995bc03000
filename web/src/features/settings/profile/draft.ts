import { z } from 'zod'
import { createDrafts } from '@/lib/drafts'
import { profileDraftName } from '@/lib/unsaved'
import { changedNames, type ProfileValues, switches, texts } from './values'

type Changes = Partial<ProfileValues>

const isNothing = (changes: Changes) => Object.keys(changes).length === 0

/** Takes what an older version of the site may have kept for what it still is. */
function parseChanges(stored: string | null): Changes | undefined {
  if (stored === null) return
  try {
    const kept = z.record(z.string(), z.unknown()).parse(JSON.parse(stored))
    const changes: Changes = {}
    for (const name of texts) {
      const value = kept[name]
      if (typeof value === 'string') changes[name] = value
    }
    for (const name of switches) {
      const value = kept[name]
      if (typeof value === 'boolean') changes[name] = value
    }
    return changes
  } catch {
    return
  }
}

const drafts = createDrafts<Changes>({ empty: () => ({}), parse: parseChanges, isEmpty: isNothing })

/** The profile as its form was left, where that was not saved: by a session that ended, or a page that was closed. */
export function valuesLeft(userId: string, stored: ProfileValues): ProfileValues {
  return { ...stored, ...drafts.stored(userId, profileDraftName) }
}

/** Keeps what differs from the stored profile in the browser, under the person's own key; nothing where nothing does. */
export function keepChanges(userId: string, values: ProfileValues, stored: ProfileValues): void {
  const changes: Changes = {}
  for (const name of changedNames(values, stored)) Object.assign(changes, { [name]: values[name] })
  drafts.keep(userId, profileDraftName, changes)
}

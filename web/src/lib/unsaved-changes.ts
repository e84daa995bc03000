import { userStorage } from './storage'

/** Under what name the changes of one's profile are kept in the browser until they are saved. */
export const profileDraftKey = 'draft:profile'

const held = new Set<symbol>()

/** Something on this page would be lost by signing out. Returns how to take that back. */
export function markUnsaved(): () => void {
  const one = Symbol('unsaved')
  held.add(one)
  return () => void held.delete(one)
}

/** True where signing out would lose changes of the profile: of this page, or of another tab or an earlier visit. */
export function hasUnsavedChanges(userId: string): boolean {
  return held.size > 0 || userStorage(userId).get(profileDraftKey) !== null
}

import { userStorage } from './storage'

let isExiting = false

/** Marks the page as about to be left, for example to sign out. From then on, failed requests show no errors. */
export function startPageExit(): void {
  isExiting = true
}

/** Takes `startPageExit` back, because the page is not left after all. */
export function cancelPageExit(): void {
  isExiting = false
}

/** Returns whether the page is about to be left, so that no toast or question should appear. */
export function isPageExiting(): boolean {
  return isExiting
}

if (typeof window !== 'undefined') {
  window.addEventListener('pageshow', (event) => {
    // The browser restored the page from its back/forward cache.
    if (event.persisted) cancelPageExit()
  })
}

/** The storage key of the profile's unsaved changes. */
export const profileDraftKey = 'draft:profile'

/** One entry for each component with unsaved changes. */
const unsavedMarks = new Set<symbol>()

/** Makes the sign-out dialog warn about unsaved changes. Returns a function that takes the mark back. */
export function markUnsaved(): () => void {
  const mark = Symbol('unsaved')
  unsavedMarks.add(mark)
  return () => void unsavedMarks.delete(mark)
}

/**
 * Returns whether signing out would lose unsaved changes: on this page, or changes of the profile in another tab or from
 * an earlier visit.
 */
export function hasUnsavedChanges(userId: string): boolean {
  return unsavedMarks.size > 0 || userStorage(userId).get(profileDraftKey) !== null
}

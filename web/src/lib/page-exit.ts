let isExiting = false

/** Marks the page as about to be left, for example to sign out. Until then, failed calls show no error. */
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

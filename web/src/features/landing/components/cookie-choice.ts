import { useSyncExternalStore } from 'react'

export type CookieChoice = 'accepted' | 'rejected'

const storageKey = 'cookieChoice'

/** Where the browser refuses to store it, the choice holds for as long as the page is open. */
let madeHere = false

const listeners = new Set<() => void>()

function isMade(): boolean {
  try {
    return madeHere || localStorage.getItem(storageKey) !== null
  } catch {
    return madeHere
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Comes when another tab stores its choice.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** Keeps the choice in this browser and tells whoever asked for it. */
export function saveCookieChoice(choice: CookieChoice): void {
  madeHere = true
  try {
    localStorage.setItem(storageKey, choice)
  } catch {
    // Held by `madeHere`.
  }
  for (const listener of listeners) listener()
}

/** Whether somebody has chosen, in this tab or in another one. */
export function useHasCookieChoice(): boolean {
  return useSyncExternalStore(subscribe, isMade)
}

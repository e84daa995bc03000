import { z } from 'zod'
import { type Toast, toast } from './toaster'

const key = 'ovation:parting-words'
const Words = z.object({ title: z.string(), description: z.string() })

/** Leaves a toast for the page that this tab goes to next: one that is shown here goes with this document. */
export function setFlashToast(words: Toast): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(words))
  } catch {
    // The browser keeps nothing: the page is left without a word.
  }
}

/** Says what the page before this one left, once. */
export function showFlashToast(): void {
  try {
    const left = sessionStorage.getItem(key)
    if (left === null) return
    sessionStorage.removeItem(key)
    toast(Words.parse(JSON.parse(left)))
  } catch {
    // Nothing was left, or nothing that can be read.
  }
}

import { createContext, use } from 'react'
import type { Asked } from './api/figures'

/** What the screen was asked for; its tabs read it. */
export const AskedContext = createContext<Asked | null>(null)

/** Whose figures of which period the screen shows. Only below `AskedContext`. */
export function useAsked(): Asked {
  const asked = use(AskedContext)
  if (!asked) throw new Error('Nobody said whose figures these are.')
  return asked
}

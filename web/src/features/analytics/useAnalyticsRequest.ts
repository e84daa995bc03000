import { createContext, use } from 'react'
import type { AnalyticsRequest } from './api'

/** What the screen was asked for; its tabs read it. */
export const AnalyticsRequestContext = createContext<AnalyticsRequest | null>(null)

/** Whose figures of which period the screen shows. Only below `AskedContext`. */
export function useAnalyticsRequest(): AnalyticsRequest {
  const asked = use(AnalyticsRequestContext)
  if (!asked) throw new Error('Nobody said whose figures these are.')
  return asked
}

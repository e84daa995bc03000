import { AiKeyReveal } from '@contract/auto-posting.ts'
import { useEffect, useRef, useState } from 'react'
import { api } from '@/lib/api'
import { aiKeyPath } from '../api'
import { useUncachedRequest } from './useUncachedRequest'

/** Milliseconds for which the key is in sight at most. */
const shownFor = 30_000

/**
 * The key in full, for a while: held by what shows it alone, and gone when it is hidden, when its time is up, and when the
 * page is left, also for the browser's way back.
 */
export function useRevealAiKey() {
  const [apiKey, setApiKey] = useState<string | null>(null)
  const { run, isPending } = useUncachedRequest(
    () => api.post(`${aiKeyPath}/reveal`, {}, AiKeyReveal),
    'The API key could not be shown. Please try again.',
  )
  /** An answer that comes after the page was left shows nothing. */
  const turn = useRef(0)
  const hide = () => {
    turn.current++
    setApiKey(null)
  }
  const reveal = () => {
    // Another press would have the first one's answer thrown away.
    if (isPending) return
    const asked = ++turn.current
    void run((answer) => turn.current === asked && setApiKey(answer.apiKey))
  }
  useEffect(() => {
    const leave = () => {
      turn.current++
      setApiKey(null)
    }
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      turn.current++
    }
  }, [])
  useEffect(() => {
    if (apiKey === null) return
    const timer = setTimeout(() => setApiKey(null), shownFor)
    return () => clearTimeout(timer)
  }, [apiKey])
  return { apiKey, reveal, hide, isPending }
}

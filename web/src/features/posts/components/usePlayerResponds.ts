import { useEffect, useState } from 'react'
import { tikTokOrigin } from '../tiktok'

/** Milliseconds after which a player that has said nothing is taken for one that will not come. */
const patience = 8000

/**
 * False once TikTok's player has kept silent for too long: without a connection, or where it is not to be reached. A
 * page cannot look into the frame, but the player speaks to it as soon as it is there. `attempt` counts how often it
 * was asked for; nothing is waited for at 0.
 */
export function usePlayerResponds(attempt: number): boolean {
  const [silent, setSilent] = useState(0)
  useEffect(() => {
    if (attempt === 0) return
    const timer = setTimeout(() => setSilent(attempt), patience)
    const hear = ({ origin }: MessageEvent) => {
      if (origin !== tikTokOrigin) return
      clearTimeout(timer)
      setSilent(0)
    }
    window.addEventListener('message', hear)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('message', hear)
    }
  }, [attempt])
  return attempt === 0 || silent !== attempt
}

import { create } from 'zustand'

const rates = [1, 1.5, 2] as const

interface Playback {
  /** The message that is being played. */
  messageId: string | null
  /** The speed of all voice messages. */
  rate: (typeof rates)[number]
}

/** The page's only playback: starting a voice message stops the one before. */
export const usePlayback = create<Playback>(() => ({ messageId: null, rate: 1 }))

export function startPlayback(messageId: string): void {
  usePlayback.setState({ messageId })
}

/** Stops a message, or whichever is being played. */
export function stopPlayback(messageId = usePlayback.getState().messageId): void {
  if (usePlayback.getState().messageId === messageId) usePlayback.setState({ messageId: null })
}

export function changeRate(): void {
  usePlayback.setState(({ rate }) => ({ rate: rates[(rates.indexOf(rate) + 1) % rates.length] ?? 1 }))
}

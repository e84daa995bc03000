import { create } from 'zustand'

const rates = [1, 1.5, 2] as const

interface Playback {
  /** The message that is being played. */
  messageId: string | null
  /** The playback speed of all voice messages. */
  rate: (typeof rates)[number]
}

/** The playback on the page. Only one voice message plays at a time: starting one stops the previous one. */
export const usePlayback = create<Playback>(() => ({ messageId: null, rate: 1 }))

export function startPlayback(messageId: string): void {
  usePlayback.setState({ messageId })
}

/** Stops a message if it is being played. Without an id, stops any playback. */
export function stopPlayback(messageId = usePlayback.getState().messageId): void {
  if (usePlayback.getState().messageId === messageId) usePlayback.setState({ messageId: null })
}

export function changeRate(): void {
  usePlayback.setState(({ rate }) => ({ rate: rates[(rates.indexOf(rate) + 1) % rates.length] ?? 1 }))
}

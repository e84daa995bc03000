import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

export const deviceKinds = ['camera', 'microphone'] as const
export type DeviceKind = (typeof deviceKinds)[number]

/** Whether a device is part of the stream. `lost` means that it was disconnected or does not exist. */
type DeviceStatus = 'on' | 'starting' | 'off' | 'lost'

/** Why a device did not start. `insecure` means that the page was not loaded over HTTPS. */
export type StreamProblem = 'denied' | 'missing' | 'busy' | 'insecure'

/** The title and text that explain why a stream did not start, in a toast and in place of the preview. */
export const streamProblemTexts: Record<
  StreamProblem,
  { title: MessageDescriptor; description: MessageDescriptor }
> = {
  denied: {
    title: msg`Camera Access Denied`,
    description: msg`Please allow camera access to start your live stream.`,
  },
  missing: {
    title: msg`No camera found`,
    description: msg`Connect a camera and try again.`,
  },
  busy: {
    title: msg`Couldn't start your camera`,
    description: msg`Another app may be using it. Close the app and try again.`,
  },
  insecure: {
    title: msg`Couldn't start your camera`,
    description: msg`Your browser only allows camera access on pages with an https address.`,
  },
}

/** `startedAt` is in milliseconds since 1970. */
export type StreamState =
  | { phase: 'idle'; problem: StreamProblem | null }
  | { phase: 'starting' }
  | { phase: 'live'; startedAt: number; viewers: number; camera: DeviceStatus; microphone: DeviceStatus }
  | { phase: 'ended'; durationMs: number }

export type StreamEvent =
  | { type: 'start_requested' }
  | { type: 'start_failed'; problem: StreamProblem }
  | { type: 'started'; at: number; viewers: number; camera: DeviceStatus; microphone: DeviceStatus }
  | { type: 'device_changed'; kind: DeviceKind; status: DeviceStatus }
  | { type: 'viewers_changed'; viewers: number }
  | { type: 'ended'; at: number }
  | { type: 'closed' }

export const initialStreamState: StreamState = { phase: 'idle', problem: null }

/** Returns the state after an event. Ignores events that do not apply in the current phase, such as late ones. */
export function streamReducer(state: StreamState, event: StreamEvent): StreamState {
  switch (event.type) {
    case 'start_requested':
      return state.phase === 'idle' || state.phase === 'ended' ? { phase: 'starting' } : state
    case 'start_failed':
      return state.phase === 'starting' ? { phase: 'idle', problem: event.problem } : state
    case 'started': {
      const { at, viewers, camera, microphone } = event
      return state.phase === 'starting'
        ? { phase: 'live', startedAt: at, viewers, camera, microphone }
        : state
    }
    case 'device_changed':
      return state.phase === 'live' ? { ...state, [event.kind]: event.status } : state
    case 'viewers_changed':
      return state.phase === 'live' ? { ...state, viewers: event.viewers } : state
    case 'ended':
      return state.phase === 'live'
        ? { phase: 'ended', durationMs: Math.max(0, event.at - state.startedAt) }
        : state
    case 'closed':
      return initialStreamState
  }
}

/** Returns a duration as '0:07', '12:34' or '1:02:03'. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.max(0, Math.floor(durationMs / 1000))
  const twoDigits = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes}:${twoDigits(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`
}

export const viewerUpdateIntervalMs = 3_000

/** Returns the simulated number of viewers when a stream starts: 5 to 24. `random` returns numbers in [0, 1). */
export function initialViewerCount(random: () => number = Math.random): number {
  return 5 + Math.floor(random() * 20)
}

/** Returns the next simulated number of viewers: up to 3 more or fewer, at least 0. */
export function nextViewerCount(viewers: number, random: () => number = Math.random): number {
  return Math.max(0, viewers + Math.floor(random() * 7) - 3)
}

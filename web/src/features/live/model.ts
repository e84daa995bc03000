/** What a stream is made of. */
export const allDeviceKinds = ['camera', 'microphone'] as const
export type DeviceKind = (typeof allDeviceKinds)[number]

/** Whether it is part of the stream. `lost`: it was disconnected, or is not there. */
type Switch = 'on' | 'starting' | 'off' | 'lost'

/** Why a stream could not begin. `insecure`: the page has no right to ask for a camera at its address. */
export type StreamProblem = 'denied' | 'missing' | 'busy' | 'insecure'

/** What each problem is told with. */
export const streamProblemTexts: Record<StreamProblem, string> = {
  denied: 'Please allow camera access to start your live stream.',
  missing: 'No camera was found. Please connect one.',
  busy: 'Your camera did not start. Another program may be using it.',
  insecure: 'Your browser gives cameras to pages at https addresses only.',
}

/** How far a stream is. Times are in milliseconds since 1970. */
export type StreamState =
  | { phase: 'not live'; problem: StreamProblem | null }
  | { phase: 'starting' }
  | { phase: 'live'; since: number; viewers: number; camera: Switch; microphone: Switch }
  /** `lasted`: milliseconds. */
  | { phase: 'ended'; lasted: number }

/** What happens to a stream. */
export type StreamEvent =
  | { type: 'asked' }
  | { type: 'refused'; problem: StreamProblem }
  | { type: 'granted'; at: number; viewers: number; camera: Switch; microphone: Switch }
  | { type: 'switched'; kind: DeviceKind; to: Switch }
  | { type: 'drifted'; viewers: number }
  | { type: 'ended'; at: number }
  | { type: 'left' }

export const initialStreamState: StreamState = { phase: 'not live', problem: null }

/** The stage after something happened. What does not fit, as an answer that comes too late, changes nothing. */
export function streamReducer(stage: StreamState, happening: StreamEvent): StreamState {
  switch (happening.type) {
    case 'asked':
      return stage.phase === 'not live' || stage.phase === 'ended' ? { phase: 'starting' } : stage
    case 'refused':
      return stage.phase === 'starting' ? { phase: 'not live', problem: happening.problem } : stage
    case 'granted': {
      const { at, viewers, camera, microphone } = happening
      return stage.phase === 'starting' ? { phase: 'live', since: at, viewers, camera, microphone } : stage
    }
    case 'switched':
      return stage.phase === 'live' ? { ...stage, [happening.kind]: happening.to } : stage
    case 'drifted':
      return stage.phase === 'live' ? { ...stage, viewers: happening.viewers } : stage
    case 'ended':
      return stage.phase === 'live'
        ? { phase: 'ended', lasted: Math.max(0, happening.at - stage.since) }
        : stage
    case 'left':
      return initialStreamState
  }
}

/** How long a stream has lasted, as '0:07', '12:34' or '1:02:03'. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  const two = (number: number) => String(number).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes}:${two(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`
}

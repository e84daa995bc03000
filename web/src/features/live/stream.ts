import { create } from 'zustand'
import { toast } from '@/ui/toaster'
import {
  type DeviceTracks,
  deviceProblem,
  openCameraAndMicrophone,
  openDevices,
  type SelectedDevices,
  stopTracks,
} from './devices'
import {
  allDeviceKinds,
  type DeviceKind,
  initialStreamState,
  type StreamEvent,
  type StreamProblem,
  type StreamState,
  streamProblemTexts,
  streamReducer,
} from './model'
import { initialViewerCount, nextViewerCount, viewerUpdateIntervalMs } from './viewer-count'

interface Studio {
  stage: StreamState
  /** What the camera shows; null while none is on. */
  picture: MediaStream | null
  devices: readonly MediaDeviceInfo[]
  /** What is in use, or is to be used. */
  chosen: SelectedDevices
}

const empty: Studio = { stage: initialStreamState, picture: null, devices: [], chosen: {} }

/** The one stream of this page. Outside of React: whatever becomes of the dialog, what was taken is given back. */
export const useStream = create<Studio>(() => empty)

const held: DeviceTracks = {}
/** Each asking is a turn of its own: an answer to an earlier one is given back at once. */
const turns: Record<DeviceKind, number> = { camera: 0, microphone: 0 }
let drifting: ReturnType<typeof setInterval> | undefined

function happen(happening: StreamEvent): void {
  useStream.setState(({ stage }) => ({ stage: streamReducer(stage, happening) }))
}

/** Asks for camera and microphone, and begins the stream with them. */
export async function startStream(): Promise<void> {
  const { phase } = useStream.getState().stage
  if (phase === 'starting' || phase === 'live') return
  happen({ type: 'asked' })
  const turn = { camera: ++turns.camera, microphone: ++turns.microphone }
  const isLate = () => turns.camera !== turn.camera || turns.microphone !== turn.microphone
  let tracks: DeviceTracks = {}
  try {
    tracks = await openCameraAndMicrophone(useStream.getState().chosen)
    if (isLate()) {
      stopTracks(tracks)
      return
    }
    for (const kind of allDeviceKinds) if (tracks[kind]) hold(kind, tracks[kind])
  } catch (error) {
    stopTracks(tracks)
    if (!isLate()) refuse(error)
    return
  }
  happen({
    type: 'granted',
    at: Date.now(),
    viewers: initialViewerCount(),
    camera: tracks.camera ? 'on' : 'lost',
    microphone: tracks.microphone ? 'on' : 'lost',
  })
  drifting = setInterval(drift, viewerUpdateIntervalMs)
  toast({ title: 'Live Stream Started' })
  navigator.mediaDevices.addEventListener('devicechange', listDevices)
  await listDevices()
}

function refuse(error: unknown): void {
  stopEverything()
  const problem = deviceProblem(error)
  happen({ type: 'refused', problem })
  toast({
    title: 'Camera Access Denied',
    description: streamProblemTexts[problem],
    tone: 'destructive',
  })
}

/** Ends the stream and gives camera and microphone back. */
export function endStream(): void {
  if (useStream.getState().stage.phase !== 'live') return
  stopEverything()
  happen({ type: 'ended', at: Date.now() })
  toast({ title: 'Live Stream Ended' })
}

/** Gives everything back, whatever goes on; for whoever leaves the dialog, the page or their session. */
export function releaseStream(): void {
  endStream()
  stopEverything()
  happen({ type: 'left' })
}

/** Switches camera or microphone on or off. Off, it is given back: its light goes out. */
export async function setDeviceEnabled(kind: DeviceKind, on: boolean): Promise<void> {
  if (useStream.getState().stage.phase !== 'live') return
  if (on) {
    await reopen(kind)
    return
  }
  turns[kind] += 1
  drop(kind)
  happen({ type: 'switched', kind, to: 'off' })
}

/** Takes another camera or microphone, at once where that kind is part of the stream. */
export async function selectDevice(kind: DeviceKind, deviceId: string): Promise<void> {
  useStream.setState(({ chosen }) => ({ chosen: { ...chosen, [kind]: deviceId } }))
  const { stage } = useStream.getState()
  if (stage.phase === 'live' && stage[kind] !== 'off') await reopen(kind)
}

/** Phones open one camera at a time, so what is held is given back first. */
async function reopen(kind: DeviceKind): Promise<void> {
  turns[kind] += 1
  const turn = turns[kind]
  drop(kind)
  happen({ type: 'switched', kind, to: 'starting' })
  try {
    const { [kind]: track } = await openDevices([kind], useStream.getState().chosen)
    if (turns[kind] !== turn) {
      track?.stop()
      return
    }
    if (track) hold(kind, track)
    happen({ type: 'switched', kind, to: track ? 'on' : 'lost' })
  } catch (error) {
    if (turns[kind] !== turn) return
    const problem = deviceProblem(error)
    happen({ type: 'switched', kind, to: problem === 'missing' ? 'lost' : 'off' })
    toast({
      title: `The ${kind} could not be switched on`,
      description: whyNot(kind, problem),
      tone: 'destructive',
    })
  }
}

function whyNot(kind: DeviceKind, problem: StreamProblem): string {
  if (problem === 'busy') return `Another program may be using your ${kind}.`
  return problem === 'missing'
    ? `This ${kind} is not connected.`
    : `Please allow ${kind} access in your browser.`
}

function hold(kind: DeviceKind, track: MediaStreamTrack): void {
  held[kind] = track
  // Comes when the device is unplugged or its permission is taken back, not when the track is stopped here.
  track.addEventListener('ended', () => {
    if (held[kind] !== track) return
    drop(kind)
    happen({ type: 'switched', kind, to: 'lost' })
  })
  const { deviceId } = track.getSettings()
  if (deviceId) useStream.setState(({ chosen }) => ({ chosen: { ...chosen, [kind]: deviceId } }))
  if (kind === 'camera') useStream.setState({ picture: new MediaStream([track]) })
}

function drop(kind: DeviceKind): void {
  held[kind]?.stop()
  delete held[kind]
  if (kind === 'camera') useStream.setState({ picture: null })
}

function stopEverything(): void {
  turns.camera += 1
  turns.microphone += 1
  drop('camera')
  drop('microphone')
  clearInterval(drifting)
  const media: MediaDevices | undefined = navigator.mediaDevices
  media?.removeEventListener('devicechange', listDevices)
}

function drift(): void {
  const { stage } = useStream.getState()
  if (stage.phase === 'live') happen({ type: 'drifted', viewers: nextViewerCount(stage.viewers) })
}

/** A browser that keeps its devices to itself lets nobody choose: the stream goes on as it is. */
async function listDevices(): Promise<void> {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => [])
  useStream.setState({ devices })
}

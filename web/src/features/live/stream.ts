import { t } from '@lingui/core/macro'
import { create } from 'zustand'
import { toast } from '@/ui/toaster'
import {
  type DeviceKind,
  deviceKinds,
  initialStreamState,
  initialViewerCount,
  nextViewerCount,
  type StreamEvent,
  type StreamProblem,
  type StreamState,
  streamProblemTexts,
  streamReducer,
  viewerUpdateIntervalMs,
} from './model'

/** The device ids of the selected camera and microphone. If one is missing, the browser selects the device. */
type SelectedDevices = Partial<Record<DeviceKind, string>>

type DeviceTracks = Partial<Record<DeviceKind, MediaStreamTrack>>

interface StreamStore {
  stream: StreamState
  /** The camera's video, or null while the camera is off. */
  preview: MediaStream | null
  devices: readonly MediaDeviceInfo[]
  /** The devices that are in use, or that will be used when they are switched on. */
  selected: SelectedDevices
}

/** The page's only stream. It is stored outside of components, so that its devices are always released. */
export const useStream = create<StreamStore>(() => ({
  stream: initialStreamState,
  preview: null,
  devices: [],
  selected: {},
}))

const activeTracks: DeviceTracks = {}
/** The number of the latest request per device. A track that an earlier request opens is stopped immediately. */
const latestRequest: Record<DeviceKind, number> = { camera: 0, microphone: 0 }
let viewerTimer: ReturnType<typeof setInterval> | undefined

function dispatch(event: StreamEvent): void {
  useStream.setState(({ stream }) => ({ stream: streamReducer(stream, event) }))
}

/** Opens the camera and microphone, and starts the stream. */
export async function startStream(): Promise<void> {
  const { phase } = useStream.getState().stream
  if (phase === 'starting' || phase === 'live') return
  dispatch({ type: 'start_requested' })
  const request = { camera: ++latestRequest.camera, microphone: ++latestRequest.microphone }
  const isOutdated = () =>
    latestRequest.camera !== request.camera || latestRequest.microphone !== request.microphone
  let tracks: DeviceTracks = {}
  try {
    tracks = await openCameraAndMicrophone(useStream.getState().selected)
    if (isOutdated()) {
      stopTracks(tracks)
      return
    }
    for (const kind of deviceKinds) if (tracks[kind]) addTrack(kind, tracks[kind])
  } catch (error) {
    stopTracks(tracks)
    if (!isOutdated()) handleStartError(error)
    return
  }
  dispatch({
    type: 'started',
    at: Date.now(),
    viewers: initialViewerCount(),
    camera: tracks.camera ? 'on' : 'lost',
    microphone: tracks.microphone ? 'on' : 'lost',
  })
  viewerTimer = setInterval(updateViewerCount, viewerUpdateIntervalMs)
  toast({ title: t`Live Stream Started` })
  navigator.mediaDevices.addEventListener('devicechange', updateDevices)
  await updateDevices()
}

function handleStartError(error: unknown): void {
  releaseDevices()
  const problem = deviceProblem(error)
  dispatch({ type: 'start_failed', problem })
  const { title, description } = streamProblemTexts[problem]
  toast({ title: t(title), description: t(description), tone: 'destructive' })
}

/** Ends the stream and releases the camera and microphone. */
export function endStream(): void {
  if (useStream.getState().stream.phase !== 'live') return
  releaseDevices()
  dispatch({ type: 'ended', at: Date.now() })
  toast({ title: t`Live Stream Ended` })
}

/** Ends the stream in any phase, when the user closes the dialog, leaves the page or signs out. */
export function closeStream(): void {
  endStream()
  releaseDevices()
  dispatch({ type: 'closed' })
}

/** Switches the camera or microphone on or off. A device that is off is released, so that its light goes out. */
export async function setDeviceEnabled(kind: DeviceKind, enabled: boolean): Promise<void> {
  if (useStream.getState().stream.phase !== 'live') return
  if (enabled) {
    await reopenDevice(kind)
    return
  }
  latestRequest[kind] += 1
  stopTrack(kind)
  dispatch({ type: 'device_changed', kind, status: 'off' })
}

/** Selects a camera or microphone, and switches to it immediately if that kind of device is on. */
export async function selectDevice(kind: DeviceKind, deviceId: string): Promise<void> {
  useStream.setState(({ selected }) => ({ selected: { ...selected, [kind]: deviceId } }))
  const { stream } = useStream.getState()
  if (stream.phase === 'live' && stream[kind] !== 'off') await reopenDevice(kind)
}

async function reopenDevice(kind: DeviceKind): Promise<void> {
  latestRequest[kind] += 1
  const request = latestRequest[kind]
  // Phones can open only one camera at a time.
  stopTrack(kind)
  dispatch({ type: 'device_changed', kind, status: 'starting' })
  try {
    const { [kind]: track } = await openDevices([kind], useStream.getState().selected)
    if (latestRequest[kind] !== request) {
      track?.stop()
      return
    }
    if (track) addTrack(kind, track)
    dispatch({ type: 'device_changed', kind, status: track ? 'on' : 'lost' })
  } catch (error) {
    if (latestRequest[kind] !== request) return
    const problem = deviceProblem(error)
    dispatch({ type: 'device_changed', kind, status: problem === 'missing' ? 'lost' : 'off' })
    toast({
      title: kind === 'camera' ? t`Couldn't turn on the camera` : t`Couldn't turn on the microphone`,
      description: deviceProblemText(kind, problem),
      tone: 'destructive',
    })
  }
}

function deviceProblemText(kind: DeviceKind, problem: StreamProblem): string {
  const isCamera = kind === 'camera'
  if (problem === 'busy') {
    return isCamera ? t`Another app may be using your camera.` : t`Another app may be using your microphone.`
  }
  if (problem === 'missing') {
    return isCamera ? t`This camera isn't connected.` : t`This microphone isn't connected.`
  }
  return isCamera ? t`Allow camera access in your browser.` : t`Allow microphone access in your browser.`
}

function addTrack(kind: DeviceKind, track: MediaStreamTrack): void {
  activeTracks[kind] = track
  // Fires when the device is unplugged or its permission is revoked, but not after `track.stop()`.
  track.addEventListener('ended', () => {
    if (activeTracks[kind] !== track) return
    stopTrack(kind)
    dispatch({ type: 'device_changed', kind, status: 'lost' })
  })
  const { deviceId } = track.getSettings()
  if (deviceId) useStream.setState(({ selected }) => ({ selected: { ...selected, [kind]: deviceId } }))
  if (kind === 'camera') useStream.setState({ preview: new MediaStream([track]) })
}

function stopTrack(kind: DeviceKind): void {
  activeTracks[kind]?.stop()
  delete activeTracks[kind]
  if (kind === 'camera') useStream.setState({ preview: null })
}

function stopTracks(tracks: DeviceTracks): void {
  for (const track of Object.values(tracks)) track.stop()
}

function releaseDevices(): void {
  latestRequest.camera += 1
  latestRequest.microphone += 1
  stopTrack('camera')
  stopTrack('microphone')
  clearInterval(viewerTimer)
  const mediaDevices: MediaDevices | undefined = navigator.mediaDevices
  mediaDevices?.removeEventListener('devicechange', updateDevices)
}

function updateViewerCount(): void {
  const { stream } = useStream.getState()
  if (stream.phase === 'live') {
    dispatch({ type: 'viewers_changed', viewers: nextViewerCount(stream.viewers) })
  }
}

/** Updates the list of devices. If the browser does not provide one, the list is empty and the stream continues. */
async function updateDevices(): Promise<void> {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => [])
  useStream.setState({ devices })
}

const mediaDeviceKinds = { camera: 'videoinput', microphone: 'audioinput' } as const

/** Returns the devices of a kind that have a label. Browsers reveal labels only after the user has given permission. */
export function labeledDevices(devices: readonly MediaDeviceInfo[], kind: DeviceKind): MediaDeviceInfo[] {
  return devices.filter(
    (device) => device.kind === mediaDeviceKinds[kind] && device.label !== '' && device.deviceId !== '',
  )
}

/**
 * Opens the camera and microphone together, so that the browser asks for permission once. Opens only the camera if
 * there is no microphone or another program is using it: a stream needs video but not sound.
 */
export async function openCameraAndMicrophone(selected: SelectedDevices): Promise<DeviceTracks> {
  try {
    return await openDevices(['camera', 'microphone'], selected)
  } catch (error) {
    const problem = deviceProblem(error)
    if (problem === 'busy') {
      // The browser does not report which of the two is in use.
      return await openDevices(['camera'], selected).catch(() => {
        throw error
      })
    }
    if (problem !== 'missing') throw error
    // The selected device may have been disconnected, so any other device is tried.
    return await openDevices(['camera', 'microphone'], {}).catch(() => openDevices(['camera'], {}))
  }
}

/** Opens devices. The browser may ask the user for permission. */
async function openDevices(kinds: readonly DeviceKind[], selected: SelectedDevices): Promise<DeviceTracks> {
  // Contrary to its type, `mediaDevices` is undefined on pages that were not loaded over HTTPS.
  const mediaDevices: MediaDevices | undefined = navigator.mediaDevices
  if (!mediaDevices) throw new InsecurePageError()
  const stream = await mediaDevices.getUserMedia({
    ...(kinds.includes('camera') && { video: trackConstraints('camera', selected) }),
    ...(kinds.includes('microphone') && { audio: trackConstraints('microphone', selected) }),
  })
  const [camera] = stream.getVideoTracks()
  const [microphone] = stream.getAudioTracks()
  return { ...(camera && { camera }), ...(microphone && { microphone }) }
}

function trackConstraints(kind: DeviceKind, selected: SelectedDevices): MediaTrackConstraints {
  const deviceId = selected[kind]
  return {
    ...(deviceId && { deviceId: { exact: deviceId } }),
    ...(kind === 'camera' && { width: { ideal: 1280 }, height: { ideal: 720 } }),
  }
}

class InsecurePageError extends Error {}

/** Returns why a device did not start. */
export function deviceProblem(error: unknown): StreamProblem {
  if (error instanceof InsecurePageError) return 'insecure'
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'missing'
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'denied'
}

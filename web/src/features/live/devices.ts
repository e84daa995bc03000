import type { DeviceKind, StreamProblem } from './model'

/** Which camera and microphone to take, by the browser's ids; the browser's own choice where there is none. */
export type SelectedDevices = Partial<Record<DeviceKind, string>>

/** What is taken of a camera and a microphone. */
export type DeviceTracks = Partial<Record<DeviceKind, MediaStreamTrack>>

const deviceKinds = { camera: 'videoinput', microphone: 'audioinput' } as const

/** Cameras or microphones among what the browser lists, as far as it tells their names: it does once it may be asked. */
export function labeledDevices(devices: readonly MediaDeviceInfo[], kind: DeviceKind): MediaDeviceInfo[] {
  return devices.filter((one) => one.kind === deviceKinds[kind] && one.label !== '' && one.deviceId !== '')
}

/** Ends what a camera or microphone takes: its light goes out. */
export function stopTracks(tracks: DeviceTracks): void {
  for (const track of Object.values(tracks)) track.stop()
}

const constraintsOf = (kind: DeviceKind, chosen: SelectedDevices): MediaTrackConstraints => {
  const id = chosen[kind]
  return {
    ...(id && { deviceId: { exact: id } }),
    ...(kind === 'camera' && { width: { ideal: 1280 }, height: { ideal: 720 } }),
  }
}

/** The browser gives cameras to pages at https addresses only. */
class Insecure extends Error {}

/** What of both is taken from the browser, which asks the person first. */
export async function openDevices(
  kinds: readonly DeviceKind[],
  chosen: SelectedDevices,
): Promise<DeviceTracks> {
  // Typed as always there, which it is not at an address without https.
  const media: MediaDevices | undefined = navigator.mediaDevices
  if (!media) throw new Insecure()
  const stream = await media.getUserMedia({
    ...(kinds.includes('camera') && { video: constraintsOf('camera', chosen) }),
    ...(kinds.includes('microphone') && { audio: constraintsOf('microphone', chosen) }),
  })
  const [camera] = stream.getVideoTracks()
  const [microphone] = stream.getAudioTracks()
  return { ...(camera && { camera }), ...(microphone && { microphone }) }
}

/**
 * Camera and microphone together, which is one question for the person. Where there is no microphone, or another
 * program has it, the camera alone: pictures without sound are a stream, sound without pictures is none.
 */
export async function openCameraAndMicrophone(chosen: SelectedDevices): Promise<DeviceTracks> {
  try {
    return await openDevices(['camera', 'microphone'], chosen)
  } catch (error) {
    const problem = deviceProblem(error)
    if (problem === 'busy') {
      // The browser does not say which of both is in use.
      return await openDevices(['camera'], chosen).catch(() => {
        throw error
      })
    }
    if (problem !== 'missing') throw error
    // A device that was chosen and is gone now would be asked for in vain.
    return await openDevices(['camera', 'microphone'], {}).catch(() => openDevices(['camera'], {}))
  }
}

/** Why a browser gave nothing. */
export function deviceProblem(error: unknown): StreamProblem {
  if (error instanceof Insecure) return 'insecure'
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'missing'
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'denied'
}

import { afterEach, describe, expect, it, vi } from 'vitest'
import { deviceProblem, openCameraAndMicrophone } from './stream'

afterEach(() => vi.unstubAllGlobals())

/** Stubs a browser in which all devices but `free` are in use. Returns the media kinds that each call requests. */
function stubMediaDevices(...free: ('audio' | 'video')[]) {
  const requests: string[] = []
  const getUserMedia = (constraints: MediaStreamConstraints) => {
    const kinds = Object.keys(constraints)
    requests.push(kinds.join(' '))
    if (kinds.some((kind) => !free.some((freeKind) => freeKind === kind))) {
      return Promise.reject(new DOMException('Could not start', 'NotReadableError'))
    }
    const tracks = (kind: string) => (kinds.includes(kind) ? [{ kind }] : [])
    return Promise.resolve({
      getVideoTracks: () => tracks('video'),
      getAudioTracks: () => tracks('audio'),
    })
  }
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } })
  return requests
}

describe('openCameraAndMicrophone', () => {
  it('opens only the camera when the microphone is in use', async () => {
    const requests = stubMediaDevices('video')
    expect(await openCameraAndMicrophone({})).toEqual({ camera: { kind: 'video' } })
    expect(requests).toEqual(['video audio', 'video'])
  })

  it('rejects when the camera is in use', async () => {
    stubMediaDevices('audio')
    const error = await openCameraAndMicrophone({}).catch((reason: unknown) => reason)
    expect(deviceProblem(error)).toBe('busy')
  })
})

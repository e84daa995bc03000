import { afterEach, expect, test, vi } from 'vitest'
import { deviceProblem, openCameraAndMicrophone } from './devices'

afterEach(() => vi.unstubAllGlobals())

/** A browser that answers a question for these kinds, and refuses any other as one that has a device in use. */
function browserWith(...free: ('audio' | 'video')[]) {
  const asked: string[] = []
  const track = (kind: string) => ({ kind })
  const getUserMedia = (wanted: MediaStreamConstraints) => {
    const kinds = Object.keys(wanted)
    asked.push(kinds.join(' '))
    if (kinds.some((kind) => !free.some((one) => one === kind))) {
      return Promise.reject(new DOMException('Could not start', 'NotReadableError'))
    }
    const tracksOf = (kind: string) => (kinds.includes(kind) ? [track(kind)] : [])
    return Promise.resolve({
      getVideoTracks: () => tracksOf('video'),
      getAudioTracks: () => tracksOf('audio'),
    })
  }
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } })
  return asked
}

test('another program with the microphone leaves the camera', async () => {
  const asked = browserWith('video')
  expect(await openCameraAndMicrophone({})).toEqual({ camera: { kind: 'video' } })
  expect(asked).toEqual(['video audio', 'video'])
})

test('another program with the camera leaves nothing', async () => {
  browserWith('audio')
  const error = await openCameraAndMicrophone({}).catch((refusal: unknown) => refusal)
  expect(deviceProblem(error)).toBe('busy')
})

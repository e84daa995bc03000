import { limits } from '@contract/limits.ts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { findVideoDuration } from '../../../../../supabase/functions/_shared/media/video-duration'
import { recordingErrorText, startRecording, summarizeLevels } from './recording'
import { addWebmDuration } from './webm-duration'

describe('startRecording', () => {
  afterEach(() => void vi.unstubAllGlobals())

  test.each(['createMediaStreamSource', 'constructor', 'start'])(
    'releases the microphone and the audio context if %s throws',
    async (failing) => {
      const failIf = (name: string) => {
        if (name === failing) throw new DOMException('', 'NotSupportedError')
      }
      const stopTrack = vi.fn()
      const closeContext = vi.fn()
      const setTimer = vi.fn()
      const getUserMedia = async () => ({ getTracks: () => [{ stop: stopTrack }] })
      vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } })
      vi.stubGlobal('setInterval', setTimer)
      vi.stubGlobal(
        'AudioContext',
        class {
          close = closeContext
          createAnalyser = () => ({})
          createMediaStreamSource = () => {
            failIf('createMediaStreamSource')
            return { connect: () => {} }
          }
        },
      )
      vi.stubGlobal(
        'MediaRecorder',
        class {
          static isTypeSupported = () => true
          constructor() {
            failIf('constructor')
          }
          start = () => failIf('start')
        },
      )
      await expect(startRecording({ onLevel: () => {}, onEnd: () => {} })).rejects.toThrow(DOMException)
      expect(stopTrack).toHaveBeenCalledOnce()
      expect(closeContext).toHaveBeenCalledOnce()
      expect(setTimer).not.toHaveBeenCalled()
    },
  )
})

describe('summarizeLevels', () => {
  test('returns the loudest level of each section, relative to the loudest of all', () => {
    const rising = Array.from({ length: 400 }, (_, index) => index / 800)
    const digits = summarizeLevels(rising)
    expect(digits).toMatch(new RegExp(`^[0-9a-f]{${limits.voice.levels}}$`))
    expect([digits.at(0), digits.at(-1)]).toEqual(['0', 'f'])
    expect([...digits].toSorted().join('')).toBe(digits)
  })

  test('returns a fixed number of levels for short recordings, and does not amplify silence', () => {
    for (const levels of [[], [0.4], [0.1, 0.4, 0.2]]) {
      expect(summarizeLevels(levels)).toHaveLength(limits.voice.levels)
    }
    expect(summarizeLevels([0.001, 0.002])).toMatch(/^[01]+$/)
  })
})

describe('addWebmDuration', () => {
  const bytes = (hex: string) =>
    new Uint8Array(hex.match(/../g)?.map((byte) => Number.parseInt(byte, 16)) ?? [])
  /** The header and the start of a segment of unknown size, as browsers write them. */
  const start = '1a45dfa38442868101' + '1853806701ffffffffffffff'
  const info = '2ad7b1830f4240'

  test.each([
    ['one byte', '87'],
    ['eight bytes', '0100000000000007'],
  ])('adds a duration that the server can read (size in %s)', async (_, size) => {
    const cluster = '1f43b67581e7'
    const recording = bytes(`${start}1549a966${size}${info}${cluster}`)
    const file = new Uint8Array(await new Blob(addWebmDuration(recording, 12_300)).arrayBuffer())
    const read = async (from: number, length: number) => file.subarray(from, from + length)
    expect(await findVideoDuration(read, file.length, 'video/webm')).toBe(12)
    expect(Buffer.from(file).toString('hex').endsWith(`${info}${cluster}`)).toBe(true)
  })

  test('returns other files unchanged, such as one with an index of its elements', () => {
    const indexed = `1a45dfa38442868101185380670100000000000020114d9b74871549a9661549a96687${info}`
    for (const hex of ['', '00', start, `${start}1549a966`, `${start}1549a96600`, indexed]) {
      expect(Buffer.concat(addWebmDuration(bytes(hex), 1000)).toString('hex')).toBe(hex)
    }
  })
})

test('says why recording is not possible', () => {
  const textFor = (name: string) => recordingErrorText(new DOMException('', name))
  expect(textFor('NotAllowedError')).toBe('Allow microphone access in your browser.')
  expect(textFor('NotFoundError')).toBe('No microphone was found. Connect one and try again.')
  expect(textFor('NotReadableError')).toBe('Another app may be using your microphone.')
  expect(textFor('NotSupportedError')).toBe("This browser can't record voice messages.")
  expect(recordingErrorText(new Error())).toBe("This browser can't record voice messages.")
})

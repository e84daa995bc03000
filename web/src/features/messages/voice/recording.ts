import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import type { OutboxVoice } from '../outbox/outbox'
import { addWebmDuration } from './webm-duration'

/** In order of preference. See docs/decisions/057-voice-messages.md. */
const recordingTypes = ['audio/mp4;codecs=mp4a.40.2', 'audio/webm;codecs=opus', 'audio/mp4', 'audio/webm']

const bitsPerSecond = 48_000
const levelIntervalMs = 100
const maxMs = limits.voice.maxSeconds * 1000

/** A recording in progress. */
export interface Recording {
  /** Stops the recording if it is still running, and returns it. Null if nothing was recorded. */
  finish: () => Promise<OutboxVoice | null>
  /** Ends the recording and releases the microphone. */
  cancel: () => void
}

interface RecordingListener {
  /** Called about ten times a second with the current loudness, from 0 to 1. */
  onLevel: (level: number, elapsedMs: number) => void
  /** Called when the recording has ended for any reason, such as its length or a disconnected microphone. */
  onEnd: () => void
}

/** Requests access to the microphone and starts recording. If it rejects, `recordingErrorText` returns the reason. */
export async function startRecording(listener: RecordingListener): Promise<Recording> {
  const mimeType = recordingTypes.find((type) => globalThis.MediaRecorder?.isTypeSupported(type))
  // Contrary to its type, `mediaDevices` is undefined in insecure contexts, such as pages loaded over HTTP.
  const mediaDevices: MediaDevices | undefined = navigator.mediaDevices
  if (!mediaDevices || !mimeType) throw new DOMException('', 'NotSupportedError')
  const stream = await mediaDevices.getUserMedia({ audio: true })
  let context: AudioContext | undefined
  const release = () => {
    for (const track of stream.getTracks()) track.stop()
    void context?.close()
  }
  try {
    context = new AudioContext()
    return record(stream, context, mimeType, release, listener)
  } catch (error) {
    release()
    throw error
  }
}

function record(
  stream: MediaStream,
  context: AudioContext,
  mimeType: string,
  release: () => void,
  { onLevel, onEnd }: RecordingListener,
): Recording {
  const analyser = context.createAnalyser()
  context.createMediaStreamSource(stream).connect(analyser)
  const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: bitsPerSecond })
  const chunks: Blob[] = []
  const levels: number[] = []
  const startedAt = performance.now()
  let elapsedMs = 0
  const measure = () => {
    elapsedMs = Math.min(performance.now() - startedAt, maxMs)
    const level = readLevel(analyser)
    levels.push(level)
    onLevel(level, elapsedMs)
    if (elapsedMs === maxMs) stop()
  }
  const stop = () => {
    if (recorder.state !== 'inactive') recorder.stop()
  }
  recorder.ondataavailable = ({ data }) => chunks.push(data)
  const stopped = new Promise<void>((resolve) => {
    recorder.onstop = () => {
      clearInterval(timer)
      elapsedMs = Math.min(performance.now() - startedAt, maxMs)
      release()
      onEnd()
      resolve()
    }
  })
  recorder.start()
  const timer = setInterval(measure, levelIntervalMs)
  return {
    cancel: stop,
    finish: async () => {
      stop()
      await stopped
      const type = mimeType.split(';')[0] ?? ''
      const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer())
      if (bytes.length === 0) return null
      const parts = type === 'audio/webm' ? addWebmDuration(bytes, elapsedMs) : [bytes]
      return {
        blob: new Blob(parts, { type }),
        seconds: Math.max(1, Math.round(elapsedMs / 1000)),
        levels: summarizeLevels(levels),
      }
    },
  }
}

/** Returns the current loudness, from 0 to 1. Normal speech reaches about the middle. */
function readLevel(analyser: AnalyserNode): number {
  const samples = new Float32Array(analyser.fftSize)
  analyser.getFloatTimeDomainData(samples)
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  return Math.min(1, power ** 0.25 * 1.6)
}

/** Returns the loudest level of each section of a recording, relative to the loudest of all, as hexadecimal digits. */
export function summarizeLevels(levels: readonly number[]): string {
  const max = Math.max(...levels, 0.2)
  return Array.from({ length: limits.voice.levels }, (_, index) => {
    const start = Math.floor((index * levels.length) / limits.voice.levels)
    const end = Math.max(start + 1, Math.floor(((index + 1) * levels.length) / limits.voice.levels))
    return Math.round((Math.max(0, ...levels.slice(start, end)) / max) * 15).toString(16)
  }).join('')
}

/** Returns the text that tells the user why `startRecording` failed. */
export function recordingErrorText(error: unknown): string {
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return t`Allow microphone access in your browser.`
    case 'NotFoundError':
      return t`No microphone was found. Connect one and try again.`
    case 'NotReadableError':
    case 'AbortError':
      return t`Another app may be using your microphone.`
    default:
      return t`This browser can't record voice messages.`
  }
}

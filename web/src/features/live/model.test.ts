import { expect, test } from 'vitest'
import {
  formatDuration,
  initialStreamState,
  type StreamEvent,
  type StreamState,
  streamReducer,
} from './model'

const granted: StreamEvent = { type: 'granted', at: 1_000, viewers: 9, camera: 'on', microphone: 'on' }
const live: StreamState = { phase: 'live', since: 1_000, viewers: 9, camera: 'on', microphone: 'on' }
const after = (...happenings: StreamEvent[]) => happenings.reduce(streamReducer, initialStreamState)

test('a stream is not live, then live, then ended, and can begin again', () => {
  expect(after({ type: 'asked' })).toEqual({ phase: 'starting' })
  expect(after({ type: 'asked' }, granted)).toEqual(live)
  const ended = after({ type: 'asked' }, granted, { type: 'ended', at: 66_000 })
  expect(ended).toEqual({ phase: 'ended', lasted: 65_000 })
  expect(streamReducer(ended, { type: 'asked' })).toEqual({ phase: 'starting' })
})

test('a refusal is kept until it is tried again', () => {
  const refused = after({ type: 'asked' }, { type: 'refused', problem: 'denied' })
  expect(refused).toEqual({ phase: 'not live', problem: 'denied' })
  expect(streamReducer(refused, { type: 'asked' })).toEqual({ phase: 'starting' })
})

test('camera and microphone are switched each by itself', () => {
  const dark = streamReducer(live, { type: 'switched', kind: 'camera', to: 'off' })
  expect(dark).toEqual({ ...live, camera: 'off' })
  expect(streamReducer(dark, { type: 'switched', kind: 'microphone', to: 'lost' })).toEqual({
    ...live,
    camera: 'off',
    microphone: 'lost',
  })
})

test('what comes too late changes nothing', () => {
  const late: StreamEvent[] = [
    granted,
    { type: 'refused', problem: 'busy' },
    { type: 'switched', kind: 'camera', to: 'on' },
    { type: 'drifted', viewers: 3 },
    { type: 'ended', at: 5 },
  ]
  for (const happening of late) expect(streamReducer(initialStreamState, happening)).toBe(initialStreamState)
  const ended = streamReducer(live, { type: 'ended', at: 2_000 })
  for (const happening of late) expect(streamReducer(ended, happening)).toBe(ended)
  expect(streamReducer(live, { type: 'asked' })).toBe(live)
  expect(streamReducer(live, { type: 'left' })).toBe(initialStreamState)
})

test.each([
  [0, '0:00'],
  [-5, '0:00'],
  [7_999, '0:07'],
  [754_000, '12:34'],
  [3_723_000, '1:02:03'],
])('%i ms read as %s', (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text))

import { describe, expect, it } from 'vitest'
import {
  formatDuration,
  initialStreamState,
  initialViewerCount,
  nextViewerCount,
  type StreamEvent,
  type StreamState,
  streamReducer,
} from './model'

const started: StreamEvent = { type: 'started', at: 1_000, viewers: 9, camera: 'on', microphone: 'on' }
const live: StreamState = { phase: 'live', startedAt: 1_000, viewers: 9, camera: 'on', microphone: 'on' }
const stateAfter = (...events: StreamEvent[]) => events.reduce(streamReducer, initialStreamState)

describe('streamReducer', () => {
  it('goes from idle to starting, live and ended, and starts again', () => {
    expect(stateAfter({ type: 'start_requested' })).toEqual({ phase: 'starting' })
    expect(stateAfter({ type: 'start_requested' }, started)).toEqual(live)
    const ended = stateAfter({ type: 'start_requested' }, started, { type: 'ended', at: 66_000 })
    expect(ended).toEqual({ phase: 'ended', durationMs: 65_000 })
    expect(streamReducer(ended, { type: 'start_requested' })).toEqual({ phase: 'starting' })
  })

  it('keeps the problem until the stream is started again', () => {
    const failed = stateAfter({ type: 'start_requested' }, { type: 'start_failed', problem: 'denied' })
    expect(failed).toEqual({ phase: 'idle', problem: 'denied' })
    expect(streamReducer(failed, { type: 'start_requested' })).toEqual({ phase: 'starting' })
  })

  it('changes camera and microphone independently', () => {
    const withoutCamera = streamReducer(live, { type: 'device_changed', kind: 'camera', status: 'off' })
    expect(withoutCamera).toEqual({ ...live, camera: 'off' })
    expect(
      streamReducer(withoutCamera, { type: 'device_changed', kind: 'microphone', status: 'lost' }),
    ).toEqual({ ...live, camera: 'off', microphone: 'lost' })
  })

  it('ignores late events', () => {
    const lateEvents: StreamEvent[] = [
      started,
      { type: 'start_failed', problem: 'busy' },
      { type: 'device_changed', kind: 'camera', status: 'on' },
      { type: 'viewers_changed', viewers: 3 },
      { type: 'ended', at: 5 },
    ]
    for (const event of lateEvents) expect(streamReducer(initialStreamState, event)).toBe(initialStreamState)
    const ended = streamReducer(live, { type: 'ended', at: 2_000 })
    for (const event of lateEvents) expect(streamReducer(ended, event)).toBe(ended)
    expect(streamReducer(live, { type: 'start_requested' })).toBe(live)
  })

  it('returns to the initial state when the dialog closes', () => {
    expect(streamReducer(live, { type: 'closed' })).toBe(initialStreamState)
  })
})

describe('formatDuration', () => {
  it.each([
    [0, '0:00'],
    [-5, '0:00'],
    [7_999, '0:07'],
    [754_000, '12:34'],
    [3_723_000, '1:02:03'],
  ])('formats %i ms as %s', (durationMs, text) => expect(formatDuration(durationMs)).toBe(text))
})

/** 1000 evenly spaced numbers in [0, 1). */
const randomValues = Array.from({ length: 1000 }, (_, index) => index / 1000)

describe('initialViewerCount', () => {
  it('returns each number from 5 to 24 with equal probability', () => {
    const counts = randomValues.map((value) => initialViewerCount(() => value))
    expect(Math.min(...counts)).toBe(5)
    expect(Math.max(...counts)).toBe(24)
    expect(new Set(counts).size).toBe(20)
    expect(counts.filter((count) => count === 5)).toHaveLength(50)
  })
})

describe('nextViewerCount', () => {
  it('changes the number by at most 3', () => {
    const changes = randomValues.map((value) => nextViewerCount(12, () => value) - 12)
    expect([...new Set(changes)]).toEqual([-3, -2, -1, 0, 1, 2, 3])
  })

  it('never returns a negative number', () => {
    for (const viewers of [0, 1, 2]) expect(nextViewerCount(viewers, () => 0)).toBe(0)
    expect(nextViewerCount(3, () => 0)).toBe(0)
    expect(nextViewerCount(4, () => 0)).toBe(1)
  })
})

import { describe, expect, it } from 'vitest'
import { FrameBuffer, SharedFrame } from '../../stack/realtime/frames.ts'

const frame = (name: string, droppable: boolean) => new SharedFrame(droppable, () => name)
const droppable = (name: string) => frame(name, true)
const required = (name: string) => frame(name, false)
const names = (buffer: FrameBuffer) => buffer.all().map((item) => item.for('2.0.0'))

describe('FrameBuffer', () => {
  it('drops droppable frames to make room for required ones, and reports a required frame that does not fit', () => {
    const buffer = new FrameBuffer(3)
    for (const item of [required('a'), droppable('b'), droppable('c'), droppable('d')]) {
      expect(buffer.add(item)).toBe(true)
    }
    expect(names(buffer)).toEqual(['a', 'b', 'c'])
    expect(buffer.add(required('e'))).toBe(true)
    expect(buffer.add(required('f'))).toBe(true)
    expect(names(buffer)).toEqual(['a', 'e', 'f'])
    expect(buffer.add(required('g'))).toBe(false)
    expect(buffer.add(droppable('h'))).toBe(true)
    expect(names(buffer)).toEqual(['a', 'e', 'f'])
  })

  it('drops the frames up to and including the last one that matches', () => {
    const buffer = new FrameBuffer(4)
    const [a, b, c, d] = [required('a'), required('b'), droppable('c'), required('d')]
    for (const item of [a, b, c, d]) buffer.add(item)
    buffer.dropThroughLast(() => false)
    expect(names(buffer)).toEqual(['a', 'b', 'c', 'd'])
    buffer.dropThroughLast((item) => item === a || item === c)
    expect(names(buffer)).toEqual(['d'])
    buffer.dropThroughLast((item) => item === d)
    expect(names(buffer)).toEqual([])
  })
})

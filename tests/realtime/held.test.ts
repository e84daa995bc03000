import { expect, it } from 'vitest'
import { HeldFrames } from '../../stack/realtime/held.ts'
import { SharedFrame } from '../../stack/realtime/registry.ts'

const frame = (name: string, droppable: boolean) => new SharedFrame(droppable, () => name)
const hint = (name: string) => frame(name, true)
const told = (name: string) => frame(name, false)
const names = (held: HeldFrames) => held.all().map((one) => one.for('2.0.0'))

it('gives up hints for what must not be lost, and says when there is no room for that', () => {
  const held = new HeldFrames(3)
  for (const one of [told('a'), hint('b'), hint('c'), hint('d')]) expect(held.keep(one)).toBe(true)
  expect(names(held)).toEqual(['a', 'b', 'c'])
  expect(held.keep(told('e'))).toBe(true)
  expect(held.keep(told('f'))).toBe(true)
  expect(names(held)).toEqual(['a', 'e', 'f'])
  expect(held.keep(told('g'))).toBe(false)
  expect(held.keep(hint('h'))).toBe(true)
  expect(names(held)).toEqual(['a', 'e', 'f'])
})

import { expect, test } from 'vitest'
import { arrowKeyOffset } from './arrow-key-offset'

const press = (key: string, held: object = {}) =>
  arrowKeyOffset({ key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...held })

test('arrows move by 1, by 10 with Shift, by 100 with Ctrl or Option', () => {
  expect(press('ArrowLeft')).toEqual({ x: -1, y: 0 })
  expect(press('ArrowDown', { shiftKey: true })).toEqual({ x: 0, y: 10 })
  for (const held of [{ ctrlKey: true }, { altKey: true }, { ctrlKey: true, shiftKey: true }]) {
    expect(press('ArrowUp', held)).toEqual({ x: 0, y: -100 })
  }
})

test('the browser keeps its own keys', () => {
  expect(press('ArrowLeft', { metaKey: true })).toBeNull()
  expect(press('a')).toBeNull()
})

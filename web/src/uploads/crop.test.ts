import { expect, test } from 'vitest'
import { arrowKeyOffset } from './crop'

const press = (key: string, modifiers: object = {}) =>
  arrowKeyOffset({ key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...modifiers })

test('arrow keys move the image by 1 pixel, by 10 with Shift, and by 100 with Ctrl or Option', () => {
  expect(press('ArrowLeft')).toEqual({ x: -1, y: 0 })
  expect(press('ArrowDown', { shiftKey: true })).toEqual({ x: 0, y: 10 })
  for (const modifiers of [{ ctrlKey: true }, { altKey: true }, { ctrlKey: true, shiftKey: true }]) {
    expect(press('ArrowUp', modifiers)).toEqual({ x: 0, y: -100 })
  }
})

test('ignores other keys and browser shortcuts', () => {
  expect(press('ArrowLeft', { metaKey: true })).toBeNull()
  expect(press('a')).toBeNull()
})

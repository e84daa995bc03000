import { beforeEach, expect, test, vi } from 'vitest'
import { markUpdatesSeen, readSeenUpdates } from './seen-updates'

const dayMs = 24 * 60 * 60_000
const items = new Map<string, string>()

beforeEach(() => {
  items.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
  })
})

test('remembers for each user when they opened a profile', () => {
  markUpdatesSeen('fan', 'ana', 1000)
  markUpdatesSeen('fan', 'ben', 2000)
  markUpdatesSeen('fan', 'ana', 3000)
  expect(readSeenUpdates('fan', 3000)).toEqual(
    new Map([
      ['ana', 3000],
      ['ben', 2000],
    ]),
  )
  expect(readSeenUpdates('other', 3000)).toEqual(new Map())
})

test('forgets a profile after two weeks', () => {
  markUpdatesSeen('fan', 'ana', 0)
  markUpdatesSeen('fan', 'ben', 14 * dayMs)
  expect(readSeenUpdates('fan', 14 * dayMs)).toEqual(new Map([['ben', 14 * dayMs]]))
})

test('treats unreadable data as nothing seen', () => {
  items.set('ovation:fan:seen-updates', '{"ana":"x"')
  expect(readSeenUpdates('fan')).toEqual(new Map())
})

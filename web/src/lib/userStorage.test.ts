import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { firmStorage, forgetUser, userStorage } from './userStorage'

/** What a browser keeps; while `full`, it takes nothing more. */
const browser = { full: false, kept: new Map<string, string>() }

beforeEach(() => {
  browser.full = false
  browser.kept.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => browser.kept.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (browser.full) throw new DOMException('full', 'QuotaExceededError')
      browser.kept.set(key, value)
    },
    removeItem: (key: string) => void browser.kept.delete(key),
  })
})
afterEach(() => {
  forgetUser('mona')
  vi.unstubAllGlobals()
})

test('what a full browser does not take stays as long as the page, and no longer than its person', () => {
  firmStorage('mona').set('tip', 'first')
  browser.full = true
  firmStorage('mona').set('tip', 'second')
  expect([firmStorage('mona').get('tip'), userStorage('mona').get('tip')]).toEqual(['second', 'first'])
  expect(firmStorage('nils').get('tip')).toBeNull()
  forgetUser('mona')
  expect(firmStorage('mona').get('tip')).not.toBe('second')
  firmStorage('mona').set('tip', 'third')
  firmStorage('mona').remove('tip')
  expect(firmStorage('mona').get('tip')).toBeNull()
})

test('what the browser takes is that of all its tabs', () => {
  browser.full = true
  firmStorage('mona').set('tip', 'here')
  browser.full = false
  firmStorage('mona').set('tip', 'everywhere')
  // Another tab has its answer.
  userStorage('mona').remove('tip')
  expect(firmStorage('mona').get('tip')).toBeNull()
})

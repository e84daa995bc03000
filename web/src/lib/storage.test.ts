import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearUserStorage, durableStorage, userStorage } from './storage'

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
  clearUserStorage('mona')
  vi.unstubAllGlobals()
})

test('what a full browser does not take stays as long as the page, and no longer than its person', () => {
  durableStorage('mona').set('tip', 'first')
  browser.full = true
  durableStorage('mona').set('tip', 'second')
  expect([durableStorage('mona').get('tip'), userStorage('mona').get('tip')]).toEqual(['second', 'first'])
  expect(durableStorage('nils').get('tip')).toBeNull()
  clearUserStorage('mona')
  expect(durableStorage('mona').get('tip')).not.toBe('second')
  durableStorage('mona').set('tip', 'third')
  durableStorage('mona').remove('tip')
  expect(durableStorage('mona').get('tip')).toBeNull()
})

test('what the browser takes is that of all its tabs', () => {
  browser.full = true
  durableStorage('mona').set('tip', 'here')
  browser.full = false
  durableStorage('mona').set('tip', 'everywhere')
  // Another tab has its answer.
  userStorage('mona').remove('tip')
  expect(durableStorage('mona').get('tip')).toBeNull()
})

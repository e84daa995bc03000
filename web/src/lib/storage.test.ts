import { createElement, useState } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clearUserStorage, createDraftStore, durableStorage, userStorage, useStoredDraft } from './storage'

/** The content of localStorage, which rejects writes while `isFull` is true. */
const items = new Map<string, string>()
let isFull = false

beforeEach(() => {
  isFull = false
  items.clear()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError')
      items.set(key, value)
    },
    removeItem: (key: string) => void items.delete(key),
  })
})
afterEach(() => {
  clearUserStorage('mona')
  vi.unstubAllGlobals()
})

describe('durableStorage', () => {
  test('keeps values in memory while localStorage is full, until the user signs out', () => {
    durableStorage('mona').set('tip', 'first')
    isFull = true
    durableStorage('mona').set('tip', 'second')
    expect([durableStorage('mona').get('tip'), userStorage('mona').get('tip')]).toEqual(['second', 'first'])
    expect(durableStorage('nils').get('tip')).toBeNull()
    clearUserStorage('mona')
    expect(durableStorage('mona').get('tip')).not.toBe('second')
    durableStorage('mona').set('tip', 'third')
    durableStorage('mona').remove('tip')
    expect(durableStorage('mona').get('tip')).toBeNull()
  })

  test('shares a value with other tabs once localStorage accepts writes again', () => {
    isFull = true
    durableStorage('mona').set('tip', 'here')
    isFull = false
    durableStorage('mona').set('tip', 'everywhere')
    // Another tab removes the value.
    userStorage('mona').remove('tip')
    expect(durableStorage('mona').get('tip')).toBeNull()
  })
})

/** Creates the draft store of one tab. All tabs share localStorage. */
const createTab = () =>
  createDraftStore<string>({
    empty: () => '',
    parse: (stored) => stored?.slice(1, -1),
    isEmpty: (text) => text === '',
  })

const sharedDrafts = createTab()
const rendered: string[] = []

/** Rerenders with another name, like a component on a post page when the user opens another post. */
function Box() {
  const [name, setName] = useState('a')
  rendered.push(useStoredDraft(sharedDrafts, 'ada', name))
  if (name === 'a') setName('b')
  return null
}

describe('drafts', () => {
  const dispatch = (type: string, fields: object) =>
    window.dispatchEvent(Object.assign(new Event(type), fields))

  test('read what another tab wrote while no component of this tab showed the draft', () => {
    const [here, there] = [createTab(), createTab()]
    const unfollow = here.follow('ada', 'a')
    here.set('ada', 'a', 'mine')
    unfollow()
    there.follow('ada', 'a')
    expect(there.get('ada', 'a')).toBe('mine')
    there.set('ada', 'a', 'mine, and more')
    here.follow('ada', 'a')()
    expect(here.store.getState()).toEqual({ [userStorage('ada').key('a')]: 'mine, and more' })
    there.set('ada', 'a', '')
    here.follow('ada', 'a')()
    expect(Object.values(here.store.getState())).toEqual([''])
  })

  test('follow what another tab writes, including after a return from the back/forward cache', () => {
    const [here, there] = [createTab(), createTab()]
    here.follow('ada', 'a')
    const cached = () => Object.values(here.store.getState())
    there.set('ada', 'a', 'one')
    dispatch('storage', { key: userStorage('ada').key('b') })
    expect(cached()).toEqual([''])
    dispatch('storage', { key: userStorage('ada').key('a') })
    expect(cached()).toEqual(['one'])
    there.set('ada', 'a', '')
    dispatch('pageshow', { persisted: false })
    expect(cached()).toEqual(['one'])
    dispatch('pageshow', { persisted: true })
    expect(cached()).toEqual([''])
  })

  test('stay in memory when localStorage is full', () => {
    const drafts = createTab()
    drafts.set('ada', 'a', 'short')
    isFull = true
    drafts.set('ada', 'a', 'too long to store')
    drafts.set('ada', 'b', 'never stored')
    for (const name of ['a', 'b']) drafts.follow('ada', name)()
    expect([drafts.get('ada', 'a'), drafts.get('ada', 'b')]).toEqual(['too long to store', 'never stored'])
  })

  test('change when the same component gets another name', () => {
    for (const name of ['a', 'b']) userStorage('ada').set(name, JSON.stringify(`about ${name}`))
    renderToStaticMarkup(createElement(Box))
    expect(rendered).toEqual(['about a', 'about b'])
  })
})

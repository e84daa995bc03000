import { createElement, useState } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDraftStore, useStoredDraft } from './drafts'
import { userStorage } from './storage'

/** Drafts as one tab has them; the browser's storage is shared. */
const tab = () =>
  createDraftStore<string>({
    empty: () => '',
    parse: (stored) => stored?.slice(1, -1),
    isEmpty: (text) => text === '',
  })

let storage: Map<string, string>
/** What storage does with what it is given: keep it, or refuse it. */
let refuse = false
beforeEach(() => {
  storage = new Map()
  refuse = false
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (refuse) throw new Error('There is no room.')
      storage.set(key, value)
    },
    removeItem: (key: string) => storage.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

const shows = (drafts: ReturnType<typeof tab>) => drafts.current('ada', 'a')
const tell = (type: string, fields: object) => window.dispatchEvent(Object.assign(new Event(type), fields))

test('what another tab wrote while nothing showed the draft here counts', () => {
  const [here, there] = [tab(), tab()]
  const leave = here.follow('ada', 'a')
  here.keep('ada', 'a', 'mine')
  leave()
  there.follow('ada', 'a')
  expect(shows(there)).toBe('mine')
  there.keep('ada', 'a', 'mine, and more')
  here.follow('ada', 'a')()
  expect(here.store.getState()).toEqual({ [userStorage('ada').key('a')]: 'mine, and more' })
  there.keep('ada', 'a', '')
  here.follow('ada', 'a')()
  expect(Object.values(here.store.getState())).toEqual([''])
})

test('what another tab writes is shown at once, and when a page comes back from the history', () => {
  const [here, there] = [tab(), tab()]
  here.follow('ada', 'a')
  const held = () => Object.values(here.store.getState())
  there.keep('ada', 'a', 'one')
  tell('storage', { key: userStorage('ada').key('b') })
  expect(held()).toEqual([''])
  tell('storage', { key: userStorage('ada').key('a') })
  expect(held()).toEqual(['one'])
  there.keep('ada', 'a', '')
  tell('pageshow', { persisted: false })
  expect(held()).toEqual(['one'])
  tell('pageshow', { persisted: true })
  expect(held()).toEqual([''])
})

test('where storage takes nothing in, or no more, nothing that was written is lost', () => {
  const drafts = tab()
  drafts.keep('ada', 'a', 'short')
  refuse = true
  drafts.keep('ada', 'a', 'too long to keep')
  drafts.keep('ada', 'b', 'never kept')
  for (const name of ['a', 'b']) drafts.follow('ada', name)()
  expect([drafts.current('ada', 'a'), drafts.current('ada', 'b')]).toEqual(['too long to keep', 'never kept'])
})

const about = tab()
const shown: string[] = []

/** Drawn again with another name, as where one post's page follows another's. */
function Box() {
  const [name, setName] = useState('a')
  shown.push(useStoredDraft(about, 'ada', name))
  if (name === 'a') setName('b')
  return null
}

test('one box that goes on to another draft shows that one', () => {
  for (const name of ['a', 'b']) userStorage('ada').set(name, JSON.stringify(`about ${name}`))
  renderToStaticMarkup(createElement(Box))
  expect(shown).toEqual(['about a', 'about b'])
})

import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { beforeEach, expect, test, vi } from 'vitest'
import { activateInitialLanguage, setLanguage, useLanguage } from './language'

const root = { lang: '', dir: '' }
const storage = new Map<string, string>()
vi.stubGlobal('document', { documentElement: root })
vi.stubGlobal('localStorage', {
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, value: string) => storage.set(key, value),
  removeItem: (key: string) => storage.delete(key),
})

const useBrowserLanguages = (...languages: string[]) => vi.stubGlobal('navigator', { languages })

beforeEach(async () => {
  useBrowserLanguages('en-US')
  await setLanguage(null)
})

test("activates the first of the browser's languages that the app supports", async () => {
  useBrowserLanguages('fr-FR', 'es-MX', 'en-GB')
  await activateInitialLanguage()
  expect(i18n.locale).toBe('es')
  expect(i18n.locales).toEqual(['es-MX', 'es'])
  expect(root.lang).toBe('es')
})

test('ignores invalid locales of the browser', async () => {
  useBrowserLanguages('en-US@posix', 'C', 'en-GB')
  await activateInitialLanguage()
  expect(i18n.locales).toEqual(['en-GB', 'en'])
})

test("stores the user's choice", async () => {
  await setLanguage('es')
  expect(useLanguage.getState().selected).toBe('es')
  useBrowserLanguages('en-US')
  await activateInitialLanguage()
  expect(i18n.locale).toBe('es')
})

test('activates the language that was chosen last, whichever catalog is loaded first', async () => {
  await Promise.all([setLanguage('es'), setLanguage('en')])
  expect(i18n.locale).toBe('en')
  expect(useLanguage.getState().selected).toBe('en')
})

test('does not change text that users have written', () => {
  for (const name of ['a\\u202eb', '</0><1>x', 'C:\\new', '{name}', '#'])
    expect(t`Block ${name}?`).toBe(`Block ${name}?`)
})

test('does not parse tags in the values of a translated element', () => {
  const text = i18n._('<0>{name}</0> follows you', { name: '</0>\\u202e<1/>' })
  expect(text).toBe('<0><\u2060/0>\\u202e<\u20601/></0> follows you')
  // If a value is an element, `<Trans>` passes a placeholder such as `<0/>` instead.
  expect(i18n._('{name} follows you', { name: '<0/>' })).toBe('<0/> follows you')
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { languageKey } from '@/locales/language'
import { colorModeKey } from './color-mode'
import { flashToastKey } from './toaster'
import { semanticTokens } from './tokens'

const script = readFileSync(new URL('../../public/boot.js', import.meta.url), 'utf8')

test('boot.js sets the theme’s background color before the styles load', () => {
  const colors = /backgroundColor = shown === 'dark' \? '(.*)' : '(.*)'/.exec(script)
  const { _dark, _light } = semanticTokens.colors.bg.value
  expect(colors?.slice(1)).toEqual([_dark, _light])
})

test('boot.js reads the stored color mode, language and toast', () => {
  const keys = [...script.matchAll(/Storage\.getItem\('(.*)'\)/g)].map(([, key]) => key)
  expect(keys).toEqual([colorModeKey, languageKey, flashToastKey])
})

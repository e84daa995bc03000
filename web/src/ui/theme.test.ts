import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { semanticTokens } from './tokens'

test('boot.js sets the theme’s background color before the styles load', () => {
  const script = readFileSync(new URL('../../public/boot.js', import.meta.url), 'utf8')
  const colors = /backgroundColor = shown === 'dark' \? '(.*)' : '(.*)'/.exec(script)
  const { _dark, _light } = semanticTokens.colors.bg.value
  expect(colors?.slice(1)).toEqual([_dark, _light])
})

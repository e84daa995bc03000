import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { semanticTokens } from './tokens'

test('the page is painted in the theme’s own background before the theme is there', () => {
  const script = readFileSync(new URL('../../public/theme.js', import.meta.url), 'utf8')
  const painted = /backgroundColor = shown === 'dark' \? '(.*)' : '(.*)'/.exec(script)
  const { _dark, _light } = semanticTokens.colors.bg.value
  expect(painted?.slice(1)).toEqual([_dark, _light])
})

import { expect, test } from 'vitest'
import { isolateBidi, withoutBidiControls } from './bidi'

test('controls of direction go, and nothing else', () => {
  expect(withoutBidiControls('\u202Eevil\u202C \u2066x\u2069 \u200Fא\u200E \u061C')).toBe('evil x א ')
  // Joiners belong to emoji and to scripts, and stay.
  expect(withoutBidiControls('👩‍🚀 می‌خواهم')).toBe('👩‍🚀 می‌خواهم')
})

test('what is isolated cannot end its isolation', () => {
  expect(isolateBidi('a\u2069\u202Eb')).toBe('\u2068ab\u2069')
})

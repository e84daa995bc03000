import { expect, test } from 'vitest'
import { loginUrl } from './login-redirect'

const place = (pathname: string, search = '', hash = '') => loginUrl({ pathname, search, hash })

test('signing in leads back to the place that was left, with its query and fragment', () => {
  expect(place('/search', '?q=a&b', '#top')).toBe('/api/login?next=%2Fsearch%3Fq%3Da%26b%23top')
})

test('the home page, and what is no place to come back to, need no mention', () => {
  expect(place('/')).toBe('/api/login')
  expect(place('/login', '?next=/saved')).toBe('/api/login')
  expect(place('//evil.example')).toBe('/api/login')
})

import { expect, test } from 'vitest'
import { loginUrl } from './login-redirect'

const urlFor = (pathname: string, search = '', hash = '') => loginUrl({ pathname, search, hash })

test('includes the current path with its query and fragment', () => {
  expect(urlFor('/search', '?q=a&b', '#top')).toBe('/api/login?next=%2Fsearch%3Fq%3Da%26b%23top')
})

test('omits the paths of the home and login pages, and unsafe paths', () => {
  expect(urlFor('/')).toBe('/api/login')
  expect(urlFor('/login', '?next=/saved')).toBe('/api/login')
  expect(urlFor('//evil.example')).toBe('/api/login')
})

import { safeReturnPath } from '@contract/return-path.ts'
import { describe, expect, it } from 'vitest'
import { call } from '../support/api.ts'

describe('the return path after signing in', () => {
  it('is a page of this site', () => {
    for (const [path, expected] of [
      ['/', '/'],
      ['/settings?tab=security#sessions', '/settings?tab=security#sessions'],
      ['/messages?user=1&q=a%26b', '/messages?user=1&q=a%26b'],
      ['/search?q=https://evil.test', '/search?q=https://evil.test'],
      ['/profile/loginova', '/profile/loginova'],
      ['/topic/ütf 8', '/topic/%C3%BCtf%208'],
      ['/saved/../following', '/following'],
    ]) {
      expect([path, safeReturnPath(path)]).toEqual([path, expected])
    }
  })

  it('is never another site, a file, an endpoint or a sign-in page, in any spelling', () => {
    for (const path of [
      ...['', null, undefined, 'saved', './saved', '?q=1', '#top'],
      ...['https://evil.test', 'HTTPS:/evil.test', 'javascript:alert(1)', 'data:text/html,x', ' /saved'],
      ...['//evil.test', '///evil.test', '/\\evil.test', '\\\\evil.test', '/\t/evil.test', '/\n//evil.test'],
      ...['/\r\n/evil.test', '//evil.test/%2e%2e', '/.//evil.test', '/saved/..//evil.test', '/\t\\evil.test'],
      ...['//user@evil.test', '//evil.test:80', '/%2e//evil.test', '//[::1]', '//%'],
      ...['/api/logout', '/api', '/api/../api/logout', '/%61pi/logout', '/api%2Flogout', '/x/../api/logout'],
      ...[
        '/login',
        '/login?next=/login',
        '/register',
        '/forgot-password',
        '/reset-password?token=x',
        '/assets/a.js',
        '/API/logout',
        '/LOGIN',
        '/Reset-Password/',
        '/rest/v1/profiles',
        '/storage/v1/object/x',
        '/index.html',
      ],
      `/${'x'.repeat(2000)}`,
    ]) {
      expect([path, safeReturnPath(path)]).toEqual([path, null])
    }
  })

  it('is passed on to the sign-in page only if it is safe', async () => {
    for (const [query, location] of [
      ['', '/login'],
      ['?next=%2Fsettings%3Ftab%3Dsecurity%26x%3D1', '/login?next=%2Fsettings%3Ftab%3Dsecurity%26x%3D1'],
      ['?next=/saved', '/login?next=%2Fsaved'],
      ['?next=/saved&next=//evil.test', '/login?next=%2Fsaved'],
      ['?next=//evil.test', '/login'],
      ['?next=%2F%2Fevil.test', '/login'],
      ['?next=%2F%09%2Fevil.test', '/login'],
      ['?next=%2F%5Cevil.test', '/login'],
      ['?next=/api/logout', '/login'],
      ['?next=%00', '/login'],
      ['?next=%', '/login'],
    ]) {
      const response = await call('GET', `/api/login${query}`)
      expect([query, response.status, response.headers.get('Location')]).toEqual([query, 302, location])
    }
  })
})

import { sessionCookieName } from '@contract/session-cookie.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { onSignInElsewhere } from './tabs'

const page = Object.assign(new EventTarget(), { visibilityState: 'visible', cookie: '' })
const otherTab: { onmessage?: (event: { data: unknown }) => void } = {}

function openChannel() {
  return otherTab
}

beforeAll(() => {
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('BroadcastChannel', openChannel)
})
afterAll(() => vi.unstubAllGlobals())

function sessionCookie(userId: string): string {
  const session = { access_token: `x.${btoa(`{"sub":"${userId}"}`)}.x`, refresh_token: 'r', expires_at: 0 }
  return `${sessionCookieName}=${encodeURIComponent(JSON.stringify(session))}`
}

test('notifies a visitor’s page that becomes visible after a user has signed in', async () => {
  const listener = vi.fn()
  const stop = onSignInElsewhere(listener)
  page.dispatchEvent(new Event('visibilitychange'))
  expect(listener).not.toHaveBeenCalled()
  page.cookie = sessionCookie('ada')
  page.dispatchEvent(new Event('visibilitychange'))
  await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(1))
  stop()
  page.dispatchEvent(new Event('visibilitychange'))
  expect(listener).toHaveBeenCalledTimes(1)
})

test('notifies a visitor’s page once the cookies of the other tab have arrived', async () => {
  page.cookie = ''
  const listener = vi.fn()
  const stop = onSignInElsewhere(() => listener(page.cookie))
  otherTab.onmessage?.({ data: { userId: 'ada' } })
  expect(listener).not.toHaveBeenCalled()
  page.cookie = sessionCookie('ada')
  await vi.waitFor(() => expect(listener).toHaveBeenCalledWith(sessionCookie('ada')))
  stop()
})

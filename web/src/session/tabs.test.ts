import { sessionCookieName } from '@contract/auth.ts'
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

function keep(userId: string): string {
  const session = { access_token: `x.${btoa(`{"sub":"${userId}"}`)}.x`, refresh_token: 'r', expires_at: 0 }
  return `${sessionCookieName}=${encodeURIComponent(JSON.stringify(session))}`
}

test('a visitor’s page that is looked at again learns that somebody signed in meanwhile', () => {
  const arrived = vi.fn()
  const stop = onSignInElsewhere(arrived)
  page.dispatchEvent(new Event('visibilitychange'))
  expect(arrived).not.toHaveBeenCalled()
  page.cookie = keep('ada')
  page.dispatchEvent(new Event('visibilitychange'))
  expect(arrived).toHaveBeenCalledTimes(1)
  stop()
  page.dispatchEvent(new Event('visibilitychange'))
  expect(arrived).toHaveBeenCalledTimes(1)
})

test('word from another tab counts once its cookies are here', async () => {
  page.cookie = ''
  const seen = vi.fn()
  const stop = onSignInElsewhere(() => seen(page.cookie))
  otherTab.onmessage?.({ data: { userId: 'ada' } })
  expect(seen).not.toHaveBeenCalled()
  page.cookie = keep('ada')
  await vi.waitFor(() => expect(seen).toHaveBeenCalledWith(keep('ada')))
  stop()
})

import { afterAll, expect, it } from 'vitest'
import { PermissionChecker } from '../../stack/realtime/permission-checker.ts'
import type { Identity } from '../../stack/shared/authenticator.ts'
import { stack } from '../support/stack.ts'
import { createRealtimeUser, type RealtimeUser } from './realtime-fixture.ts'

const checker = new PermissionChecker(stack.databaseUrl)

afterAll(() => checker.close())

function identityOf({ id, sessionId }: RealtimeUser): Identity {
  const claims = { sub: id, role: 'authenticated', session_id: sessionId }
  return { role: 'authenticated', claims, userId: id, sessionId, expiresAt: null }
}

it('the permission checker checks one account without waiting for many checks of another', async () => {
  const [ada, ben] = await Promise.all([createRealtimeUser(), createRealtimeUser()])
  const check = (user: RealtimeUser) =>
    checker.readableExtensions(identityOf(user), `user:${user.id}`, ['broadcast'])
  let done = 0
  const many = Array.from({ length: 200 }, () => check(ada).finally(() => (done += 1)))
  expect(await check(ben)).toEqual(new Set(['broadcast']))
  expect(done).toBeLessThan(50)
  for (const readable of await Promise.all(many)) expect(readable).toEqual(new Set(['broadcast']))
})

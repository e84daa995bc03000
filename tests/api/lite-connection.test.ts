import { afterEach, expect, it, vi } from 'vitest'
import { connectToDatabase } from '../../stack/shared/lite-connection.ts'
import { stack } from '../support/stack.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('the connections of Auth, Storage and the Data API stay open after a day without use', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  const { driver } = connectToDatabase(stack.databaseUrl, 1)
  const readProcessId = async () => (await driver<{ id: number }[]>`select pg_backend_pid() as id`)[0]?.id
  const before = await readProcessId()
  await vi.advanceTimersByTimeAsync(24 * 60 * 60 * 1000)
  expect(await readProcessId()).toBe(before)
  await driver.end({ timeout: 1 })
})

import { expect, test } from 'playwright/test'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { discard, killStack, startStack, temporaryFolder } from '../support/own-stack.ts'
import { arrive, openConversation, say, thread } from './support.ts'

test('a message written while the stack is dead arrives once it is back, on pages that were never reloaded', async ({
  browser,
}) => {
  test.setTimeout(180_000)
  const dataDir = temporaryFolder()
  let stack = startStack(dataDir, await freePort())
  try {
    const options = { baseURL: (await stack.ready()).apiUrl }
    const ana = await arrive(browser, 'Ana Weiss', options)
    const ben = await arrive(browser, 'Ben Sato', options)
    await openConversation(ana.page, ben.who)
    await openConversation(ben.page, ana.who)
    await say(ana.page, 'Before the cut')
    await expect(thread(ben.page).getByText('Before the cut')).toBeVisible()

    await killStack(stack)
    await say(ana.page, 'Into the dark')
    const pending = thread(ana.page).getByText('Into the dark')
    await expect(pending).toBeVisible()
    stack = startStack(dataDir, stack.port)
    await stack.ready()

    const received = thread(ben.page).getByText('Into the dark')
    await expect(received).toBeVisible({ timeout: 60_000 })
    await expect(thread(ben.page).getByText('Before the cut')).toHaveCount(1)
    await expect(received).toHaveCount(1)
    await expect(pending).toHaveCount(1)
    await say(ben.page, 'And back again')
    await expect(thread(ana.page).getByText('And back again')).toBeVisible({ timeout: 40_000 })
    await ana.context.close()
    await ben.context.close()
  } finally {
    await discard(stack, dataDir)
  }
})

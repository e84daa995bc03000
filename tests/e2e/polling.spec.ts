import { expect, test } from 'playwright/test'
import { arrive, openConversation, say, thread } from './support.ts'

test('with Realtime switched off the page says so, and a message is there within 30 seconds', async ({
  browser,
}) => {
  const [ana, ben] = [await arrive(browser, 'Ana Lund'), await arrive(browser, 'Ben Haile')]
  await ana.page.routeWebSocket(/\/realtime\/v1\/websocket/, (socket) => socket.close())
  await openConversation(ana.page, ben.who)
  await expect(ana.page.getByText('Live updates are paused. Checking every 30 seconds.')).toBeVisible({
    timeout: 30_000,
  })
  await openConversation(ben.page, ana.who)
  await say(ben.page, 'Can you read this?')
  // And it takes a moment to ask, and to draw it.
  await expect(thread(ana.page).getByText('Can you read this?')).toBeVisible({ timeout: 33_000 })
  await ana.context.close()
  await ben.context.close()
})

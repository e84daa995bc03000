import { expect, test } from 'playwright/test'
import { messageThread, openConversation, sendChatMessage } from './support/conversation.ts'
import { createUserOnHomeFeed } from './support/users.ts'

test.describe('Conversation without Realtime', () => {
  test('says that live updates are paused and shows a new message within 30 seconds', async ({ browser }) => {
    const [ana, ben] = [
      await createUserOnHomeFeed(browser, 'Ana Lund'),
      await createUserOnHomeFeed(browser, 'Ben Haile'),
    ]
    await ana.page.routeWebSocket(/\/realtime\/v1\/websocket/, (socket) => socket.close())
    await ana.page.clock.install()
    await openConversation(ana.page, ben.account)
    await expect(ana.page.getByText('Live updates are paused. Checking every 30 seconds.')).toBeVisible({
      timeout: 30_000,
    })
    await openConversation(ben.page, ana.account)
    await sendChatMessage(ben.page, 'Can you read this?')
    await ana.page.clock.fastForward('00:30')
    await expect(messageThread(ana.page).getByText('Can you read this?')).toBeVisible({ timeout: 10_000 })
    await ana.context.close()
    await ben.context.close()
  })
})

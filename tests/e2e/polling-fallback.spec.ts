import { expect, test } from 'playwright/test'
import { messageThread, openConversation, sendChatMessage, storedMessages } from './support/conversation.ts'
import { createSignedInUser } from './support/users.ts'

test.describe('Conversation without Realtime', () => {
  test('says that live updates are paused and shows a new message within 30 seconds', async ({ browser }) => {
    const [ana, ben] = [
      await createSignedInUser(browser, 'Ana Lund'),
      await createSignedInUser(browser, 'Ben Haile'),
    ]
    const [receiver, sender] = [await ana.context.newPage(), await ben.context.newPage()]
    await receiver.routeWebSocket(/\/realtime\/v1\/websocket/, (socket) => socket.close())
    await receiver.clock.install()
    await openConversation(receiver, ben.account)
    await expect(receiver.getByText('Live updates are paused. Checking every 30 seconds.')).toBeVisible({
      timeout: 30_000,
    })
    await openConversation(sender, ana.account)
    await sendChatMessage(sender, 'Can you read this?')
    await expect(storedMessages(sender)).toHaveCount(1)
    await receiver.clock.fastForward('00:30')
    await expect(messageThread(receiver).getByText('Can you read this?')).toBeVisible({ timeout: 10_000 })
    await ana.context.close()
    await ben.context.close()
  })
})

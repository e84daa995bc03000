import { expect, type Page, test, type WebSocketRoute } from 'playwright/test'
import { type IsolatedStack, startIsolatedStack } from '../support/isolated-stack.ts'
import {
  messageInput,
  messageThread,
  renderedMessageNumbers,
  sendChatMessage,
} from './support/conversation.ts'
import { createSignedInUser, type SignedInUser } from './support/users.ts'

// One of these tests kills the stack, so they use their own stack.
let stack: IsolatedStack
let ana: SignedInUser
let ben: SignedInUser

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  stack = await startIsolatedStack()
  const options = { baseURL: stack.connection.apiUrl }
  ;[ana, ben] = await Promise.all([
    createSignedInUser(browser, 'Ana Moreau', options, stack.sql),
    createSignedInUser(browser, 'Ben Okoye', options, stack.sql),
  ])
})
test.afterAll(async () => {
  await Promise.all([ana, ben].map((user) => user?.context.close()))
  await stack?.discard()
})

const connectionNotice = /^You're offline|^Can't reach|^Live updates are paused/

const isStrictlyIncreasing = (numbers: number[]) =>
  numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? number))

/** Creates controls for a page's WebSocket: `close` closes it, `goSilent` keeps it open but drops all messages. */
function createSocketControl() {
  let current: { route: WebSocketRoute; isSilent: boolean } | undefined
  const install = (page: Page) =>
    page.routeWebSocket(/\/realtime\/v1\/websocket/, (route) => {
      const server = route.connectToServer()
      const socket = { route, isSilent: false }
      current = socket
      route.onMessage((message) => socket.isSilent || server.send(message))
      server.onMessage((message) => socket.isSilent || route.send(message))
    })
  return {
    install,
    close: () => current?.route.close({ code: 4000 }),
    goSilent: () => {
      if (current) current.isSilent = true
    },
  }
}

/**
 * Scrolls from the end to the first message. Returns every message number that was rendered on the way, and whether
 * the numbers were always in order. Each step scrolls to the topmost rendered message, so that the messages above it
 * are rendered.
 */
const readThreadUpwards = (page: Page) =>
  messageThread(page).evaluate(async (element) => {
    const numbers = new Set<number>()
    let inOrder = true
    for (;;) {
      let previous = 0
      const messages = element.querySelectorAll('[data-message]')
      for (const message of messages) {
        const number = Number(/^Number (\d+)\./.exec(message.textContent ?? '')?.[1])
        if (number <= previous) inOrder = false
        previous = number
        numbers.add(number)
      }
      if (numbers.has(1)) return { numbers: [...numbers], inOrder }
      messages[0]?.scrollIntoView({ block: 'start', behavior: 'instant' })
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    }
  })

/** Opens a user's conversation with another user in a new page. `prepare` runs before the page loads. */
async function openConversationPage(
  user: SignedInUser,
  other: SignedInUser,
  prepare?: (page: Page) => Promise<void>,
): Promise<Page> {
  const page = await user.context.newPage()
  await prepare?.(page)
  await page.goto(`/messages?user=${other.id}`)
  await expect(messageInput(page)).toBeVisible()
  return page
}

test.describe('Message delivery', () => {
  test('delivers 1,000 messages once and in order while the connection is interrupted ten times', async () => {
    const socket = createSocketControl()
    // The API's rate limit does not allow this many messages, so the test inserts them with SQL, which fires the same
    // triggers. Their times are three seconds apart, so that the groups stay small: messages from the same minute are
    // rendered as one group.
    const insertMessages = async (first: number, last: number) => {
      for (let number = first; number <= last; number += 10) {
        await stack.sql`insert into public.messages (sender_id, receiver_id, content, created_at)
                  select ${ana.id}::uuid, ${ben.id}::uuid, 'Number ' || n || '.',
                         clock_timestamp() - (1000 - n) * interval '3 seconds'
                  from generate_series(${number}::int, ${Math.min(number + 9, last)}::int) as n order by n`
      }
    }
    await insertMessages(1, 1)
    const page = await openConversationPage(ben, ana, socket.install)
    await expect(messageThread(page).getByText('Number 1.', { exact: true })).toBeVisible()

    for (let round = 1; round <= 10; round += 1) {
      const before = (round - 1) * 100
      await insertMessages(before + 2, before + 40)
      if (round % 2) socket.close()
      else socket.goSilent()
      await insertMessages(before + 41, before + 90)
      // A page notices a closed socket immediately, but a silent socket only after a missed heartbeat or when the
      // browser goes online.
      if (round % 2 === 0) await page.evaluate(() => window.dispatchEvent(new Event('online')))
      await insertMessages(before + 91, Math.min(before + 101, 1000))
      const latest = messageThread(page).getByText(`Number ${Math.min(before + 101, 1000)}.`, { exact: true })
      await expect(latest).toBeVisible({ timeout: 30_000 })
      expect(isStrictlyIncreasing(await renderedMessageNumbers(page))).toBe(true)
    }

    const result = await readThreadUpwards(page)
    expect(result.inOrder).toBe(true)
    expect(result.numbers.sort((a, b) => a - b)).toEqual(
      Array.from({ length: 1000 }, (_, index) => index + 1),
    )
    await page.close()
  })

  test('delivers messages once to both of the receiver’s tabs after a crash, after the receiver was offline, and on a slow network', async () => {
    const [sender, first, second] = await Promise.all([
      openConversationPage(ana, ben),
      openConversationPage(ben, ana),
      openConversationPage(ben, ana),
    ])
    const tabs = [first, second]
    const expectArrival = async (text: string) => {
      for (const tab of tabs) {
        const message = messageThread(tab).getByText(text, { exact: true })
        await expect(message).toBeVisible({ timeout: 40_000 })
        await expect(message).toHaveCount(1)
      }
    }

    await sendChatMessage(sender, 'Before the cut')
    await expectArrival('Before the cut')

    await test.step('after the stack was killed and restarted', async () => {
      await stack.kill()
      await sendChatMessage(sender, 'Into the dark')
      await expect(sender.getByText(connectionNotice)).toBeVisible()
      await expect(messageThread(sender).getByText('Into the dark')).toBeVisible()
      await stack.restart()
      await expectArrival('Into the dark')
      await expect(messageThread(sender).getByText('Into the dark')).toHaveCount(1)
      await expect(sender.getByText(connectionNotice)).toBeHidden({
        timeout: 20_000,
      })
    })

    await test.step('after the receiver was offline', async () => {
      await ben.context.setOffline(true)
      await sendChatMessage(sender, 'While you were away')
      await sendChatMessage(sender, 'And once more')
      await expect(messageThread(sender).getByText('And once more')).toBeVisible()
      await ben.context.setOffline(false)
      await expectArrival('While you were away')
      await expectArrival('And once more')
    })

    await test.step('on a slow network', async () => {
      for (const page of [sender, ...tabs]) {
        const devtools = await page.context().newCDPSession(page)
        const conditions = {
          offline: false,
          latency: 400,
          downloadThroughput: 20_000,
          uploadThroughput: 10_000,
        }
        await devtools.send('Network.emulateNetworkConditions', conditions)
      }
      for (const text of ['Slow one', 'Slow two', 'Slow three']) await sendChatMessage(sender, text)
      for (const text of ['Slow one', 'Slow two', 'Slow three']) await expectArrival(text)
      await sendChatMessage(second, 'Received')
      await expect(messageThread(sender).getByText('Received')).toBeVisible({ timeout: 20_000 })
      await expect(messageThread(first).getByText('Received')).toHaveCount(1)
    })
  })
})

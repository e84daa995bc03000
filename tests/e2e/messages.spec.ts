import { randomUUID } from 'node:crypto'
import { expect, type Page, test } from 'playwright/test'
import { createJpegWithMetadata } from '../support/media-files.ts'
import { expectAccessible } from './support/accessibility.ts'
import { sendMessage, uploadPicture } from './support/content.ts'
import { messageInput, messageThread, sendChatMessage } from './support/conversation.ts'
import { collectPageErrors } from './support/page.ts'
import { failNextRequest } from './support/requests.ts'
import { createSignedInUser, sql } from './support/users.ts'

const messageWithText = (page: Page, text: string | RegExp) =>
  messageThread(page).locator('[data-message]').filter({ hasText: text }).last()

/** Opens a message's menu with the mouse and clicks a reaction or an action. */
async function pickMessageAction(page: Page, text: string | RegExp, item: string): Promise<void> {
  await messageWithText(page, text).hover()
  await messageWithText(page, text).getByRole('button', { name: 'React and more actions' }).click()
  await page
    .getByRole('menu')
    .getByLabel(item)
    .or(page.getByRole('menuitem', { name: item }))
    .click()
}

test.describe('Messages', () => {
  test('shows reactions, replies, edits and deletions live, and scrolls to old messages', async ({
    browser,
  }) => {
    const [ana, ben] = await Promise.all([
      createSignedInUser(browser, 'Ana Torres'),
      createSignedInUser(browser, 'Ben Okafor'),
    ])
    const oldMessages = Array.from({ length: 140 }, (_, index) => ({
      id: randomUUID(),
      sender_id: index % 2 ? ana.id : ben.id,
      receiver_id: index % 2 ? ben.id : ana.id,
      content: `Day ${index + 1} of the long walk`,
      created_at: new Date(Date.now() - 3 * 86_400_000 + index * 60_000),
    }))
    await sql`insert into public.messages ${sql(oldMessages)}`
    await ana.context.request.patch(`/api/messages/${ben.id}/read`)
    await ben.context.request.patch(`/api/messages/${ana.id}/read`)
    await sendMessage(ben, ana, { content: 'Shall we meet at noon?' })
    const image = { name: 'ridge.jpg', mimeType: 'image/jpeg', buffer: createJpegWithMetadata() }
    await sendMessage(ben, ana, { imageUrl: await uploadPicture(ben, image) })

    const [anaPage, benPage] = [await ana.context.newPage(), await ben.context.newPage()]
    const collected = [collectPageErrors(anaPage), collectPageErrors(benPage)]
    await Promise.all([anaPage.goto(`/messages?user=${ben.id}`), benPage.goto(`/messages?user=${ana.id}`)])

    await test.step('marks where new messages start and enlarges an image', async () => {
      const divider = messageThread(anaPage).getByText('New messages', { exact: true })
      await expect(divider).toBeVisible({ timeout: 30_000 })
      await messageThread(anaPage).getByRole('button', { name: 'Open photo from Ben Okafor' }).click()
      await expect(
        anaPage.getByRole('dialog').getByRole('img', { name: 'Photo from Ben Okafor' }),
      ).toBeVisible()
      await anaPage.keyboard.press('Escape')
      await expect(anaPage.getByRole('dialog')).toBeHidden()
      await expect(divider).toBeVisible({ timeout: 30_000 })
      await expect(messageThread(benPage).getByText(/Seen/).last()).toBeVisible()
    })

    await test.step('inserts an emoji at the cursor, by keyboard', async () => {
      const textBox = anaPage.getByRole('textbox', { name: 'Type a message' })
      await textBox.fill('Noon!')
      await textBox.press('ArrowLeft')
      await anaPage.getByRole('button', { name: 'Add an emoji' }).press('Enter')
      const picker = anaPage.getByRole('dialog', { name: 'Emoji' })
      await expect(picker.getByRole('button', { name: 'grinning' })).toBeFocused()
      await expectAccessible(anaPage)
      await anaPage.keyboard.press('ArrowRight')
      await anaPage.keyboard.press('Enter')
      await expect(picker).toBeHidden()
      await expect(textBox).toBeFocused()
      await expect(textBox).toHaveValue('Noon😂!')
      await anaPage.keyboard.type('?')
      await expect(textBox).toHaveValue('Noon😂?!')
      await textBox.fill('')
    })

    await test.step('shows a reaction to both users and removes a reaction that the server rejected', async () => {
      await pickMessageAction(anaPage, 'Shall we meet', 'Fire')
      const anaReaction = messageThread(anaPage).getByRole('button', { name: 'Fire from you' })
      await expect(anaReaction).toHaveAttribute('aria-pressed', 'true')
      const anaReactionForBen = messageThread(benPage).getByRole('button', { name: 'Fire from Ana Torres' })
      await anaReactionForBen.dblclick()
      await expect(
        messageThread(anaPage).getByRole('button', { name: 'Fire from you and Ben Okafor' }),
      ).toHaveText(/2/)
      await anaPage.route('**/api/messages/*/reactions', (route) =>
        route.fulfill({ status: 503, body: '{}' }),
      )
      await pickMessageAction(anaPage, 'Shall we meet', 'Heart')
      await expect(anaPage.getByText('Failed to add reaction. Please try again.')).toBeVisible()
      await expect(messageThread(anaPage).getByRole('button', { name: 'Heart from you' })).toHaveCount(0)
      await anaPage.unroute('**/api/messages/*/reactions')
      // Discards the error that this step caused.
      collected[0]?.errors.splice(0)
    })

    await test.step('replies by keyboard and updates the quote when the original is edited', async () => {
      await messageWithText(anaPage, 'Shall we meet')
        .getByRole('button', { name: 'React and more actions' })
        .focus()
      await anaPage.keyboard.press('Enter')
      await expect(anaPage.getByRole('menu')).toBeFocused()
      await anaPage.keyboard.press('ArrowRight')
      await anaPage.keyboard.press('ArrowDown')
      await anaPage.keyboard.press('Enter')
      await sendChatMessage(anaPage, 'Noon is good')
      await expect(messageWithText(benPage, 'Noon is good')).toContainText('Shall we meet at noon?')
      await pickMessageAction(benPage, /^Shall we meet/, 'Edit')
      await benPage.getByRole('textbox', { name: 'Edit message' }).fill('Shall we meet at one?')
      await benPage.keyboard.press('Enter')
      await expect(messageWithText(anaPage, /^Shall we meet at one\?\s*edited/)).toBeVisible()
      await expect(messageWithText(anaPage, 'Noon is good')).toContainText('Shall we meet at one?')
    })

    await test.step('removes the text of a message that was deleted while the reader was offline', async () => {
      await anaPage.context().setOffline(true)
      await pickMessageAction(benPage, /^Shall we meet/, 'Delete')
      await benPage.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await expect(messageWithText(benPage, 'Noon is good')).toContainText('Message deleted')
      await expect(benPage.getByText('Shall we meet at one?')).toHaveCount(0)
      await anaPage.context().setOffline(false)
      await expect(messageThread(anaPage).getByText('Message deleted').first()).toBeVisible({
        timeout: 20_000,
      })
      await expect(messageThread(anaPage).getByText('Shall we meet at one?')).toHaveCount(0)
      collected[0]?.errors.splice(0)
    })

    await test.step('distinguishes a missing message from one that failed to load', async () => {
      await anaPage.goto(`/messages?user=${ben.id}&message=${randomUUID()}`)
      await expect(anaPage.getByText("This message isn't in this conversation.")).toBeVisible()
      await failNextRequest(anaPage, '**/api/messages/*?around=*')
      await anaPage.goto(`/messages?user=${ben.id}&message=${oldMessages[30]?.id}`)
      await expect(anaPage.getByText("Couldn't load the message. Try again.")).toBeVisible()
      collected[0]?.errors.splice(0)
    })

    await test.step('opens an old message by URL and jumps back to the latest message', async () => {
      await anaPage.goto(`/messages?user=${ben.id}&message=${oldMessages[30]?.id}`)
      const target = messageWithText(anaPage, 'Day 31 of the long walk')
      await expect(target).toBeInViewport({ timeout: 30_000 })
      await expect(target).toBeFocused()
      await expect(messageThread(anaPage).getByText('Noon is good')).toHaveCount(0)
      await anaPage.getByRole('button', { name: 'Jump to latest' }).click()
      await expect(messageWithText(anaPage, 'Noon is good')).toBeInViewport()
      await expect(anaPage).toHaveURL(/user=[^&]+$/)
    })

    await test.step('loads older messages when the user scrolls up, and keeps the position', async () => {
      const first = messageWithText(anaPage, 'Day 94 of the long walk')
      const older = messageThread(anaPage).getByText('Day 86 of the long walk')
      // The thread may still be scrolling to the latest message.
      await expect(async () => {
        await first.evaluate((element) => element.scrollIntoView({ block: 'start' }))
        await expect(older).toBeAttached({ timeout: 1_000 })
      }).toPass()
      await expect(first).toBeInViewport()
      await anaPage.getByRole('button', { name: 'Jump to latest' }).click()
      await expect(messageWithText(anaPage, 'Noon is good')).toBeInViewport()
      await expectAccessible(anaPage)
    })

    await test.step('filters the conversations, and keeps a newly read one in the list until the user changes the filter', async () => {
      const filters = anaPage.getByRole('group', { name: 'Filter conversations' })
      const rows = anaPage.getByRole('list', { name: 'Conversations' }).getByRole('listitem')
      await anaPage.goto('/messages')
      await filters.getByRole('button', { name: 'Unread' }).click()
      await expect(anaPage).toHaveURL('/messages?filter=unread')
      await expect(anaPage.getByRole('status').filter({ hasText: 'No unread messages' })).toBeVisible()
      await expectAccessible(anaPage)
      await sendMessage(ben, ana, { content: 'One more thing' })
      await expect(rows).toHaveCount(1)
      await rows.first().click()
      await expect(anaPage).toHaveURL(`/messages?filter=unread&user=${ben.id}`)
      await expect(messageWithText(anaPage, 'One more thing')).toBeInViewport()
      await expect(rows.first()).not.toContainText('unread')
      await expect(rows).toHaveCount(1)
      await filters.getByRole('button', { name: 'Requests' }).click()
      await expect(anaPage).toHaveURL(`/messages?filter=requests&user=${ben.id}`)
      await expect(anaPage.getByText('No requests')).toBeVisible()
      await filters.getByRole('button', { name: 'Unread' }).click()
      await expect(anaPage.getByText('No unread messages')).toBeVisible()
      await filters.getByRole('button', { name: 'All' }).click()
      await expect(anaPage).toHaveURL(`/messages?user=${ben.id}`)
      await expect(rows).toHaveCount(1)
    })

    await test.step('moves the visible focus between the list and the conversation on a phone', async () => {
      await anaPage.setViewportSize({ width: 390, height: 800 })
      await anaPage.getByRole('button', { name: 'Back to conversations' }).press('Enter')
      const row = anaPage.locator(`[data-conversation="${ben.id}"]`)
      await expect(row).toBeFocused()
      await row.press('Enter')
      const header = anaPage.getByRole('group', { name: /^Conversation with / })
      await expect(header).toBeFocused()
      await expect(header).not.toHaveCSS('outline-style', 'none')
    })

    expect(collected.flatMap(({ errors }) => errors)).toEqual([])
    await Promise.all([ana.context.close(), ben.context.close()])
  })

  test('keeps the position while scrolling up, and opens a conversation at the first of many new messages', async ({
    browser,
  }) => {
    const [ana, ben] = await Promise.all([
      createSignedInUser(browser, 'Ana Scroll'),
      createSignedInUser(browser, 'Ben Scroll'),
    ])
    /** Inserts messages from Ben that are one to eight lines long. */
    const insertMessages = async (first: number, last: number) => {
      for (let number = first; number <= last; number += 10) {
        await sql`insert into public.messages (sender_id, receiver_id, content, created_at)
                  select ${ben.id}::uuid, ${ana.id}::uuid, 'Number ' || n || repeat(E'\\nand on', n * 7 % 8),
                         clock_timestamp() - (400 - n) * interval '1 minute'
                  from generate_series(${number}::int, ${Math.min(number + 9, last)}::int) as n order by n`
      }
    }
    // Only conversations that Ana has written in and read are previewed.
    await sql`insert into public.messages (sender_id, receiver_id, content, created_at)
              values (${ana.id}, ${ben.id}, 'Tell me everything', clock_timestamp() - 401 * interval '1 minute')`
    await insertMessages(1, 200)
    await ana.context.request.patch(`/api/messages/${ben.id}/read`)
    const page = await ana.context.newPage()
    await page.goto(`/messages?user=${ben.id}`)
    await expect(messageWithText(page, /^Number 200/)).toBeInViewport({ timeout: 30_000 })

    expect(await largestJumpWhileScrollingUp(page, 400)).toBeLessThan(2)

    await page.getByRole('link', { name: 'Saved' }).first().click()
    await expect(page.getByRole('heading', { name: 'Saved', level: 1 })).toBeVisible()
    await page.getByRole('link', { name: 'Messages' }).first().click()
    await expect(messageThread(page)).toBeVisible()
    await insertMessages(201, 300)
    await expect(page.locator(`[data-conversation="${ben.id}"]`)).toContainText('100 unread messages')
    await page.locator(`[data-conversation="${ben.id}"]`).click()
    await expect(messageThread(page).getByText('New messages', { exact: true })).toBeInViewport()
    await Promise.all([ana.context.close(), ben.context.close()])
  })

  test('previews the latest conversation without unread messages, and neither marks new messages as read nor announces the viewer’s presence', async ({
    browser,
  }) => {
    const [ana, ben, cleo] = await Promise.all([
      createSignedInUser(browser, 'Ana Preview'),
      createSignedInUser(browser, 'Ben Preview'),
      createSignedInUser(browser, 'Cleo Preview'),
    ])
    const page = await ana.context.newPage()
    await page.goto('/messages')
    await expect(page.getByText('Select a conversation')).toBeVisible()
    await sendMessage(ana, ben, { content: 'Shall we?' })
    await sendMessage(cleo, ana, { content: 'Hello from Cleo' })
    const row = (id: string) => page.locator(`[data-conversation="${id}"]`)
    /** What Ana's page sends to show that she has a conversation open. */
    const sentPresence: string[] = []
    page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => {
        if (/"event":\s*"track"/.test(String(payload))) sentPresence.push(String(payload))
      }),
    )

    await page.goto('/messages')
    await expect(messageWithText(page, 'Shall we?')).toBeVisible()

    await test.step('keeps the preview and its unread messages while others write', async () => {
      await sendMessage(ben, ana, { content: 'Unread so far' })
      await expect(messageThread(page).getByText('New messages', { exact: true })).toBeVisible()
      await sendMessage(cleo, ana, { content: 'Hello again from Cleo' })
      await expect(row(cleo.id)).toContainText('2 unread messages')
      await expect(messageWithText(page, 'Unread so far')).toBeVisible()
      await expect(row(ben.id)).toContainText('1 unread message')
      await expect(page).toHaveURL(/\/messages$/)
      expect(sentPresence).toEqual([])
    })

    await test.step('keeps the preview while the viewer scrolls with the wheel or moves the focus', async () => {
      await messageThread(page).hover()
      await page.mouse.wheel(0, -10)
      await messageInput(page).focus()
      for (const key of ['Control', 'Shift+Tab', 'Tab', 'Escape']) await page.keyboard.press(key)
      await expect(row(ben.id)).toContainText('1 unread message')
      await expect(page).toHaveURL(/\/messages$/)
      expect(sentPresence).toEqual([])
    })

    await test.step('previews nothing if all conversations are unread', async () => {
      await page.reload()
      await expect(row(ben.id)).toContainText('1 unread message')
      await expect(page.getByText('Select a conversation')).toBeVisible()
    })

    await test.step('opens the conversation when the viewer uses it', async () => {
      await ana.context.request.patch(`/api/messages/${ben.id}/read`)
      await page.reload()
      await expect(messageWithText(page, 'Unread so far')).toBeVisible()
      await sendMessage(ben, ana, { content: 'One more from Ben' })
      await expect(row(ben.id)).toContainText('1 unread message')
      await messageInput(page).press('ArrowLeft')
      await expect(page).toHaveURL(new RegExp(`user=${ben.id}$`))
      await expect(row(ben.id)).not.toContainText('unread message')
      await expect.poll(() => sentPresence.length).toBeGreaterThan(0)
    })

    await test.step('does not preview a request', async () => {
      await page.goto('/messages?filter=unread')
      await expect(row(cleo.id)).toContainText('2 unread messages')
      await expect(page.getByText('Select a conversation')).toBeVisible()
    })

    await test.step('keeps the open conversation in the filtered list after a reconnect', async () => {
      await page.goto(`/messages?filter=requests&user=${cleo.id}`)
      await expect(row(cleo.id)).not.toContainText('unread message')
      // Simulates an answer that Ana sent from another tab while this one was offline.
      await sql`
        update public.conversation_members set has_written = true
        where user_id = ${ana.id} and partner_id = ${cleo.id}`
      await Promise.all([
        page.waitForResponse(/\/conversations\?.*filter=requests/),
        page.evaluate(() => window.dispatchEvent(new Event('online'))),
      ])
      await expect(row(ben.id)).toHaveCount(0)
      await expect(row(cleo.id)).toBeVisible()
    })

    await test.step('previews nothing in the list of unread conversations', async () => {
      // If the conversation were still open, the page would mark the message as read.
      await page.goto('/settings')
      await sendMessage(cleo, ana, { content: 'One more from Cleo' })
      await page.goto('/messages?filter=unread')
      await expect(row(cleo.id)).toContainText('1 unread message')
      await expect(page.getByText('Select a conversation')).toBeVisible()
      await row(cleo.id).click()
      await expect(page).toHaveURL(new RegExp(`filter=unread&user=${cleo.id}$`))
      await expect(row(cleo.id)).not.toContainText('unread message')
    })
    await Promise.all([ana.context.close(), ben.context.close(), cleo.context.close()])
  })
})

/**
 * Scrolls a conversation up by 40 pixels in every frame. Returns the largest distance in pixels that a message moved
 * for any other reason.
 */
const largestJumpWhileScrollingUp = (page: Page, frames: number): Promise<number> =>
  messageThread(page).evaluate(async (thread, count) => {
    let largestJump = 0
    for (let frame = 0; frame < count; frame += 1) {
      thread.scrollBy(0, -40)
      const edge = thread.getBoundingClientRect().top
      const topOf = (element: Element) => element.getBoundingClientRect().top
      const message = [...thread.querySelectorAll('[data-message]')].find((element) => topOf(element) > edge)
      const before = message ? topOf(message) : 0
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      if (message) largestJump = Math.max(largestJump, Math.abs(topOf(message) - before))
    }
    return largestJump
  }, frames)

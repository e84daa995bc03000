import { randomUUID } from 'node:crypto'
import { OwnUser } from '@contract/user.ts'
import { type BrowserContext, expect, type Page, test } from 'playwright/test'
import { talkativeJpeg } from '../support/pictures.ts'
import { expectAccessible } from './axe.ts'
import { join, say, sql, thread, watchErrors } from './support.ts'

const idOf = async (context: BrowserContext) =>
  OwnUser.parse(await (await context.request.get('/api/auth/user')).json()).id

const bubble = (page: Page, text: string | RegExp) =>
  thread(page).locator('[data-message]').filter({ hasText: text }).last()

/** Opens the menu of a message as a mouse does, and chooses from it. */
async function choose(page: Page, text: string | RegExp, item: string): Promise<void> {
  await bubble(page, text).hover()
  await bubble(page, text).getByRole('button', { name: 'React and more actions' }).click()
  await page
    .getByRole('menu')
    .getByLabel(item)
    .or(page.getByRole('menuitem', { name: item }))
    .click()
}

test('messages are reacted to, answered, changed and taken back, and found again far up', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([join(browser, 'Ana Torres'), join(browser, 'Ben Okafor')])
  const [anaId, benId] = [await idOf(ana.context), await idOf(ben.context)]
  const old = Array.from({ length: 140 }, (_, at) => ({
    id: randomUUID(),
    sender_id: at % 2 ? anaId : benId,
    receiver_id: at % 2 ? benId : anaId,
    content: `Day ${at + 1} of the long walk`,
    created_at: new Date(Date.now() - 3 * 86_400_000 + at * 60_000),
  }))
  await sql`insert into public.messages ${sql(old)}`
  await ana.context.request.patch(`/api/messages/${benId}/read`)
  await ben.context.request.patch(`/api/messages/${anaId}/read`)
  const write = async (data: Record<string, string>) =>
    expect(
      (await ben.context.request.post('/api/messages', { data: { receiverId: anaId, ...data } })).status(),
    ).toBe(201)
  await write({ content: 'Shall we meet at noon?' })
  const image = { name: 'ridge.jpg', mimeType: 'image/jpeg', buffer: talkativeJpeg() }
  const upload = await ben.context.request.post('/api/upload', { multipart: { image } })
  await write({ imageUrl: (await upload.json()).imageUrl })

  const [one, two] = [await ana.context.newPage(), await ben.context.newPage()]
  const watched = [watchErrors(one), watchErrors(two)]
  await Promise.all([one.goto(`/messages?user=${benId}`), two.goto(`/messages?user=${anaId}`)])

  await test.step('Ana sees where the new ones begin, and the picture large', async () => {
    const divider = thread(one).getByText('New messages', { exact: true })
    await expect(divider).toBeVisible({ timeout: 30_000 })
    await thread(one).getByRole('button', { name: 'Open: Picture from Ben Okafor' }).click()
    await expect(one.getByRole('dialog').getByRole('img', { name: 'Picture from Ben Okafor' })).toBeVisible()
    await one.keyboard.press('Escape')
    await expect(one.getByRole('dialog')).toBeHidden()
    await expect(divider).toBeVisible({ timeout: 30_000 })
    await expect(thread(two).getByText(/Seen/).last()).toBeVisible()
  })

  await test.step('A reaction is on both pages, and one that is refused goes again', async () => {
    await choose(one, 'Shall we meet', 'Fire')
    const mine = thread(one).getByRole('button', { name: 'Fire from you' })
    await expect(mine).toHaveAttribute('aria-pressed', 'true')
    const hers = thread(two).getByRole('button', { name: 'Fire from Ana Torres' })
    await hers.dblclick()
    await expect(thread(one).getByRole('button', { name: 'Fire from you and Ben Okafor' })).toHaveText(/2/)
    await one.route('**/api/messages/*/reactions', (route) => route.fulfill({ status: 503, body: '{}' }))
    await choose(one, 'Shall we meet', 'Heart')
    await expect(one.getByText('Failed to add reaction. Please try again.')).toBeVisible()
    await expect(thread(one).getByRole('button', { name: 'Heart from you' })).toHaveCount(0)
    await one.unroute('**/api/messages/*/reactions')
    // The refusal was ours.
    watched[0]?.errors.splice(0)
  })

  await test.step('Ana answers it by the keys, Ben changes it, and the quote follows', async () => {
    await bubble(one, 'Shall we meet').getByRole('button', { name: 'React and more actions' }).focus()
    await one.keyboard.press('Enter')
    await expect(one.getByRole('menu')).toBeVisible()
    await one.keyboard.press('ArrowRight')
    await one.keyboard.press('ArrowDown')
    await one.keyboard.press('Enter')
    await say(one, 'Noon is good')
    await expect(bubble(two, 'Noon is good')).toContainText('Shall we meet at noon?')
    await choose(two, /^Shall we meet/, 'Edit')
    await two.getByRole('textbox', { name: 'Edit message' }).fill('Shall we meet at one?')
    await two.keyboard.press('Enter')
    await expect(bubble(one, /^Shall we meet at one\?\s*edited/)).toBeVisible()
    await expect(bubble(one, 'Noon is good')).toContainText('Shall we meet at one?')
  })

  await test.step('While Ana hears nothing, Ben takes it back: then it is gone from her page too', async () => {
    await one.context().setOffline(true)
    await choose(two, /^Shall we meet/, 'Delete')
    await two.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(bubble(two, 'Noon is good')).toContainText('Message deleted')
    await expect(two.getByText('Shall we meet at one?')).toHaveCount(0)
    await one.context().setOffline(false)
    await expect(thread(one).getByText('Message deleted').first()).toBeVisible({ timeout: 20_000 })
    await expect(thread(one).getByText('Shall we meet at one?')).toHaveCount(0)
    watched[0]?.errors.splice(0)
  })

  await test.step('A message far up is gone to by its address, read around, and left again', async () => {
    await one.goto(`/messages?user=${benId}&message=${old[30]?.id}`)
    const found = bubble(one, 'Day 31 of the long walk')
    await expect(found).toBeInViewport({ timeout: 30_000 })
    await expect(found).toBeFocused()
    await expect(thread(one).getByText('Noon is good')).toHaveCount(0)
    await one.getByRole('button', { name: 'Jump to latest' }).click()
    await expect(bubble(one, 'Noon is good')).toBeInViewport()
    await expect(one).toHaveURL(/user=[^&]+$/)
  })

  await test.step('Scrolling up reads older ones, and keeps the place', async () => {
    const first = bubble(one, 'Day 94 of the long walk')
    const older = thread(one).getByText('Day 86 of the long walk')
    // The thread may still be on its way to the latest.
    await expect(async () => {
      await first.evaluate((element) => element.scrollIntoView({ block: 'start' }))
      await expect(older).toBeAttached({ timeout: 1_000 })
    }).toPass()
    await expect(first).toBeInViewport()
    await one.getByRole('button', { name: 'Jump to latest' }).click()
    await expect(bubble(one, 'Noon is good')).toBeInViewport()
    await expectAccessible(one)
  })

  await test.step('On a phone the focus goes along with what takes its place, and is seen there', async () => {
    await one.setViewportSize({ width: 390, height: 800 })
    await one.getByRole('button', { name: 'Back to conversations' }).press('Enter')
    const row = one.locator(`[data-conversation="${benId}"]`)
    await expect(row).toBeFocused()
    await row.press('Enter')
    const head = one.getByRole('group', { name: /^Conversation with / })
    await expect(head).toBeFocused()
    await expect(head).not.toHaveCSS('outline-style', 'none')
  })

  expect(watched.flatMap((page) => page.errors)).toEqual([])
  await Promise.all([ana.context.close(), ben.context.close()])
})

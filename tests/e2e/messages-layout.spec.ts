import { expect, type Page, test } from 'playwright/test'
import { createPng } from '../support/media-files.ts'
import { expectAccessible } from './support/accessibility.ts'
import { postToApi, publish, sendMessage } from './support/content.ts'
import {
  messageInput,
  messageThread,
  openConversation,
  sendChatMessage,
  storedMessages,
} from './support/conversation.ts'
import { phoneViewport } from './support/page.ts'
import { createGate, failNextRequest } from './support/requests.ts'
import { createSignedInUser, deleteUser, promoteToCreator } from './support/users.ts'

/** Returns whether the document scrolls, and the position of the full-height area in the window. */
const measure = (page: Page) =>
  page.evaluate(() => {
    const area = document.querySelector('[data-full-height]')?.getBoundingClientRect()
    const { scrollHeight } = document.documentElement
    return {
      scrolls: scrollHeight > window.innerHeight,
      top: Math.round(area?.top ?? -1),
      bottom: Math.round(area?.bottom ?? -1),
      height: Math.round(area?.height ?? -1),
    }
  })

/** Replaces the visual viewport with one that the test controls, because test browsers have no on-screen keyboard. */
const fakeVisualViewport = () => {
  const fake = Object.assign(new EventTarget(), { scale: 1, offsetTop: 0, height: window.innerHeight })
  Object.defineProperty(window, 'visualViewport', { value: fake })
}

const openKeyboard = (page: Page, height: number, offsetTop = 0) =>
  page.evaluate(
    ([height, offsetTop]) => {
      const viewport = window.visualViewport
      if (!viewport) return
      Object.assign(viewport, { height: window.innerHeight - (height ?? 0), offsetTop })
      viewport.dispatchEvent(new Event('resize'))
    },
    [height, offsetTop],
  )

test('The Messages page fills the window and ends above the on-screen keyboard', async ({ browser }) => {
  const [ana, ben] = [
    await createSignedInUser(browser, 'Ana Tall'),
    await createSignedInUser(browser, 'Ben Tall'),
  ]
  await ana.context.addInitScript(fakeVisualViewport)
  const page = await ana.context.newPage()
  await page.setViewportSize({ width: 1280, height: 1080 })
  await openConversation(page, ben.account)
  await sendChatMessage(page, 'How tall is it?')
  await expect(storedMessages(page)).toHaveCount(1)

  await test.step('fills the window at every height without a second scrollbar', async () => {
    for (const [width, height, minHeight] of [
      [1280, 1080, 900],
      [1280, 800, 600],
      [1280, 670, 600],
      [844, 390, 390],
      [390, 844, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expect.poll(async () => (await measure(page)).bottom).toBeLessThanOrEqual(height)
      const size = await measure(page)
      expect(size, `${width}x${height}`).toMatchObject({ scrolls: false })
      expect(size.height, `${width}x${height}`).toBeGreaterThanOrEqual(minHeight)
      expect(size.bottom).toBeGreaterThanOrEqual(height - 20)
    }
  })

  await test.step('hides the header and the navigation while a conversation is open on a phone', async () => {
    await page.setViewportSize(phoneViewport)
    await expect(page.getByRole('banner')).toBeHidden()
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
    await page.getByRole('button', { name: 'Back to conversations' }).click()
    await expect(page.getByRole('banner')).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    expect(await measure(page)).toMatchObject({ scrolls: false })
    await page.getByRole('button', { name: /Ben Tall/ }).click()
  })

  await test.step('keeps the composer above the on-screen keyboard', async () => {
    await messageInput(page).focus()
    await openKeyboard(page, 300, 40)
    const keyboardTop = phoneViewport.height - 300 + 40
    await expect.poll(async () => (await measure(page)).bottom).toBe(keyboardTop)
    expect(await measure(page)).toMatchObject({ top: 40, scrolls: false })
    const box = await messageInput(page).boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(keyboardTop)
    await expect(messageThread(page).getByText('How tall is it?')).toBeInViewport()
    await openKeyboard(page, 0)
    await expect.poll(async () => (await measure(page)).bottom).toBe(phoneViewport.height)
  })

  await deleteUser(ana)
  await deleteUser(ben)
})

test('The details of a conversation show the photos and the relationship between the two users', async ({
  browser,
}) => {
  const [creator, fan] = [
    await createSignedInUser(browser, 'Cleo Lark'),
    await createSignedInUser(browser, 'Finn Reed'),
  ]
  await promoteToCreator(creator)
  await postToApi(fan, `/api/users/${creator.id}/follow`)
  await postToApi(fan, `/api/users/${creator.id}/tip`, { amount: 7.5 })
  const [page, creatorPage] = [await fan.context.newPage(), await creator.context.newPage()]
  const details = (page: Page) => page.getByRole('region', { name: 'Details' })
  const sheet = (page: Page) => page.getByRole('dialog', { name: 'Details' })
  const toggle = (page: Page) => page.getByRole('button', { name: 'Details', exact: true })

  await test.step('opens the details by default only if the window has room for them', async () => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await openConversation(page, creator.account)
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false')
    await expect(details(page)).toHaveCount(0)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.reload()
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'true')
  })

  await test.step('offers a fan a subscription, which they can manage afterwards', async () => {
    await details(page)
      .getByRole('button', { name: /^Subscribe/ })
      .click()
    await page.getByRole('dialog', { name: 'Subscribe' }).getByRole('button', { name: /^Pay/ }).click()
    await expect(details(page).getByText(/^Renews on/)).toBeVisible()
    await expect(page.getByRole('group', { name: /^Conversation with/ })).toContainText('Subscribed')
    await details(page).getByRole('button', { name: 'Manage' }).click()
    await page.keyboard.press('Escape')
    await expect(details(page).getByRole('button', { name: 'Manage' })).toBeFocused()
  })

  await test.step('shows a photo as soon as it is sent, and opens it', async () => {
    await expect(details(page).getByText(/Photos that you send each other/)).toBeVisible()
    const file = { name: 'photo.png', mimeType: 'image/png', buffer: createPng({ width: 60, height: 40 }) }
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add a photo' }).press('Enter')
    await (await chooser).setFiles(file)
    await expect(page.getByLabel('Type a message')).toBeFocused()
    await expect(page.getByRole('status', { name: 'Preparing photo' })).toBeHidden()
    await sendChatMessage(page, 'For you')
    const photo = details(page).getByRole('button', { name: 'Open photo from you' })
    await photo.click()
    await expect(page.getByRole('dialog', { name: 'Photo from you' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(photo).toBeFocused()
    await expectAccessible(page)
  })

  await test.step('saves a private note when the field loses focus, and keeps it if saving fails', async () => {
    const note = details(page).getByLabel('Private note')
    const save = details(page).getByRole('button', { name: 'Save', exact: true })
    const photosTop = async () =>
      (await details(page).getByRole('heading', { name: 'Photos' }).boundingBox())?.y
    await expect(note).toHaveCount(0)
    await details(page).getByRole('button', { name: 'Add a note' }).press('Enter')
    await expect(note).toBeFocused()
    await expect(note).toHaveAccessibleDescription('Only you can see this note.')
    const topBefore = await photosTop()
    await failNextRequest(page, '**/note')
    await note.fill('Sells at the fair in May')
    await expect(save).toBeVisible()
    expect(await photosTop()).toBe(topBefore)
    await note.blur()
    await expect(details(page).getByText("Couldn't save your note. Try again.")).toBeVisible()
    await page.reload()
    await expect(note).toHaveValue('Sells at the fair in May')
    await save.click()
    await expect(details(page).getByText('Saved', { exact: true })).toBeVisible()
    await expect(save).toHaveCount(0)
    // Text that is typed during a save is kept and saved next.
    const gate = createGate()
    await page.route(
      '**/note',
      async (route) => {
        await gate.opened
        await route.continue()
      },
      { times: 1 },
    )
    const saved = page.waitForResponse('**/note')
    await note.fill('Sells at the fair')
    await note.blur()
    await note.fill('Sells at the fair in June')
    gate.open()
    await saved
    await expect(note).toHaveValue('Sells at the fair in June')
    const savedAgain = page.waitForResponse('**/note')
    await note.blur()
    await savedAgain
    await page.reload()
    await expect(note).toHaveValue('Sells at the fair in June')
    await expect(save).toHaveCount(0)
  })

  await test.step('saves the earlier text again if the user restores it while an edit is being saved', async () => {
    const note = details(page).getByLabel('Private note')
    const gate = createGate()
    await page.route(
      '**/note',
      async (route) => {
        await gate.opened
        await route.continue()
      },
      { times: 1 },
    )
    await note.fill('Sells at the fair in July')
    await note.blur()
    // The button stays enabled, so that it does not lose focus.
    await details(page).getByRole('button', { name: 'Saving…' }).focus()
    await expect(details(page).getByRole('button', { name: 'Saving…' })).toBeFocused()
    await note.fill('Sells at the fair in June')
    await note.blur()
    gate.open()
    await expect(details(page).getByText('Saved', { exact: true })).toBeVisible()
    await page.reload()
    await expect(note).toHaveValue('Sells at the fair in June')
  })

  await test.step('shows a note that was changed elsewhere, and replaces it only when the user chooses to', async () => {
    const note = details(page).getByLabel('Private note')
    const changeElsewhere = (content: string) =>
      fan.context.request.put(`/api/messages/${creator.id}/note`, { data: { content } })
    await changeElsewhere('Sells in August')
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await expect(note).toHaveValue('Sells in August')
    await changeElsewhere('Sells in September')
    await note.fill('Sells in October')
    await note.blur()
    await expect(details(page).getByText('This note was changed elsewhere.')).toBeVisible()
    await expect(details(page).getByText('Sells in September')).toBeVisible()
    await page.reload()
    await expect(note).toHaveValue('Sells in October')
    await expect(details(page).getByText('Sells in September')).toBeVisible()
    await expectAccessible(page)
    await details(page).getByRole('button', { name: 'Save my version' }).click()
    await expect(details(page).getByText('Saved', { exact: true })).toBeVisible()
    await expect(details(page).getByText('Sells in September')).toHaveCount(0)
    await page.reload()
    await expect(note).toHaveValue('Sells in October')
    // Text that equals the stored note is not kept as a draft, which would replace a later version.
    await note.fill('Sells in November')
    await changeElsewhere('Sells in November')
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await expect(details(page).getByRole('button', { name: 'Save', exact: true })).toHaveCount(0)
    await changeElsewhere('Sells in December')
    await page.reload()
    await expect(note).toHaveValue('Sells in December')
  })

  await test.step('keeps the details closed in this browser until the user opens them again', async () => {
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'true')
    await toggle(page).click()
    await expect(details(page)).toHaveCount(0)
    await page.reload()
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false')
    await expect(storedMessages(page)).toHaveCount(1)
    await toggle(page).click()
    await expect(details(page)).toBeVisible()
  })

  await test.step('after a retry, tells a creator what a fan pays and when their subscription ends', async () => {
    await creatorPage.setViewportSize(phoneViewport)
    await failNextRequest(creatorPage, '**/details')
    await creatorPage.goto(`/messages?user=${fan.id}`)
    await creatorPage.getByRole('heading', { name: 'Finn Reed' }).getByRole('button').click()
    await sheet(creatorPage).getByRole('button', { name: 'Try again' }).click()
    await expect(sheet(creatorPage).getByRole('button', { name: 'Add a note' })).toBeVisible()
    await expect(sheet(creatorPage).getByText(/^Subscriber since/)).toBeVisible()
    await expect(sheet(creatorPage).getByText('$17.49')).toBeVisible()
    await expect(sheet(creatorPage).getByText('$9.99 per month')).toBeVisible()
    await fan.context.request.delete(`/api/subscriptions/${creator.id}`)
    // The notification about the tip makes the page refetch the details.
    await postToApi(fan, `/api/users/${creator.id}/tip`, { amount: 5 })
    await expect(sheet(creatorPage).getByText('$22.49')).toBeVisible()
    await expect(sheet(creatorPage).getByText(/^Ends on/)).toBeVisible()
    await expect(sheet(creatorPage).getByRole('button', { name: 'Open photo from Finn Reed' })).toBeVisible()
    await expectAccessible(creatorPage)
    await sheet(creatorPage)
      .getByRole('button', { name: /^Block/ })
      .click()
    await creatorPage.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await expect(sheet(creatorPage).getByRole('button', { name: /^Block/ })).toBeFocused()
    await sheet(creatorPage).getByRole('link', { name: 'View profile' }).click()
    await expect(creatorPage).toHaveURL(new RegExp(`/profile/${fan.account.username}$`))
  })

  await deleteUser(creator)
  await deleteUser(fan)
})

test('A creator sells a post in a message', async ({ browser }) => {
  const creator = await createSignedInUser(browser, 'Cleo Sender')
  const fan = await createSignedInUser(browser, 'Fay Reader')
  await promoteToCreator(creator)
  const { id: premiumId } = await publish(creator, {
    content: 'The whole recipe',
    teaser: 'A glaze, first part',
    isPremium: true,
    premiumPrice: 5,
  })
  await publish(creator, { content: 'A free note about clay' })
  const [page, fanPage] = [await creator.context.newPage(), await fan.context.newPage()]
  const draft = page.getByRole('group', { name: 'Post', exact: true })
  const picker = page.getByRole('dialog', { name: 'Choose a post' })
  const openPicker = async () => {
    await page.getByRole('button', { name: 'Add to the message' }).press('Enter')
    await expect(page.getByRole('menu')).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
  }
  // Wide enough for the details to be open.
  await page.setViewportSize({ width: 1440, height: 900 })
  await openConversation(page, fan.account)

  await test.step('chooses a post by keyboard, from premium posts or from all posts, and can remove it', async () => {
    await openPicker()
    await expect(picker.getByRole('listitem')).toHaveText([/A glaze, first part.*\$5\.00/])
    await expectAccessible(page)
    await picker.getByRole('button', { name: 'All' }).click()
    await expect(picker.getByRole('listitem')).toHaveCount(2)
    await picker.getByRole('searchbox').fill('clay')
    await expect(picker.getByRole('listitem')).toHaveText([/A free note/])
    await picker.getByRole('listitem').getByRole('button').press('Enter')
    await expect(draft).toContainText('A free note about clay')
    await expect(messageInput(page)).toBeFocused()
    await draft.getByRole('button', { name: 'Remove post' }).click()
    await expect(draft).toHaveCount(0)
  })

  await test.step('keeps the post in the draft and sends it with the text', async () => {
    await openPicker()
    await picker.getByRole('listitem').getByRole('button').click()
    await page.reload()
    await expect(draft).toContainText('$5.00')
    await sendChatMessage(page, 'For your next pot')
    await expect(draft).toHaveCount(0)
    await expect(storedMessages(page)).toContainText(['For your next pot'])
    await expect(messageThread(page).getByRole('link', { name: 'Post:' })).toContainText(
      'A glaze, first part',
    )
    await expect(messageThread(page)).not.toContainText(premiumId)
    // The bubble contains only the text. The card is below it.
    const bubble = storedMessages(page)
      .locator('div')
      .filter({ hasText: /^For your next pot$/ })
    await expect(bubble.first()).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  })

  await test.step('shows the fan, who uses a phone, what unlocking the post costs', async () => {
    await fanPage.setViewportSize(phoneViewport)
    await fanPage.goto(`/messages?user=${creator.id}`)
    const card = messageThread(fanPage).getByRole('link', { name: 'Post:' })
    await expect(card).toContainText('Not part of the subscription')
    await expect(card).toContainText('Unlock for $5.00')
    await expectAccessible(fanPage)
    await card.click()
    await expect(fanPage).toHaveURL(`/post/${premiumId}`)
  })

  await test.step('shows the creator when the fan unlocks the post', async () => {
    const card = messageThread(page).getByRole('link', { name: 'Post:' })
    await expect(card).toContainText('Not unlocked yet')
    await expectAccessible(page)
    await postToApi(fan, `/api/posts/${premiumId}/unlock`, { amount: 5 })
    await expect(card).toContainText('Unlocked')
  })

  await test.step('does not check access to the post again after an unrelated notification', async () => {
    let checks = 0
    page.on('request', (request) => {
      if (request.url().includes('/linked-posts/')) checks++
    })
    const details = page.waitForResponse((response) => response.url().endsWith(`/messages/${fan.id}/details`))
    await postToApi(fan, `/api/users/${creator.id}/follow`)
    await details
    expect(checks).toBe(0)
  })

  await test.step('says that a deleted post is not available, and shows a lone link as a card', async () => {
    await creator.context.request.delete(`/api/posts/${premiumId}`)
    await sendMessage(fan, creator, { content: `/post/${premiumId}` })
    await fanPage.goto(`/messages?user=${creator.id}`)
    await expect(messageThread(fanPage).getByText('This post is not available.')).toHaveCount(2)
    await expect(storedMessages(fanPage).last()).not.toContainText('/post/')
  })

  await test.step('lists the conversations with subscribers', async () => {
    const rows = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem')
    await page.goto('/messages')
    await page.getByRole('button', { name: 'Subscribers', exact: true }).click()
    await expect(page.getByText('No conversations with subscribers')).toBeVisible()
    await postToApi(fan, '/api/subscriptions', { creatorId: creator.id })
    await page.reload()
    await expect(rows).toHaveCount(1)
    await expect(fanPage.getByRole('button', { name: 'Subscribers', exact: true })).toHaveCount(0)
  })

  await test.step('shows the creator that a post is included in the subscription', async () => {
    const { id } = await publish(creator, {
      content: 'The second recipe',
      teaser: 'A glaze, second part',
      isPremium: true,
      premiumPrice: 5,
      includedInSubscription: true,
    })
    await sendMessage(creator, fan, { content: `/post/${id}` })
    await page.goto(`/messages?user=${fan.id}`)
    await expect(messageThread(page).getByRole('link', { name: 'Post:' })).toContainText(
      'Included in their subscription',
    )
  })

  await deleteUser(creator)
  await deleteUser(fan)
})

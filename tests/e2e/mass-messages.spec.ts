import { expect, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { postToApi, publish } from './support/content.ts'
import { messageInput, messageThread, sendChatMessage, storedMessages } from './support/conversation.ts'
import { phoneViewport } from './support/page.ts'
import { abortNextRequest, dropResponse } from './support/requests.ts'
import { createSignedInUser, deleteUser, promoteToCreator } from './support/users.ts'

test('A creator messages all subscribers, and one of them replies privately', async ({ browser }) => {
  const [creator, fan, otherFan] = [
    await createSignedInUser(browser, 'Cara Mass'),
    await createSignedInUser(browser, 'Finn Mass'),
    await createSignedInUser(browser, 'Olga Mass'),
  ]
  await promoteToCreator(creator)
  const post = await publish(creator, {
    content: 'The whole firing',
    teaser: 'A glaze',
    isPremium: true,
    premiumPrice: 5,
  })
  const [page, fanPage] = [await creator.context.newPage(), await fan.context.newPage()]
  const button = page.getByRole('button', { name: 'Message subscribers' })
  const dialog = page.getByRole('dialog', { name: 'Message subscribers' })
  const confirmation = page.getByRole('alertdialog')

  await test.step('offers mass messages only to creators with subscribers', async () => {
    await page.goto('/messages')
    await expect(page.getByRole('button', { name: 'New message' }).first()).toBeVisible()
    await expect(button).toHaveCount(0)
    for (const user of [fan, otherFan]) await postToApi(user, '/api/subscriptions', { creatorId: creator.id })
    await page.reload()
    await button.click()
    await expect(dialog).toContainText('2 subscribers get this, each in a private conversation with you.')
    await fanPage.goto('/messages')
    await expect(fanPage.getByRole('button', { name: 'New message' }).first()).toBeVisible()
    await expect(fanPage.getByRole('button', { name: 'Message subscribers' })).toHaveCount(0)
  })

  await test.step('shows a preview with the chosen post, and keeps the draft', async () => {
    await expect(dialog.getByRole('button', { name: 'Send to 2 subscribers' })).toBeDisabled()
    await dialog.getByRole('textbox', { name: 'Message' }).fill('Fresh from the kiln')
    await dialog.getByRole('button', { name: 'Add a post' }).click()
    await page
      .getByRole('dialog', { name: 'Choose a post' })
      .getByRole('listitem')
      .getByRole('button')
      .click()
    const preview = dialog.getByRole('region', { name: 'Preview' })
    await expect(preview).toContainText('Fresh from the kiln')
    await expect(preview).toContainText('A glaze')
    await expect(preview).toContainText('Sent to all subscribers')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(button).toBeFocused()
    await button.click()
    await expect(preview).toContainText('Fresh from the kiln')
  })

  await test.step('asks for confirmation, reports a lost connection, and sends the message once', async () => {
    await dialog.getByRole('button', { name: 'Send to 2 subscribers' }).click()
    await expect(confirmation).toContainText('Send to 2 subscribers?')
    await abortNextRequest(page, '**/api/messages/mass')
    await confirmation.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(dialog.getByRole('alert')).toContainText('the connection was lost')
    await dialog.getByRole('button', { name: 'Send to 2 subscribers' }).click()
    await confirmation.getByRole('button', { name: 'Send', exact: true }).dblclick()
    await expect(dialog.getByRole('status')).toHaveText('Sent to 2 subscribers')
    await expect(dialog.getByRole('button', { name: 'Done' })).toBeFocused()
    await expectAccessible(page)
  })

  await test.step('gives each subscriber a normal message, which has a note and can be replied to', async () => {
    await fanPage.setViewportSize(phoneViewport)
    await fanPage.goto(`/messages?user=${creator.id}`)
    await expect(storedMessages(fanPage)).toHaveCount(1)
    await expect(storedMessages(fanPage)).toContainText('Fresh from the kiln')
    await expect(storedMessages(fanPage)).toContainText('Sent to all subscribers')
    await expect(messageThread(fanPage).getByRole('link', { name: 'Post:' })).toContainText(
      'Unlock for $5.00',
    )
    await expectAccessible(fanPage)
    await sendChatMessage(fanPage, 'Is the blue one taken?')
    await expect(storedMessages(fanPage)).toHaveCount(2)
  })

  await test.step('shows the creator the reply, how many have read the message, and an empty form', async () => {
    await dialog.getByRole('button', { name: 'Write another' }).click()
    await expect(dialog.getByRole('textbox', { name: 'Message' })).toBeFocused()
    await expect(dialog.getByRole('textbox', { name: 'Message' })).toHaveValue('')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const rows = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem')
    await expect(rows).toHaveCount(2)
    await expect(rows.first()).toContainText('Is the blue one taken?')
    await expect(rows.last()).toContainText('Message to all subscribers')
    await rows.first().click()
    await expect(messageThread(page)).toContainText('Sent to all subscribers')
    await expect(messageThread(page)).toContainText('Is the blue one taken?')
    await expect(messageInput(page)).toBeVisible()
    await page.setViewportSize(phoneViewport)
    await page.goto('/messages')
    await button.click()
    await expect(dialog.getByRole('listitem')).toHaveText([
      /Fresh from the kiln.*Sent to 2 subscribers · Read by 1/,
    ])
    await expectAccessible(page)
  })

  await creator.context.request.delete(`/api/posts/${post.id}`)
  for (const user of [creator, fan, otherFan]) await deleteUser(user)
})

test('A mass message whose response is lost is sent once, and later changes to its text are kept', async ({
  browser,
}) => {
  const [creator, fan] = [
    await createSignedInUser(browser, 'Cara Lost'),
    await createSignedInUser(browser, 'Finn Lost'),
  ]
  await promoteToCreator(creator)
  await postToApi(fan, '/api/subscriptions', { creatorId: creator.id })
  const [page, fanPage] = [await creator.context.newPage(), await fan.context.newPage()]
  const dialog = page.getByRole('dialog', { name: 'Message subscribers' })
  const textbox = dialog.getByRole('textbox', { name: 'Message' })
  const url = '**/api/messages/mass'
  const open = () => page.getByRole('button', { name: 'Message subscribers' }).click()
  const send = async () => {
    await dialog.getByRole('button', { name: 'Send to 1 subscriber' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send', exact: true }).click()
  }
  /** Sends the message, but lets no response through. */
  const sendAndLoseConnection = async () => {
    await page.route(url, (route) =>
      route.request().method() === 'POST' ? dropResponse(route) : route.abort(),
    )
    await send()
    await expect(dialog.getByRole('alert')).toContainText('the connection was lost')
  }

  await test.step('says on the next visit that the message was sent', async () => {
    await page.goto('/messages')
    await open()
    await textbox.fill('Doors open at eight')
    await sendAndLoseConnection()
    await expect(textbox).toHaveValue('Doors open at eight')
    // If a request got through before the page was left, the page would show the result and delete the draft.
    await page.goto('about:blank')
    await page.unroute(url)
    await page.goto('/messages')
    await open()
    await expect(dialog.getByRole('status')).toHaveText('Sent to 1 subscriber')
    await dialog.getByRole('button', { name: 'Write another' }).click()
    await expect(textbox).toHaveValue('')
  })

  await test.step('keeps changes that were made before the message was sent again', async () => {
    await textbox.fill('The set list')
    await sendAndLoseConnection()
    await textbox.fill('The final set list')
    // Before the message is sent again, the list must not be fetched, because it contains the earlier version.
    let isSentAgain = false
    await page.route(url, (route) => {
      isSentAgain ||= route.request().method() === 'POST'
      return isSentAgain ? route.continue() : route.abort()
    })
    await send()
    await expect(dialog.getByRole('alert')).toHaveText(
      'An earlier version of your message was already sent. Your changes haven’t been sent.',
    )
    await page.unroute(url)
    await expect(textbox).toHaveValue('The final set list')
    await expect(dialog.getByRole('listitem')).toHaveText([/The set list/, /Doors open at eight/])
    await expectAccessible(page)
    await send()
    await expect(dialog.getByRole('status')).toHaveText('Sent to 1 subscriber')
    await expect(dialog.getByRole('alert')).toBeEmpty()
  })

  await fanPage.goto(`/messages?user=${creator.id}`)
  for (const [index, text] of ['Doors open at eight', 'The set list', 'The final set list'].entries())
    await expect(storedMessages(fanPage).nth(index)).toContainText(text)
  await expect(storedMessages(fanPage)).toHaveCount(3)
  for (const user of [creator, fan]) await deleteUser(user)
})

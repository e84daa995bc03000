import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { messageInput, messageThread, sendChatMessage, storedMessages } from './support/conversation.ts'
import { drawGradientPng, pngFile } from './support/files.ts'
import { collectPageErrors, phoneViewport, pickFromMenu } from './support/page.ts'
import { dropResponse, failNextRequest } from './support/requests.ts'
import { createSignedInUser, promoteToCreator } from './support/users.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const priceField = (page: Page) => page.getByRole('textbox', { name: 'Price in US dollars' })

/** Chooses a photo for the next message. */
async function choosePhoto(page: Page): Promise<void> {
  const photo = pngFile('photo.png', await drawGradientPng(page, 30))
  const fileChooser = page.waitForEvent('filechooser')
  await button(page, 'Add to the message').click()
  await pickFromMenu(page, 'Photo')
  await (await fileChooser).setFiles(photo)
  await expect(button(page, 'Send')).toBeEnabled()
}

test.describe('Paid photos in messages', () => {
  test('are sent with a price, stay locked until the receiver pays, and then open immediately', async ({
    browser,
  }) => {
    const [vera, ned] = await Promise.all([
      createSignedInUser(browser, 'Vera Stone'),
      createSignedInUser(browser, 'Ned Park', { viewport: phoneViewport }),
    ])
    await promoteToCreator(vera)
    const [veraPage, nedPage] = [await vera.context.newPage(), await ned.context.newPage()]
    const collected = collectPageErrors(nedPage)
    await Promise.all([veraPage.goto(`/messages?user=${ned.id}`), nedPage.goto(`/messages?user=${vera.id}`)])

    await test.step('offers a price only to creators, and rejects an invalid one', async () => {
      await choosePhoto(nedPage)
      await expect(nedPage.getByRole('switch')).toHaveCount(0)
      await button(nedPage, 'Remove photo').click()

      await choosePhoto(veraPage)
      const toggle = veraPage.getByRole('switch', { name: /^Set a price/ })
      await expect(toggle).not.toBeChecked()
      await toggle.check()
      await expect(priceField(veraPage)).toHaveValue('10.00')
      await priceField(veraPage).fill('0.5')
      await expect(veraPage.getByText('Please enter a price between $1.00 and $999.99.')).toBeVisible()
      await expect(button(veraPage, 'Send')).toBeDisabled()
      await priceField(veraPage).fill('5')
      await expectAccessible(veraPage)
    })

    await test.step('sends the photo, which only the sender sees', async () => {
      await sendChatMessage(veraPage, 'From the second shoot')
      const sent = storedMessages(veraPage)
      await expect(sent.getByText('$5.00 · Not unlocked yet')).toBeVisible()
      await expect(sent.getByRole('img', { name: 'Photo from you' })).toBeVisible()
      const received = storedMessages(nedPage)
      await expect(received.getByText('From the second shoot')).toBeVisible()
      await expect(received.getByRole('group', { name: 'Locked photo' })).toBeVisible()
      await expect(received.locator('img[src*="/api/media/"]')).toHaveCount(0)
      await expectAccessible(nedPage)
    })

    const unlockButton = messageThread(nedPage).getByRole('button', { name: 'Unlock for $5.00' })
    const dialog = nedPage.getByRole('dialog', { name: 'Unlock this photo' })
    await test.step('stays locked if the payment fails', async () => {
      await unlockButton.click()
      await expectAccessible(nedPage)
      await failNextRequest(nedPage, '**/api/messages/*/unlock', 503)
      await dialog.getByRole('button', { name: 'Pay $5.00' }).click()
      await expect(nedPage.getByText('Payment Failed')).toBeVisible()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await expect(unlockButton).toBeFocused()
      await expect(veraPage.getByText('$5.00 · Not unlocked yet')).toBeVisible()
    })

    await test.step('opens after a double click, even if the response to the payment is lost', async () => {
      const lockedSize = await messageThread(nedPage).locator('[data-frame]').boundingBox()
      await unlockButton.click()
      await nedPage.route('**/api/messages/*/unlock', dropResponse, { times: 1 })
      await dialog.getByRole('button', { name: 'Pay $5.00' }).dblclick()
      const photo = messageThread(nedPage).getByRole('img', { name: 'Photo from Vera Stone' })
      await expect(photo).toBeVisible()
      await expect
        .poll(() => photo.evaluate((image) => (image as HTMLImageElement).naturalWidth))
        .toBeGreaterThan(0)
      await expect(dialog).toBeHidden()
      await expect(nedPage.getByText('Content Unlocked!')).toBeVisible()
      expect(await messageThread(nedPage).locator('[data-frame]').boundingBox()).toEqual(lockedSize)
      await expect(button(nedPage, 'Open photo from Vera Stone')).toBeFocused()
      await expect(veraPage.getByText('$5.00 · Unlocked')).toBeVisible()
      await nedPage.reload()
      await expect(photo).toBeVisible()
    })

    await test.step('can no longer be deleted by the sender', async () => {
      await storedMessages(veraPage).first().locator('[data-control]').press('Enter')
      await expect(veraPage.getByRole('menuitem', { name: 'Copy' })).toBeVisible()
      await expect(veraPage.getByRole('menuitem', { name: 'Delete' })).toHaveCount(0)
      await veraPage.keyboard.press('Escape')
    })

    await test.step('closes the dialog if the message is deleted in the meantime', async () => {
      await choosePhoto(veraPage)
      await veraPage.getByRole('switch', { name: /^Set a price/ }).check()
      await priceField(veraPage).fill('7')
      await choosePhoto(veraPage)
      await expect(priceField(veraPage)).toHaveValue('7')
      await sendChatMessage(veraPage, 'One more')
      await messageThread(nedPage).getByRole('button', { name: 'Unlock for $7.00' }).click()
      await expect(dialog).toBeVisible()
      await storedMessages(veraPage).last().locator('[data-control]').press('Enter')
      await veraPage.getByRole('menuitem', { name: 'Delete' }).click()
      await veraPage.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await expect(dialog).toHaveCount(0)
      await messageInput(nedPage).fill('Gone already?')
      await expect(messageInput(nedPage)).toBeFocused()
      await expectAccessible(nedPage)
    })
    expect(collected.errors.filter((error) => !/503|ERR_FAILED/.test(error))).toEqual([])
    await Promise.all([vera.context.close(), ned.context.close()])
  })
})

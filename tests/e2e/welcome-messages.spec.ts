import { expect, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { storedMessages } from './support/conversation.ts'
import { phoneViewport, settingsTopic } from './support/page.ts'
import { abortNextRequest } from './support/requests.ts'
import { createSignedInUser, deleteUser, promoteToCreator } from './support/users.ts'

test('A creator writes a welcome message, and a new subscriber gets it', async ({ browser }) => {
  const [creator, fan] = [
    await createSignedInUser(browser, 'Cara Welcome'),
    await createSignedInUser(browser, 'Finn Welcome'),
  ]
  const [page, fanPage] = [await creator.context.newPage(), await fan.context.newPage()]
  const section = page.getByRole('region', { name: 'Welcome message' })
  const textbox = section.getByRole('textbox', { name: 'Message' })
  const preview = section.getByRole('region', { name: 'Preview' })
  const saveButton = section.getByRole('button', { name: 'Save' })

  await test.step('offers the form only to creators, and explains it', async () => {
    await page.goto('/settings/creator')
    await expect(page.getByRole('switch', { name: 'Creator Account' })).toBeVisible()
    await expect(section).toHaveCount(0)
    await promoteToCreator(creator)
    await page.reload()
    await expect(section).toContainText('No welcome message yet.')
    await expect(saveButton).toHaveCount(0)
    await expect(preview).toHaveCount(0)
    await expectAccessible(page)
  })

  await test.step('shows a preview, and keeps the draft when the creator opens another page or reloads', async () => {
    await textbox.fill('Welcome to the kiln')
    await expect(preview).toContainText('Welcome to the kiln')
    await settingsTopic(page, 'Billing').click()
    await settingsTopic(page, 'Creator').click()
    await expect(textbox).toHaveValue('Welcome to the kiln')
    await page.reload()
    await expect(textbox).toHaveValue('Welcome to the kiln')
    await section.getByRole('button', { name: 'Discard' }).click()
    await expect(textbox).toHaveValue('')
    await textbox.fill('Welcome to the kiln')
    await expect(section).toContainText('Unsaved changes')
    await expect(page.getByText('All changes saved').filter({ visible: true })).toHaveCount(0)
  })

  await test.step('keeps the text when saving fails, and saves it', async () => {
    await abortNextRequest(page, '**/api/messages/welcome')
    await saveButton.click()
    await expect(section).toContainText("Couldn't save your welcome message. Try again.")
    await expect(textbox).toHaveValue('Welcome to the kiln')
    await saveButton.dblclick()
    await expect(page.getByText('Welcome message saved').first()).toBeVisible()
    await expect(page.getByText('All changes saved').filter({ visible: true })).toHaveCount(1)
    await expect(saveButton).toHaveCount(0)
    await textbox.press('End')
    await textbox.pressSequentially(' ')
    await expect(textbox).toHaveValue('Welcome to the kiln ')
    await expect(saveButton).toHaveCount(0)
    await expect(page.getByText('All changes saved').filter({ visible: true })).toHaveCount(1)
    await expectAccessible(page)
  })

  await test.step('arrives in the conversation of a fan who subscribes', async () => {
    await fanPage.setViewportSize(phoneViewport)
    await fanPage.goto(`/profile/${creator.account.username}`)
    await fanPage.getByRole('button', { name: 'Subscribe $9.99/mo', exact: true }).click()
    await fanPage.getByRole('dialog', { name: 'Subscribe' }).getByRole('button', { name: /^Pay/ }).click()
    await expect(fanPage.getByRole('button', { name: 'Subscribed' })).toBeVisible()
    await fanPage.goto(`/messages?user=${creator.id}`)
    await expect(storedMessages(fanPage)).toHaveText([/Welcome to the kiln/])
    await expect(storedMessages(fanPage)).not.toContainText('Sent to all subscribers')
  })

  await test.step('is linked from the dialog for mass messages', async () => {
    await page.goto('/messages')
    await expect(page.getByRole('list', { name: 'Conversations' })).toContainText('Welcome to the kiln')
    await page.getByRole('button', { name: 'Message subscribers' }).click()
    const dialog = page.getByRole('dialog', { name: 'Message subscribers' })
    await dialog.getByRole('link', { name: 'welcome message' }).click()
    await expect(textbox).toHaveValue('Welcome to the kiln')
  })

  await test.step('can be turned off', async () => {
    await page.setViewportSize(phoneViewport)
    await textbox.fill('')
    await expect(section).toContainText('If you leave this empty, new subscribers won’t get a message.')
    await saveButton.click()
    await expect(page.getByText('Welcome message turned off').first()).toBeVisible()
    await page.reload()
    await expect(section).toContainText('No welcome message yet.')
    await expectAccessible(page)
  })

  for (const user of [creator, fan]) await deleteUser(user)
})

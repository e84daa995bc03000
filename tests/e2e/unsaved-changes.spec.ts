import { expect, type Page, test } from 'playwright/test'
import { createJpegWithMetadata } from '../support/media-files.ts'
import { expectAccessible } from './support/accessibility.ts'
import { logOut, signInViaForm } from './support/auth-forms.ts'
import { chooseFiles, pngFile } from './support/files.ts'
import { collectPageErrors, reloadAndAnswerPrompt, setLastActive, settingsTopic } from './support/page.ts'
import { abortNextRequest, createGate } from './support/requests.ts'
import { createSignedInUser, createUserOnHomeFeed, deleteUser } from './support/users.ts'

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const tab = (page: Page, name: string | RegExp) => page.getByRole('tab', { name })
const coverFile = { name: 'cover.jpg', mimeType: 'image/jpeg', buffer: createJpegWithMetadata() }

test.describe('Unsaved changes in Settings', () => {
  test('keeps unsaved changes, or asks about them, when the user leaves, is idle, signs out or selects an invalid file', async ({
    browser,
  }) => {
    const ada = await createUserOnHomeFeed(browser, 'Ada Quist')
    const { page } = ada
    const preview = page.getByRole('img', { name: 'Preview of your background image' })
    const saveButton = page.getByRole('button', { name: 'Save changes' })
    await page.goto('/settings')

    await test.step('keeps a selected background across topics and after an invalid file, and asks before leaving', async () => {
      await chooseFiles(page, 'Change background', coverFile)
      await expect(preview).toBeVisible()
      await chooseFiles(page, 'Choose another', pngFile('wrong.png', Buffer.from('no picture')))
      await expect(page.getByText('Invalid file type')).toBeVisible()
      await settingsTopic(page, 'Theme and language').click()
      await expect(page.getByRole('combobox', { name: 'Language' })).toBeDisabled()
      await settingsTopic(page, 'Profile with unsaved changes').click()
      await expect(preview).toBeVisible()
      await page.getByRole('link', { name: 'Saved' }).first().click()
      const savePrompt = page.getByRole('alertdialog', { name: 'Save your changes?' })
      await expect(savePrompt).toContainText('You haven’t uploaded your new background image')
      await savePrompt.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page).toHaveURL('/saved')
      await expect(page.getByText('Background image uploaded successfully!')).toBeVisible()
      // The prompt added no history entry, so going back returns to the settings.
      await page.goBack()
      await expect(page).toHaveURL('/settings/profile')
    })

    await test.step('asks before the browser’s forward button discards a photo that is being cropped', async () => {
      await chooseFiles(page, 'Change photo', coverFile)
      const cropDialog = page.getByRole('dialog', { name: 'Crop your photo' })
      const discardPrompt = page.getByRole('alertdialog', { name: 'Discard this photo?' })
      await expect(cropDialog.getByRole('button', { name: 'Save photo' })).toBeEnabled()
      // A dialog hides everything else from screen readers one frame after it opens. A second dialog that opened before
      // then would be hidden as well.
      await expect(page.getByRole('banner')).toHaveCount(0)
      await page.goForward()
      await discardPrompt.getByRole('button', { name: 'Cancel' }).click()
      await expect(cropDialog).toBeVisible()
      await expect(page).toHaveURL('/settings/profile')
      await page.goForward()
      await discardPrompt.getByRole('button', { name: 'Discard' }).click()
      await expect(page).toHaveURL('/saved')
      await page.goBack()
      await expect(page).toHaveURL('/settings/profile')
      await expect(cropDialog).toBeHidden()
    })

    await test.step('keeps changes when the user goes back, and focuses a field that another topic links to', async () => {
      await settingsTopic(page, 'About').click()
      await field(page, 'Age').fill('7')
      await settingsTopic(page, 'Privacy').click()
      await expect(field(page, 'Age')).toBeHidden()
      await expect(settingsTopic(page, 'Privacy')).toBeFocused()
      await page.goBack()
      await expect(field(page, 'Age')).toHaveValue('7')
      await field(page, 'Age').fill('')
      await settingsTopic(page, 'Security').click()
      await page.getByRole('link', { name: 'Change email' }).click()
      await expect(field(page, 'Email')).toBeFocused()
      await expect(field(page, 'Email')).toBeInViewport()
      await expect(page).toHaveURL('/settings/account')
      await settingsTopic(page, 'Billing').click()
      const creator = page.getByRole('switch', { name: 'Creator Account' })
      await page.getByRole('link', { name: 'Become a creator' }).click()
      await expect(creator).toBeFocused()
      await expect(creator).toBeInViewport()
    })

    await test.step('restores the draft after an idle sign-out', async () => {
      await page.context().request.patch('/api/settings/security', { data: { sessionTimeout: 15 } })
      await page.goto('/settings/profile')
      await field(page, 'Bio').fill('Half a sent')
      await setLastActive(page, ada.id, 16 * 60_000)
      await reloadAndAnswerPrompt(page, 'accept')
      await expect(page).toHaveURL(/\/login\?next=%2Fsettings/)
      await signInViaForm(page, ada.account)
      await expect(page).toHaveURL(/\/settings/)
      await expect(page.getByText('Your unsaved changes are back')).toBeVisible()
      await expect(field(page, 'Bio')).toHaveValue('Half a sent')
      await expect(saveButton).toBeVisible()
    })

    await test.step('asks before signing out, then deletes the draft', async () => {
      const logOutPrompt = page.getByRole('alertdialog', { name: 'Log out with unsaved changes?' })
      await logOut(page)
      await expect(logOutPrompt).toContainText('Your unsaved changes will be lost.')
      await expectAccessible(page)
      await logOutPrompt.getByRole('button', { name: 'Cancel' }).click()
      await expect(field(page, 'Bio')).toHaveValue('Half a sent')
      await logOut(page)
      await logOutPrompt.getByRole('button', { name: 'Log out' }).click()
      await expect(page).toHaveURL('/')
      const drafts = await page.evaluate(() =>
        Object.keys(localStorage).filter((key) => key.includes('draft')),
      )
      expect(drafts).toEqual([])
    })
    await deleteUser(ada)
  })
})

test.describe('Unsaved cover photo', () => {
  test('asks before the user leaves the profile with a selected cover', async ({ browser }) => {
    const iris = await createSignedInUser(browser, 'Iris Holm')
    const page = await iris.context.newPage()
    const collected = collectPageErrors(page)
    const preview = page.getByRole('img', { name: 'Preview of your cover photo' })
    const uploadPrompt = page.getByRole('alertdialog', { name: 'Upload your new cover photo?' })
    const profile = `/profile/${iris.account.username}`
    const leave = () => page.getByRole('link', { name: 'Saved' }).first().click()
    const readStoredCover = async () => {
      const response = await iris.context.request.get('/api/auth/user')
      return (await response.json()).backgroundImageUrl
    }
    await page.goto(profile)
    const selectCover = async () => {
      await chooseFiles(page, 'Edit cover photo', coverFile)
      await expect(preview).toBeVisible()
    }

    await test.step('keeps the cover across tabs, a dismissed reload and a cancelled sign-out', async () => {
      await selectCover()
      await tab(page, 'About').click()
      await expect(page).toHaveURL(`${profile}?tab=about`)
      await expect(preview).toBeVisible()
      await leave()
      await expect(uploadPrompt.getByRole('button', { name: 'Stay' })).toBeFocused()
      await expectAccessible(page)
      await page.keyboard.press('Enter')
      await expect(uploadPrompt).toBeHidden()
      await reloadAndAnswerPrompt(page, 'dismiss')
      await logOut(page)
      const logOutPrompt = page.getByRole('alertdialog', { name: 'Log out with unsaved changes?' })
      await logOutPrompt.getByRole('button', { name: 'Cancel' }).click()
      await expect(page).toHaveURL(`${profile}?tab=about`)
      await expect(preview).toBeVisible()
    })

    await test.step('stays on the page when the upload fails, and discards the cover on request', async () => {
      await abortNextRequest(page, '**/api/upload/background-image')
      await leave()
      await uploadPrompt.getByRole('button', { name: 'Upload' }).click()
      await expect(page.getByText('Upload failed')).toBeVisible()
      await expect(uploadPrompt).toBeHidden()
      await expect(preview).toBeVisible()
      await leave()
      await uploadPrompt.getByRole('button', { name: 'Discard' }).click()
      await expect(page).toHaveURL('/saved')
      expect(await readStoredCover()).toBeNull()
      await page.goBack()
      await expect(page).toHaveURL(`${profile}?tab=about`)
      await expect(preview).toHaveCount(0)
    })

    await test.step('asks before leaving during an upload, and leaves automatically when the upload is done', async () => {
      await selectCover()
      const gate = createGate()
      await page.route('**/api/upload/background-image', async (route) => {
        await gate.opened
        await route.continue()
      })
      await page.getByRole('button', { name: 'Upload', exact: true }).click()
      await leave()
      await expect(uploadPrompt).toBeVisible()
      gate.open()
      await expect(page).toHaveURL('/saved')
      expect(await readStoredCover()).not.toBeNull()
      await page.goto(profile)
      // Everything is saved now, so reloading shows no prompt.
      await page.reload()
      // The button now opens a menu, in which the cover can be removed.
      await page.getByRole('button', { name: 'Edit cover photo' }).click()
      await expect(page.getByRole('menuitem', { name: 'Remove cover photo' })).toBeVisible()
    })

    expect(collected.errors.filter((text) => !text.includes('ERR_FAILED'))).toEqual([])
    await deleteUser(iris)
  })
})

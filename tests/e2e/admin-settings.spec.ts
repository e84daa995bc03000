import { expect, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { clickDialogButton, toastWithText, topDialog } from './support/admin-panel.ts'
import { respondToNextRequest } from './support/requests.ts'
import { createAdmin, deleteUser, sql } from './support/users.ts'

test.describe('Instance settings', () => {
  test('saves the instance’s settings and keeps invalid input', async ({ browser }) => {
    const admin = await createAdmin(browser, 'Ada Tuner')
    const page = await admin.context.newPage()
    await page.goto('/admin?tab=settings')
    const form = page.getByRole('form', { name: 'Auto-posting settings' })
    const [original] = await sql<
      { value: string[] }[]
    >`select value from private.settings where key = 'banned_words'`

    await test.step('sends the new value of a toggled switch and restores the switch when saving fails', async () => {
      // The response is mocked, because saving the setting would make unapproved users in other tests read-only.
      const request = page.waitForRequest((request) => request.method() === 'PATCH')
      const approval = page.getByRole('switch', { name: 'Require approval' })
      await expect(approval).not.toBeChecked()
      await respondToNextRequest(page, '**/api/admin/settings', {
        status: 503,
        json: { message: 'Not now.', code: 'unavailable' },
      })
      await approval.click()
      expect((await request).postDataJSON()).toEqual({ requireApproval: true })
      await expect(toastWithText(page, 'Not now.')).toBeVisible()
      await expect(approval).not.toBeChecked()
    })

    await test.step('shows validation errors next to their fields, and keeps the input until it is discarded', async () => {
      await form.getByLabel('Start hour').fill('25')
      await form.getByLabel('Time zone').fill('Mars/Olympus')
      await form.getByRole('button', { name: 'Save' }).click()
      await expect(form.getByText('Please enter a number between 0 and 23.')).toBeVisible()
      await expect(form.getByText('Please enter a time zone, like Europe/Berlin.')).toBeVisible()
      await expect(form.getByLabel('Start hour')).toBeFocused()
      await expectAccessible(page)
      await page.getByRole('tab', { name: 'Users' }).click()
      await page.getByRole('tab', { name: 'Settings' }).click()
      await expect(form.getByLabel('Time zone')).toHaveValue('Mars/Olympus')
      await page.getByRole('link', { name: 'Home Feed' }).click()
      await expect(topDialog(page)).toContainText('Leave without saving?')
      await clickDialogButton(page, 'Cancel')
      await form.getByRole('button', { name: 'Discard' }).click()
      await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled()
    })

    await test.step('saves banned words without duplicates', async () => {
      try {
        await form.getByLabel('Banned words').fill('zzyzx\n\n zzyzx \nquuxly')
        await form.getByRole('button', { name: 'Save' }).click()
        await expect(toastWithText(page, 'Settings saved')).toBeVisible()
        await expect(form.getByLabel('Banned words')).toHaveValue('zzyzx\nquuxly')
        await expect(form.getByText('2 words')).toBeVisible()
      } finally {
        // The setting is shared by every test.
        await sql`update private.settings set value = ${sql.json(original?.value ?? [])} where key = 'banned_words'`
      }
    })

    await deleteUser(admin)
  })
})

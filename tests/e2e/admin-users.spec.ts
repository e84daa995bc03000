import { randomUUID } from 'node:crypto'
import { expect, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import {
  clickDialogButton,
  clickUserAction,
  openAutoPosting,
  searchUsers,
  toastWithText,
  topDialog,
  userMenuButton,
  userRow,
  userRows,
} from './support/admin-panel.ts'
import { horizontalOverflow, phoneViewport, reloadAndAnswerPrompt } from './support/page.ts'
import { createGate, failNextRequest, respondToNextRequest } from './support/requests.ts'
import { createAdmin, createSignedInUser, deleteUser, findUserId, sql } from './support/users.ts'

test.describe('User management', () => {
  test('lets an admin find, approve, promote, suspend and remove a user', async ({ browser }) => {
    const [admin, otherAdmin, piet, fan] = await Promise.all([
      createAdmin(browser, 'Ada Warden'),
      createAdmin(browser, 'Olga Warden'),
      createSignedInUser(browser, 'Piet Plain'),
      createSignedInUser(browser, 'Finn Giver'),
    ])
    const page = await admin.context.newPage()
    const list = page.getByRole('region', { name: 'User management' })
    const row = userRow(page, piet.account)

    await test.step('offers a retry when the list fails to load, and loads more users near its end', async () => {
      await failNextRequest(page, '**/api/admin/users?*')
      await page.goto('/admin')
      await expect(page.getByText("Couldn't load users. Try again.")).toBeVisible()
      await list.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByRole('tab', { name: 'Users' })).toHaveAttribute('aria-selected', 'true')
      await expect(page.getByRole('region', { name: 'Creator Pro' })).toHaveCount(0)
      const rows = userRows(page)
      await expect(rows.first()).toBeVisible()
      const firstPageSize = await rows.count()
      await expect(async () => {
        await page.keyboard.press('End')
        expect(await rows.count()).toBeGreaterThan(firstPageSize)
      }).toPass()
    })

    await test.step('keeps the search text when the admin types slowly and then clicks a filter', async () => {
      const searchBox = page.getByRole('searchbox', { name: 'Search by name, username or email' })
      await searchBox.pressSequentially('Piet Pl', { delay: 310 })
      await expect(searchBox).toHaveValue('Piet Pl')
      await page.waitForTimeout(300)
      // During a search, the filters show no counts, because the counts ignore the search.
      await list.getByRole('button', { name: 'Creators', exact: true }).click()
      await expect(page).toHaveURL(/\?q=Piet\+Pl&filter=creators$/)
      await list.getByRole('button', { name: /^All/ }).click()
    })

    await test.step('finds users by email and username, and filters the list when a total is clicked', async () => {
      await searchUsers(page, piet.account.email.toUpperCase())
      await expect(userRows(page)).toHaveCount(1)
      await expect(row).toContainText(piet.account.email)
      await row.getByRole('button', { name: 'Show details of Piet Plain' }).click()
      await expect(row).toContainText('+1 555 0100 200')
      await row.getByRole('button', { name: 'Hide details of Piet Plain' }).click()
      await expect(row).not.toContainText('+1 555 0100 200')
      await expect(list.getByText('1 user found')).toBeVisible()
      await list.getByRole('button', { name: 'Admins' }).click()
      await expect(list.getByRole('heading', { name: 'No users found' })).toBeVisible()
      await expectAccessible(page)
      await list.getByRole('button', { name: 'Show all users' }).click()
      await expect(list.getByRole('heading', { name: 'User management' })).toBeFocused()
      await page.getByRole('link', { name: /Admins/ }).click()
      await expect(page).toHaveURL(/filter=admins/)
      await searchUsers(page, otherAdmin.account.username)
      // Editing is the only action available for another admin.
      await userMenuButton(page, otherAdmin.account).click()
      await expect(page.getByRole('menuitem')).toHaveText(['Edit Profile'])
      await page.keyboard.press('Escape')
      await list.getByRole('button', { name: /^All/ }).click()
      await searchUsers(page, piet.account.username)
    })

    await test.step('sorts the users when a column header is clicked, or from a menu on phones', async () => {
      await searchUsers(page, 'warden')
      const joined = list.getByRole('columnheader', { name: 'Joined' })
      const name = list.getByRole('columnheader', { name: 'Name' })
      await expect(joined).toHaveAttribute('aria-sort', 'descending')
      await name.getByRole('button').click()
      await expect(page).toHaveURL(/sort=name$/)
      await expect(name).toHaveAttribute('aria-sort', 'ascending')
      await expect(joined).toHaveAttribute('aria-sort', 'none')
      await expect(userRows(page).first()).toContainText('Ada Warden')
      await name.getByRole('button').click()
      await expect(name).toHaveAttribute('aria-sort', 'descending')
      await expect(userRows(page).first()).toContainText('Olga Warden')
      await expectAccessible(page)
      await page.setViewportSize(phoneViewport)
      await list.getByRole('button', { name: 'Sort by: Name Z–A' }).click()
      await page.getByRole('menuitemradio', { name: 'Newest first' }).click()
      await expect(page).not.toHaveURL(/sort=/)
      await expect(list.getByRole('button', { name: 'Sort by: Newest first' })).toBeVisible()
      await expectAccessible(page)
      await page.setViewportSize({ width: 1280, height: 720 })
      await searchUsers(page, piet.account.username)
    })

    await test.step('shows who approved a user, or the server’s error if the approval fails', async () => {
      await respondToNextRequest(page, '**/approve', {
        status: 403,
        json: { message: 'Admins are exempt from this.', code: 'target_is_admin' },
      })
      await clickUserAction(page, piet.account, 'Approve')
      await expect(toastWithText(page, 'Error')).toBeVisible()
      await expect(toastWithText(page, 'Admins are exempt from this.')).toBeVisible()
      await clickUserAction(page, piet.account, 'Approve')
      await expect(toastWithText(page, 'User Approved')).toBeVisible()
      // The focus is on the row, or on its menu button if the response arrived before the menu had closed.
      await expect.poll(() => row.evaluate((element) => element.contains(document.activeElement))).toBe(true)
      await row.getByRole('button', { name: 'Show details of Piet Plain' }).click()
      await expect(row).toContainText('by Ada Warden')
    })

    await test.step('enables auto-posting for a creator, and then waits for the creator’s consent', async () => {
      await clickUserAction(page, piet.account, 'Make Creator')
      await expect(toastWithText(page, 'Creator Status Updated')).toBeVisible()
      await expect(row.getByText('Creator', { exact: true })).toBeVisible()
      await openAutoPosting(page, piet.account)
      const frequency = row.getByRole('combobox', {
        name: `Auto-posting frequency for ${piet.account.fullName}`,
      })
      await expect(frequency).toHaveValue('moderate')
      await frequency.selectOption('High (3–4 per day)')
      await clickUserAction(page, piet.account, 'Enable Auto-Post')
      await expect(toastWithText(page, 'Auto-posting Updated')).toBeVisible()
      await expect(row.getByText('Waiting for consent')).toBeVisible()
      await expect(row.getByText('Auto-Post', { exact: true })).toBeVisible()
      await frequency.selectOption('Low (1–2 per day)')
      const readStored = () =>
        sql`select enabled, frequency from private.auto_posting_settings where user_id = ${piet.id}`
      await expect.poll(readStored).toEqual([{ enabled: true, frequency: 'low' }])
      await expectAccessible(page)
      await clickUserAction(page, piet.account, 'Disable Auto-Post')
      await expect.poll(readStored).toEqual([{ enabled: false, frequency: 'low' }])
      await expect(row.getByText('Waiting for consent')).toHaveCount(0)
    })

    await test.step('previews a draft, writes another draft and shows why a preview fails', async () => {
      const url = '**/auto-posting-preview'
      const missing = { message: 'There is no API key. Please add one first.', code: 'ai_key_missing' }
      await respondToNextRequest(page, url, { status: 409, json: missing })
      await clickUserAction(page, piet.account, 'Preview a draft')
      await expect(topDialog(page).getByText(missing.message)).toBeVisible()
      const draft = { content: 'Good morning.', model: 'some-model', cost: 0.00012, basedOn: 'nothing' }
      await respondToNextRequest(page, url, { json: draft })
      await clickDialogButton(page, 'Try again')
      await expect(topDialog(page).getByText('Good morning.')).toBeVisible()
      await expect(topDialog(page)).toContainText('received none of their data')
      await expectAccessible(page)
      await respondToNextRequest(page, url, { json: { ...draft, content: 'Good night.' } })
      await clickDialogButton(page, 'Write another')
      await expect(topDialog(page).getByText('Good night.')).toBeVisible()
      await topDialog(page).getByRole('button', { name: 'Close' }).first().click()
    })

    await test.step('suspends a user for a reason and a duration, and lifts the suspension', async () => {
      await page.setViewportSize(phoneViewport)
      await clickUserAction(page, piet.account, 'Suspend')
      await clickDialogButton(page, 'Suspend')
      await expect(topDialog(page).getByText('Please say why.')).toBeVisible()
      await expect(topDialog(page).getByLabel('Reason')).toBeFocused()
      await expectAccessible(page)
      await topDialog(page).getByLabel('Reason').fill('No.')
      await page.keyboard.press('Escape')
      const discardPrompt = page.getByRole('alertdialog', { name: 'Discard what you wrote?' })
      await discardPrompt.getByRole('button', { name: 'Cancel' }).click()
      await expect(topDialog(page).getByLabel('Reason')).toHaveValue('No.')
      await clickDialogButton(page, 'Cancel')
      await discardPrompt.getByRole('button', { name: 'Discard' }).click()
      await expect(userMenuButton(page, piet.account)).toBeFocused()
      await clickUserAction(page, piet.account, 'Suspend')
      await topDialog(page).getByLabel('Reason').fill('Posting the same thing over and over.')
      await topDialog(page).getByLabel('Duration').selectOption('3 days')
      await clickDialogButton(page, 'Suspend')
      await expect(toastWithText(page, 'User suspended')).toBeVisible()
      await expect(row.getByText('Suspended', { exact: true })).toBeVisible()
      await expect(row.getByText(/^until \w+ \d+, \d{4}$/)).toBeVisible()
      await expect(row).toContainText('Posting the same thing over and over.')
      const postAsPiet = () => piet.context.request.post('/api/posts', { data: { content: 'Hello' } })
      expect((await postAsPiet()).status()).toBe(403)
      await clickUserAction(page, piet.account, 'Lift suspension')
      await expect(toastWithText(page, 'Suspension lifted')).toBeVisible()
      await expect(row.getByText('Suspended', { exact: true })).toHaveCount(0)
      expect((await postAsPiet()).ok()).toBe(true)
    })

    await test.step('removes a user only if the admin gives a reason, types the username and confirms that the balance is forfeited', async () => {
      const tip = { id: randomUUID(), amount: 80 }
      expect((await fan.context.request.post(`/api/users/${piet.id}/tip`, { data: tip })).status()).toBe(201)
      await clickUserAction(page, piet.account, 'Remove')
      await expect(topDialog(page)).toContainText('Their posts and all comments on them')
      await clickDialogButton(page, 'Remove account')
      await expect(topDialog(page).getByText('Please say why.')).toBeVisible()
      await expect(topDialog(page).getByText("This doesn't match their username.")).toBeVisible()
      await expect(topDialog(page).getByLabel('Reason')).toBeFocused()
      await topDialog(page).getByLabel('Reason').fill('Sold stolen content.')
      await topDialog(page)
        .getByLabel(`Type ${piet.account.username} to confirm`)
        .fill(`@${piet.account.username}`)
      await clickDialogButton(page, 'Remove account')
      const forfeitSwitch = topDialog(page).getByRole('switch', { name: 'Forfeit their balance' })
      await expect(forfeitSwitch).not.toBeChecked()
      await expect(topDialog(page)).toContainText('$72.00')
      await expectAccessible(page)
      await forfeitSwitch.check()
      await clickDialogButton(page, 'Remove account')
      await expect(toastWithText(page, 'User Removed')).toBeVisible()
      await expect(row).toHaveCount(0)
      await expect(list.getByRole('heading', { name: 'User management' })).toBeFocused()
      expect(await findUserId(piet.account.email)).toBe(null)
    })

    await Promise.all([admin, otherAdmin, piet, fan].map(deleteUser))
  })

  test('lets an admin approve and suspend several users at a time', async ({ browser }) => {
    const users = await Promise.all(
      ['Bea Bulk', 'Cal Bulk', 'Dot Bulk'].map((name) => createSignedInUser(browser, name)),
    )
    const [bea, cal, dot] = users
    const admin = await createAdmin(browser, 'Ada Bulk')
    if (!bea || !cal || !dot) throw new Error('Not all users were created.')
    const ids = users.map(({ id }) => id)
    await sql`update public.accounts set approved_at = null, approved_by = null where user_id = any(${ids})`
    const page = await admin.context.newPage()
    const bar = page.getByRole('region', { name: 'Selected users' })
    const selectAll = page.getByRole('checkbox', { name: 'Select all on this page' })
    const countApproved = async () =>
      (await sql`select from public.accounts where user_id = any(${ids}) and approved_at is not null`).length

    await test.step('selects all users except admins, by keyboard', async () => {
      await page.goto('/admin?q=bulk')
      await expect(userRows(page)).toHaveCount(4)
      await expect(userRow(page, admin.account).getByRole('checkbox')).toHaveCount(0)
      await userRow(page, bea.account).getByRole('checkbox').check()
      // The bar can appear under the pointer, which would show the tooltip of its first button.
      await page.mouse.move(0, 0)
      await expect(bar).toContainText('1 selected')
      await expect(selectAll).toBeChecked({ indeterminate: true })
      await selectAll.focus()
      await page.keyboard.press('Space')
      await expect(bar).toContainText('3 selected')
      await expectAccessible(page)
    })

    await test.step('keeps users selected if their approval failed, says why and tries again', async () => {
      await respondToNextRequest(page, `**/${cal.id}/approve`, {
        status: 503,
        json: { message: 'The service is not available right now. Please try again.', code: 'unavailable' },
      })
      await bar.getByRole('button', { name: 'Approve 3' }).click()
      await expect(bar.getByRole('alert')).toContainText('1 user not changed')
      await expect(bar.getByRole('alert')).toContainText(
        `Cal Bulk @${cal.account.username}: The service is not available right now.`,
      )
      await expect(bar).toContainText('1 selected')
      await expect(userRow(page, cal.account).getByRole('checkbox')).toBeChecked()
      expect(await countApproved()).toBe(2)
      await expectAccessible(page)
      await bar.getByRole('button', { name: 'Try again' }).click()
      await expect(bar).toBeHidden()
      expect(await countApproved()).toBe(3)
    })

    await test.step('suspends several users for one reason, even if the admin opens another tab meanwhile', async () => {
      await page.setViewportSize(phoneViewport)
      await selectAll.check()
      await bar.getByRole('button', { name: 'Suspend 3' }).click()
      await expect(topDialog(page).getByRole('heading', { name: 'Suspend 3 users?' })).toBeVisible()
      await clickDialogButton(page, 'Suspend')
      await expect(topDialog(page).getByText('Please say why.')).toBeVisible()
      await topDialog(page).getByLabel('Reason').fill('Fake accounts.')
      await page.keyboard.press('Escape')
      await expect(topDialog(page)).toContainText("The users haven't been suspended.")
      await clickDialogButton(page, 'Cancel')
      const gate = createGate()
      await page.route('**/suspend', async (route) => {
        await gate.opened
        await route.continue()
      })
      await clickDialogButton(page, 'Suspend')
      await page.getByRole('tab', { name: 'Payouts' }).click()
      await expect(bar).toBeHidden()
      await reloadAndAnswerPrompt(page, 'dismiss')
      await page.getByRole('tab', { name: 'Users' }).click()
      await searchUsers(page, 'bulk')
      await expect(bar).toContainText('Changing user 1 of 3…')
      gate.open()
      await expect(toastWithText(page, '3 users changed')).toBeVisible()
      await expect(bar).toBeHidden()
      await expect(userRows(page).getByText('Suspended', { exact: true })).toHaveCount(3)
      expect(await horizontalOverflow(page)).toBe(0)
    })

    await Promise.all([admin, ...users].map(deleteUser))
  })
})

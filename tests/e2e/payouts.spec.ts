import { randomUUID } from 'node:crypto'
import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { postToApi } from './support/content.ts'
import { phoneViewport } from './support/page.ts'
import { abortNextRequest, dropResponse, respondToNextRequest } from './support/requests.ts'
import {
  clearPendingEarnings,
  createAdmin,
  createSignedInUser,
  createUserOnHomeFeed,
  deleteUser,
  promoteToCreator,
  sql,
} from './support/users.ts'

const payoutDialog = (page: Page) => page.getByRole('dialog')
/** Clicks a button in the dialog. The dialog's close icon is also named 'Close' and comes last. */
const clickInPayoutDialog = (page: Page, name: string) =>
  payoutDialog(page).getByRole('button', { name, exact: true }).first().click()

test.describe('Payouts', () => {
  test('rejects a payout below the minimum, requests a payout once, returns the money of a failed payout and pays the next one', async ({
    browser,
  }) => {
    const [dora, fan, admin] = await Promise.all([
      createUserOnHomeFeed(browser, 'Dora Payne'),
      createSignedInUser(browser, 'Finn Tips'),
      createAdmin(browser, 'Aida Boss'),
    ])
    const { page } = dora
    await promoteToCreator(dora)
    /** Tips the creator and makes the earnings available. `amount` is in US dollars. */
    const sendClearedTip = async (amount: number) => {
      await postToApi(fan, `/api/users/${dora.id}/tip`, { id: randomUUID(), amount })
      await clearPendingEarnings(dora)
    }
    const available = page.getByRole('region', { name: 'Available Balance' })
    const readPayoutStates = () =>
      sql`select state from public.payouts where user_id = ${dora.id} order by created_at`

    await test.step('shows how far the balance is below the minimum payout', async () => {
      await sendClearedTip(50)
      await page.goto('/earnings')
      await expect(available).toContainText('$45.00')
      await expect(page.getByText('Test mode: no real payments')).toBeVisible()
      await available.getByRole('button', { name: 'Withdraw' }).click()
      await expect(payoutDialog(page)).toContainText('The minimum payout is $50.00.')
      await expect(payoutDialog(page)).toContainText('$5.00 to go')
      await expect(payoutDialog(page)).toContainText('no real payments')
      await expectAccessible(page)
      await clickInPayoutDialog(page, 'Close')
      const response = await page.request.post('/api/payouts', { data: { amount: 45 } })
      expect(await response.json()).toMatchObject({ code: 'payout_minimum' })
    })

    const methods = page.getByRole('region', { name: 'Payout methods' })
    await test.step('adds a payout method, whose account number is masked and which cannot be used for five days', async () => {
      await page.getByRole('tab', { name: 'Payouts' }).click()
      await expect(page).toHaveURL(/tab=payouts/)
      await expect(methods.getByText('No payout method yet')).toBeVisible()
      await page.getByRole('button', { name: 'Add New Payout Method' }).click()
      await clickInPayoutDialog(page, 'Add')
      await expect(payoutDialog(page).getByText('Please name this payout method.')).toBeVisible()
      await expect(payoutDialog(page).getByLabel('Name', { exact: true })).toBeFocused()
      await payoutDialog(page).getByLabel('Name', { exact: true }).fill('Everyday bank')
      await payoutDialog(page).getByLabel('Account holder').fill('Dora Payne')
      await payoutDialog(page).getByLabel('IBAN or account number').fill('DE89 3704 0044 0532 0130 01')
      await clickInPayoutDialog(page, 'Add')
      await expect(payoutDialog(page).getByText('Please enter a valid IBAN or account number.')).toBeVisible()
      await expectAccessible(page)
      await payoutDialog(page).getByLabel('IBAN or account number').fill('DE89 3704 0044 0532 0130 00')
      await payoutDialog(page).getByRole('button', { name: 'Add', exact: true }).dblclick()
      await expect(page.getByText('Payout method added')).toBeVisible()
      await expect(methods.getByRole('listitem')).toHaveCount(1)
      await expect(methods).toContainText('Default')
      await expect(methods).toContainText('3000')
      await expect(methods).not.toContainText('DE89370400440532013000')
      await expect(methods).toContainText('Can be used from')
      await sendClearedTip(60)
      await page.getByRole('button', { name: 'Request Instant Payout' }).click()
      await expect(payoutDialog(page)).toContainText("Your payout method can't be used yet.")
      await clickInPayoutDialog(page, 'Close')
    })

    await test.step('makes another method the default, renames the method and removes it', async () => {
      await page.getByRole('button', { name: 'Add New Payout Method' }).click()
      await payoutDialog(page).getByLabel('Name', { exact: true }).fill('Pal')
      await payoutDialog(page).getByLabel('Type').selectOption('PayPal')
      await payoutDialog(page).getByLabel('PayPal email').fill('dora@example.test')
      // The first request arrives and its response is lost. The second request must not add another method.
      let isDropped = false
      await page.route('**/api/payouts/methods', async (route) => {
        if (isDropped || route.request().method() !== 'POST') return await route.fallback()
        isDropped = true
        await dropResponse(route)
      })
      await clickInPayoutDialog(page, 'Add')
      await expect(payoutDialog(page).getByText('The connection was lost. Try again.')).toBeVisible()
      await clickInPayoutDialog(page, 'Add')
      await expect(payoutDialog(page)).toBeHidden()
      await expect(methods.getByRole('listitem')).toHaveCount(2)
      await methods.getByRole('button', { name: 'Make Pal the default' }).click()
      await expect(methods.getByRole('listitem').filter({ hasText: 'Pal' })).toContainText('Default')
      // The default method moves to the top of the list.
      await expect(methods.getByRole('listitem').first()).toContainText('Pal')
      await methods.getByRole('button', { name: 'Edit Pal' }).click()
      await payoutDialog(page).getByLabel('Name', { exact: true }).fill('Holiday money')
      await clickInPayoutDialog(page, 'Save')
      await expect(methods).toContainText('Holiday money')
      await expectAccessible(page)
      const remove = methods.getByRole('button', { name: 'Remove Holiday money' })
      await remove.click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
      await expect(remove).toBeFocused()
      await remove.click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
      await expect(methods.getByRole('listitem')).toHaveCount(1)
      await expect(page.getByRole('button', { name: 'Add New Payout Method' })).toBeFocused()
      await expect(methods.getByRole('listitem')).toContainText('Default')
      // On the scheduled day, the default method cannot be used yet, so the payout is postponed.
      await sql`update public.payout_schedules set next_at = now() + interval '1 day' where user_id = ${dora.id}`
      await page.reload()
      await expect(page.getByText(/Next payout on .+, when your payout method can be used/)).toBeVisible()
      await page.getByRole('link', { name: 'View transactions: Available Balance' }).click()
      await expect(page).toHaveURL(/tab=transactions&of=available/)
      await expect(page.getByRole('tab', { name: 'Transactions' })).toHaveAttribute('aria-selected', 'true')
      await page.getByRole('tab', { name: 'Payouts' }).click()
      await page.getByRole('switch', { name: 'Weekly' }).uncheck()
      await expect(page.getByText('Off: you withdraw manually')).toBeVisible()
    })

    const history = page.getByRole('region', { name: 'Payout history' })
    await test.step('creates a single payout despite double-clicks and lost responses', async () => {
      await sql`update public.payout_methods set changed_at = changed_at - interval '6 days' where user_id = ${dora.id}`
      await page.reload()
      await page.getByRole('button', { name: 'Request Instant Payout' }).click()
      const amount = payoutDialog(page).getByLabel('Amount in US dollars')
      await expect(amount).toHaveValue('99.00')
      await amount.fill('7,550')
      await clickInPayoutDialog(page, 'Request payout')
      await expect(payoutDialog(page).getByText('You have $99.00 available.')).toBeVisible()
      await amount.fill('49,99')
      await clickInPayoutDialog(page, 'Request payout')
      await expect(payoutDialog(page).getByText('The minimum payout is $50.00.')).toBeVisible()
      await amount.fill('99')
      await expectAccessible(page)
      const requestButton = payoutDialog(page).getByRole('button', { name: 'Request payout' })
      // The first request does not reach the server, and neither does the request that checks whether it arrived.
      await page.route('**/api/payouts', (route) => route.abort(), { times: 2 })
      await requestButton.dblclick()
      await expect(page.getByText('The connection was lost. Try again.')).toBeVisible()
      expect(await readPayoutStates()).toEqual([])
      // The second request arrives, and its response is lost.
      await page.route('**/api/payouts', dropResponse, { times: 1 })
      await requestButton.dblclick()
      await expect(page.getByText('Payout requested')).toBeVisible()
      expect(await readPayoutStates()).toEqual([{ state: 'requested' }])
      await expect(history.getByRole('listitem')).toHaveCount(1)
      await expect(history).toContainText('$99.00')
      await expect(history).toContainText('Requested')
    })

    const adminPage = await admin.context.newPage()
    const list = adminPage.getByRole('region', { name: 'Payouts' })
    const doraLink = adminPage.locator(`a[href="/profile/${dora.account.username}"]`)
    const row = list.getByRole('listitem').filter({ has: doraLink, hasText: 'Dora Payne' })
    await test.step('lets an admin reveal the details and mark the payout as failed', async () => {
      await adminPage.setViewportSize(phoneViewport)
      // Once payments are real, a payout of test money can only be marked as failed.
      await adminPage.route('**/api/config', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), payments: 'stripe' } })
      })
      await adminPage.goto('/admin?tab=payouts')
      await expect(row).toContainText('Test money')
      await expect(list).toContainText('Send the money first')
      await expect(row.getByRole('button', { name: /^Mark as failed/ })).toBeVisible()
      await expect(row.getByRole('button', { name: /^Mark as paid/ })).toHaveCount(0)
      await expectAccessible(adminPage)
      await adminPage.unroute('**/api/config')
      await adminPage.reload()
      await expect(row.getByRole('button', { name: /^Mark as paid/ })).toBeVisible()
      await expect(row).toContainText('$99.00')
      await expect(row).not.toContainText('DE89370400440532013000')
      await expect(list).toContainText('Test mode: no real payments.')
      await expect(list).not.toContainText('Send the money first')
      await row.getByRole('button', { name: /^Show details/ }).click()
      await expect(payoutDialog(adminPage)).toContainText('Viewing the details is recorded')
      await clickInPayoutDialog(adminPage, 'Show details')
      await expect(payoutDialog(adminPage)).toContainText('DE89370400440532013000')
      await expectAccessible(adminPage)
      // Simulates a page without HTTPS, where browsers provide no clipboard.
      await adminPage.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
      await payoutDialog(adminPage).getByRole('button', { name: 'Copy Account holder' }).click()
      await expect(adminPage.getByText("Couldn't copy. Select the text and copy it yourself.")).toBeVisible()
      await clickInPayoutDialog(adminPage, 'Close')
      const reveals = await sql`
        select from public.audit_entries where action = 'payout.reveal' and target_id = ${dora.id}`
      expect(reveals.count).toBe(1)
      await row.getByRole('button', { name: /^Mark as failed/ }).click()
      await clickInPayoutDialog(adminPage, 'Mark as failed')
      await expect(payoutDialog(adminPage).getByText('Please say why it failed.')).toBeVisible()
      await payoutDialog(adminPage).getByLabel('Reason').fill('The bank does not know this account.')
      await expectAccessible(adminPage)
      await expect(payoutDialog(adminPage)).toContainText('no real payments')
      await abortNextRequest(adminPage, '**/settle')
      await clickInPayoutDialog(adminPage, 'Mark as failed')
      await expect(adminPage.getByText('The list shows whether the payout was settled.')).toBeVisible()
      await payoutDialog(adminPage).getByRole('button', { name: 'Mark as failed' }).dblclick()
      await expect(adminPage.getByText('Marked as failed')).toBeVisible()
      await expect(row).toContainText('Failed')
      await expect(row).toBeFocused()
      await expectAccessible(adminPage)
    })

    await test.step('shows the creator the reason live and returns the money', async () => {
      await expect(history).toContainText('The bank does not know this account.')
      await page.getByRole('tab', { name: 'Overview' }).click()
      await expect(available).toContainText('$99.00')
      await available.getByRole('button', { name: 'Withdraw' }).click()
      await clickInPayoutDialog(page, 'Request payout')
      await expect(page.getByText('Payout requested')).toBeVisible()
      await expect(available).toContainText('$0.00')
    })

    await test.step('reports that another admin settled the payout first, and refetches the list', async () => {
      await adminPage.reload()
      await row.getByRole('button', { name: /^Mark as paid/ }).click()
      await payoutDialog(adminPage).getByLabel('Reference (optional)').fill('SEPA-1')
      await respondToNextRequest(adminPage, '**/settle', {
        status: 409,
        json: { message: 'This payout was already settled as failed.', code: 'conflict' },
      })
      await respondToNextRequest(adminPage, '**/api/admin/payouts?*', { json: [] })
      await clickInPayoutDialog(adminPage, 'Mark as paid')
      await expect(adminPage.getByText('This payout was already settled as failed.')).toBeVisible()
      // The row disappears, and the dialog keeps its input.
      await expect(row).toHaveCount(0)
      await expect(payoutDialog(adminPage).getByLabel('Reference (optional)')).toHaveValue('SEPA-1')
      await clickInPayoutDialog(adminPage, 'Mark as paid')
      await expect(adminPage.getByText('Marked as paid')).toBeVisible()
      await expect(list.getByRole('heading', { name: 'Payouts', exact: true })).toBeFocused()
      await page.getByRole('tab', { name: 'Payouts' }).click()
      await expect(history).toContainText('reference SEPA-1')
      await expect(history.getByText('Paid', { exact: true })).toBeVisible()
      expect(await readPayoutStates()).toEqual([{ state: 'failed' }, { state: 'paid' }])
    })

    await test.step('denies access to a user who is not an admin', async () => {
      await page.goto('/admin')
      await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
      await expect(page.getByText("You don't have permission to access this page.")).toBeVisible()
      expect((await page.request.get('/api/admin/payouts')).status()).toBe(403)
    })
    await deleteUser(admin)
    await deleteUser(fan)
    await deleteUser(dora)
  })
})

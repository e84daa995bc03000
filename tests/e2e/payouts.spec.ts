import { randomUUID } from 'node:crypto'
import { expect, type Page, type Route, test } from 'playwright/test'
import { expectAccessible } from './axe.ts'
import { arrive, forget, join, sql } from './support.ts'

const dialog = (page: Page) => page.getByRole('dialog')
/** Presses a button of the dialog. The cross in its corner is called 'Close' as well, and comes last. */
const press = (page: Page, name: string) =>
  dialog(page).getByRole('button', { name, exact: true }).first().click()

/** What was asked for and is cleared since yesterday: the time that this takes is the only thing that is made up. */
async function clear(person: string): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      update public.ledger_transactions set clears_at = now() - interval '1 day' where person_id = ${person}`
  })
}

/** Lets a call arrive, and its answer not. */
const lose = async (route: Route) => {
  await route.fetch()
  await route.abort()
}

test('money is asked for once, refused below the minimum, given back when it fails, and paid', async ({
  browser,
}) => {
  const [dora, fan, admin] = await Promise.all([
    arrive(browser, 'Dora Payne'),
    join(browser, 'Finn Tips'),
    join(browser, 'Aida Boss'),
  ])
  const { page } = dora
  const [{ id } = { id: '' }] = await sql<{ id: string }[]>`
    update public.profiles set is_creator = true where username = ${dora.who.username} returning id`
  await sql`select private.grant_admin(${admin.who.email})`
  const tip = async (amount: number) => {
    const sent = await fan.context.request.post(`/api/users/${id}/tip`, {
      data: { id: randomUUID(), amount },
    })
    expect(sent.status()).toBe(201)
    await clear(id)
  }
  const available = page.getByRole('region', { name: 'Available Balance' })
  const requests = () => sql`select state from public.payouts where person_id = ${id} order by created_at`

  await test.step('Below fifty dollars it says what is missing', async () => {
    await tip(50)
    await page.goto('/earnings')
    await expect(available).toContainText('$45.00')
    await expect(page.getByText('Payments are in test mode here: no money moves.')).toBeVisible()
    await available.getByRole('button', { name: 'Withdraw' }).click()
    await expect(dialog(page)).toContainText('The minimum payout is $50.00.')
    await expect(dialog(page)).toContainText('$5.00 to go')
    await expect(dialog(page)).toContainText('no money moves')
    await expectAccessible(page)
    await press(page, 'Close')
    const refused = await page.request.post('/api/payouts', { data: { amount: 45 } })
    expect(await refused.json()).toMatchObject({ code: 'payout_minimum' })
  })

  const methods = page.getByRole('region', { name: 'Payout methods' })
  await test.step('A method is added with what is wrong said beside it, masked, and waits five days', async () => {
    await page.getByRole('tab', { name: 'Payouts' }).click()
    await expect(page).toHaveURL(/tab=payouts/)
    await expect(methods.getByText('No payout method yet')).toBeVisible()
    await page.getByRole('button', { name: 'Add New Payout Method' }).click()
    await press(page, 'Add')
    await expect(dialog(page).getByText('Please name this payout method.')).toBeVisible()
    await expect(dialog(page).getByLabel('Name', { exact: true })).toBeFocused()
    await dialog(page).getByLabel('Name', { exact: true }).fill('Everyday bank')
    await dialog(page).getByLabel('Account holder').fill('Dora Payne')
    await dialog(page).getByLabel('IBAN or account number').fill('DE89 3704 0044 0532 0130 01')
    await press(page, 'Add')
    await expect(dialog(page).getByText('Please enter a valid IBAN or account number.')).toBeVisible()
    await expectAccessible(page)
    await dialog(page).getByLabel('IBAN or account number').fill('DE89 3704 0044 0532 0130 00')
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).dblclick()
    await expect(page.getByText('Payout method added')).toBeVisible()
    await expect(methods.getByRole('listitem')).toHaveCount(1)
    await expect(methods).toContainText('Default')
    await expect(methods).toContainText('3000')
    await expect(methods).not.toContainText('DE89370400440532013000')
    await expect(methods).toContainText('Can be used from')
    await tip(60)
    await page.getByRole('button', { name: 'Request Instant Payout' }).click()
    await expect(dialog(page)).toContainText('Your payout method cannot be used yet.')
    await press(page, 'Close')
  })

  await test.step('Another one becomes the default, is renamed, and goes', async () => {
    await page.getByRole('button', { name: 'Add New Payout Method' }).click()
    await dialog(page).getByLabel('Name', { exact: true }).fill('Pal')
    await dialog(page).getByLabel('Type').selectOption('PayPal')
    await dialog(page).getByLabel('PayPal email').fill('dora@example.test')
    // It arrives, its answer does not: pressed again, it is the same one.
    let isLost = false
    await page.route('**/api/payouts/methods', async (route) => {
      if (isLost || route.request().method() !== 'POST') return await route.fallback()
      isLost = true
      await lose(route)
    })
    await press(page, 'Add')
    await expect(dialog(page).getByText('The connection was lost. Please try again.')).toBeVisible()
    await press(page, 'Add')
    await expect(dialog(page)).toBeHidden()
    await expect(methods.getByRole('listitem')).toHaveCount(2)
    await methods.getByRole('button', { name: 'Make Pal the default' }).click()
    await expect(methods.getByRole('listitem').filter({ hasText: 'Pal' })).toContainText('Default')
    await methods.getByRole('button', { name: 'Edit Pal' }).click()
    await dialog(page).getByLabel('Name', { exact: true }).fill('Holiday money')
    await press(page, 'Save')
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
    // Its day comes before the default method can be used: the payout waits for that.
    await sql`update public.payout_schedules set next_at = now() + interval '1 day' where user_id = ${id}`
    await page.reload()
    await expect(page.getByText(/Next payout on .+: your payout method can be used from then/)).toBeVisible()
    await page.getByRole('link', { name: 'View transactions: Available Balance' }).click()
    await expect(page).toHaveURL(/tab=transactions&of=available/)
    await page.getByRole('tab', { name: 'Payouts' }).click()
    await page.getByRole('switch', { name: 'Weekly' }).uncheck()
    await expect(page.getByText('Only when you ask')).toBeVisible()
  })

  const history = page.getByRole('region', { name: 'Payout history' })
  await test.step('Two presses and a lost answer make one payout', async () => {
    await sql`update public.payout_methods set changed_at = changed_at - interval '6 days' where user_id = ${id}`
    await page.reload()
    await page.getByRole('button', { name: 'Request Instant Payout' }).click()
    const amount = dialog(page).getByLabel('Amount in US dollars')
    await expect(amount).toHaveValue('99.00')
    await amount.fill('7,550')
    await press(page, 'Request payout')
    await expect(dialog(page).getByText('You have $99.00 available.')).toBeVisible()
    await amount.fill('49,99')
    await press(page, 'Request payout')
    await expect(dialog(page).getByText('The minimum payout is $50.00.')).toBeVisible()
    await amount.fill('99')
    await expectAccessible(page)
    const button = dialog(page).getByRole('button', { name: 'Request payout' })
    // The first one does not arrive, nor can it be asked what became of it.
    await page.route('**/api/payouts', (route) => route.abort(), { times: 2 })
    await button.dblclick()
    await expect(page.getByText('The connection was lost. Please try again.')).toBeVisible()
    expect(await requests()).toEqual([])
    // The second one arrives, its answer does not.
    await page.route('**/api/payouts', lose, { times: 1 })
    await button.dblclick()
    await expect(page.getByText('Payout requested')).toBeVisible()
    expect(await requests()).toEqual([{ state: 'requested' }])
    await expect(history.getByRole('listitem')).toHaveCount(1)
    await expect(history).toContainText('$99.00')
    await expect(history).toContainText('Requested')
  })

  const office = await admin.context.newPage()
  const list = office.getByRole('region', { name: 'Payouts' })
  const hers = office.locator(`a[href="/profile/${dora.who.username}"]`)
  const row = list.getByRole('listitem').filter({ has: hers, hasText: 'Dora Payne' })
  await test.step('An admin sees it, asks for the details, and says that it failed', async () => {
    await office.setViewportSize({ width: 390, height: 844 })
    await office.goto('/admin?tab=payouts')
    await expect(row).toContainText('$99.00')
    await expect(row).not.toContainText('DE89370400440532013000')
    await expect(list).toContainText('Payments are in test mode here: no money moves.')
    await expect(list).not.toContainText('Send the money first')
    await row.getByRole('button', { name: /^Show details/ }).click()
    await expect(dialog(office)).toContainText('Showing the details is recorded')
    await press(office, 'Show details')
    await expect(dialog(office)).toContainText('DE89370400440532013000')
    await expectAccessible(office)
    // As on a page that did not come by https.
    await office.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await dialog(office).getByRole('button', { name: 'Copy Account holder' }).click()
    await expect(office.getByText('It could not be copied.')).toBeVisible()
    await press(office, 'Close')
    const seen = await sql`
      select from public.audit_entries where action = 'payout.reveal' and target_id = ${id}`
    expect(seen.count).toBe(1)
    await row.getByRole('button', { name: /^Mark as failed/ }).click()
    await press(office, 'Mark as failed')
    await expect(dialog(office).getByText('Please say why it failed.')).toBeVisible()
    await dialog(office).getByLabel('Reason').fill('The bank does not know this account.')
    await expectAccessible(office)
    await expect(dialog(office)).toContainText('no money moves')
    await office.route('**/settle', (route) => route.abort(), { times: 1 })
    await press(office, 'Mark as failed')
    await expect(office.getByText('The list shows whether the payout was settled.')).toBeVisible()
    await dialog(office).getByRole('button', { name: 'Mark as failed' }).dblclick()
    await expect(office.getByText('Marked as failed')).toBeVisible()
    await expect(row).toContainText('Failed')
    await expect(row).toBeFocused()
    await expectAccessible(office)
  })

  await test.step('Dora sees why, live, and has the money back', async () => {
    await expect(history).toContainText('The bank does not know this account.')
    await page.getByRole('tab', { name: 'Overview' }).click()
    await expect(available).toContainText('$99.00')
    await available.getByRole('button', { name: 'Withdraw' }).click()
    await press(page, 'Request payout')
    await expect(page.getByText('Payout requested')).toBeVisible()
    await expect(available).toContainText('$0.00')
  })

  await test.step('Another admin was first: the server says so, and the list is read again', async () => {
    await office.reload()
    await row.getByRole('button', { name: /^Mark as paid/ }).click()
    await dialog(office).getByLabel('Reference (optional)').fill('SEPA-1')
    await office.route(
      '**/settle',
      (route) =>
        route.fulfill({
          status: 409,
          json: { message: 'This payout was settled as failed already.', code: 'conflict' },
        }),
      { times: 1 },
    )
    await office.route('**/api/admin/payouts?*', (route) => route.fulfill({ json: [] }), { times: 1 })
    await press(office, 'Mark as paid')
    await expect(office.getByText('This payout was settled as failed already.')).toBeVisible()
    // Its row goes; what was typed does not.
    await expect(row).toHaveCount(0)
    await expect(dialog(office).getByLabel('Reference (optional)')).toHaveValue('SEPA-1')
    await press(office, 'Mark as paid')
    await expect(office.getByText('Marked as paid')).toBeVisible()
    await expect(list.getByRole('heading', { name: 'Payouts' })).toBeFocused()
    await page.getByRole('tab', { name: 'Payouts' }).click()
    await expect(history).toContainText('reference SEPA-1')
    await expect(history.getByText('Paid', { exact: true })).toBeVisible()
    expect(await requests()).toEqual([{ state: 'failed' }, { state: 'paid' }])
  })

  await test.step('Nobody else gets to the list', async () => {
    await page.goto('/admin')
    await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
    await expect(page.getByText("You don't have permission to access this page.")).toBeVisible()
    expect((await page.request.get('/api/admin/payouts')).status()).toBe(403)
  })
  await forget(admin)
  await forget(fan)
  await forget(dora)
})

import { expect, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { horizontalOverflow, phoneViewport } from './support/page.ts'
import { createSignedInUser, deleteUser, promoteToCreator, sql } from './support/users.ts'

test('A creator offers longer subscriptions, and a fan subscribes for three months', async ({ browser }) => {
  const [creator, fan] = [
    await createSignedInUser(browser, 'Cleo Term'),
    await createSignedInUser(browser, 'Fay Term'),
  ]
  await promoteToCreator(creator)
  const [page, fanPage] = [await creator.context.newPage(), await fan.context.newPage()]
  const profile = `/profile/${creator.account.username}`
  const dialog = fanPage.getByRole('dialog')

  await test.step('saves the discounts in the creator settings', async () => {
    await page.goto('/settings/creator')
    const section = page.getByRole('region', { name: 'Longer subscriptions' })
    const [quarterly, yearly] = [section.getByLabel('3 months'), section.getByLabel('12 months')]
    await expect(quarterly).toHaveValue('')
    await quarterly.selectOption('15% off ($25.47)')
    await yearly.selectOption('30% off ($83.92)')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('All changes saved').filter({ visible: true })).toHaveCount(1)
    await page.reload()
    await expect(quarterly).toHaveValue('15')
    await expect(yearly).toHaveValue('30')
    await expect(section.getByLabel('6 months')).toHaveValue('')
  })

  await test.step('lists the longer subscriptions on the profile card', async () => {
    await fanPage.goto(profile)
    const card = fanPage.getByRole('region', { name: /^Subscribe to/ })
    await expect(card.getByRole('button', { name: /^Subscribe \$9\.99\/mo/ })).toBeVisible()
    const list = card.getByRole('list', { name: 'Longer subscriptions' })
    await expect(list.getByRole('button')).toHaveText([
      /^3 months\s*Save 15%\s*\$25\.47\s*\$8\.49 per month$/,
      /^12 months\s*Save 30%\s*\$83\.92\s*\$6\.99 per month$/,
    ])
    await list.getByRole('button', { name: /^12 months/ }).click()
    await expect(dialog.getByRole('radio', { name: /^12 months/ })).toBeChecked()
    await expect(dialog.getByRole('button', { name: 'Pay $83.92' })).toBeVisible()
    await expectAccessible(fanPage)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await expect(list.getByRole('button', { name: /^12 months/ })).toBeFocused()
  })

  await test.step('lets the fan choose again if the price changed before the payment was completed', async () => {
    const response = await fanPage.request.get(`/api/users/${creator.id}`)
    const pending = {
      id: fan.id,
      creatorId: creator.id,
      creator: await response.json(),
      price: 20,
      months: 3,
      state: 'pending',
      periodEnd: null,
      cancelled: false,
      createdAt: new Date().toISOString(),
    }
    await fanPage.route('**/api/user/subscriptions?*', (route) => route.fulfill({ json: [pending] }))
    await fanPage.goto('/settings/billing')
    const continueButton = fanPage.getByRole('button', { name: 'Continue to payment for Cleo Term' })
    await continueButton.click()
    await expect(fanPage.getByText(/^The price or the length is no longer offered\./)).toBeVisible()
    await expect(dialog.getByRole('radio', { name: /^3 months/ })).toBeChecked()
    await expect(dialog.getByRole('button', { name: 'Pay $25.47' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(continueButton).toBeFocused()
    await fanPage.unrouteAll({ behavior: 'wait' })
    await fanPage.goto(profile)
  })

  await test.step('lets the fan choose a length on a phone, and pay the price that is shown', async () => {
    await fanPage.setViewportSize(phoneViewport)
    await fanPage.reload()
    await fanPage.getByRole('button', { name: 'Subscribe $9.99/mo', exact: true }).click()
    await expect(dialog.getByRole('radio', { name: /^1 month/ })).toBeChecked()
    await expect(dialog).toContainText('Billed monthly, cancel any time')
    await dialog.getByRole('radio', { name: /^3 months/ }).check()
    await expect(dialog).toContainText('Billed every 3 months')
    await expect(dialog).toContainText(/Renews on .*\. Cancel any time\./)
    expect(await horizontalOverflow(fanPage)).toBe(0)
    await expectAccessible(fanPage)
    // The creator changes the discount in the meantime.
    await sql`update public.profile_details set quarterly_discount = 10 where user_id = ${creator.id}`
    await dialog.getByRole('button', { name: 'Pay $25.47' }).click()
    await expect(fanPage.getByText(/^The price or the length is no longer offered\./)).toBeVisible()
    await dialog.getByRole('button', { name: 'Pay $26.97' }).dblclick()
    await fanPage.getByRole('button', { name: 'Subscribed' }).click()
    await expect(fanPage.getByText(/^\$26\.97 every 3 months, renews on /)).toBeVisible()
    await expectAccessible(fanPage)
    expect(await horizontalOverflow(fanPage)).toBe(0)
    await fanPage.keyboard.press('Escape')
    const payments = await sql`
      select amount_cents, months, state from public.payments where payer_id = ${fan.id}`
    expect(payments).toEqual([{ amount_cents: 2697, months: 3, state: 'paid' }])
  })

  await test.step('shows the length where the subscription is managed', async () => {
    await fanPage.getByRole('button', { name: 'Subscribed' }).click()
    await fanPage.getByRole('menuitem', { name: 'Manage subscription' }).click()
    await expect(dialog).toContainText('Billed every 3 months')
    await expect(dialog).toContainText('To change the length, cancel first.')
    await expectAccessible(fanPage)
    await fanPage.goto('/settings/billing')
    const row = fanPage.getByRole('listitem').filter({ hasText: 'Cleo Term' })
    await expect(row).toContainText('$26.97 every 3 months · Renews on')
    await page.goto('/earnings?tab=transactions')
    await expect(page.getByText(/^Subscription from .?Fay Term.? for 3 months$/)).toBeVisible()
  })

  await test.step('rejects another length that is chosen on an outdated page', async () => {
    const tab = await fan.context.newPage()
    await tab.route('**/api/users/*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), subscription: null } })
    })
    await tab.goto(profile)
    await tab.getByRole('button', { name: 'Subscribe $9.99/mo', exact: true }).click()
    await tab.getByRole('dialog').getByRole('button', { name: 'Pay $9.99' }).click()
    await expect(tab.getByText("You're already subscribed.")).toBeVisible()
    await tab.close()
  })

  for (const user of [creator, fan]) await deleteUser(user)
})

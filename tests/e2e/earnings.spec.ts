import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, type Locator, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { postToApi, publish } from './support/content.ts'
import { phoneViewport } from './support/page.ts'
import { abortNextRequest, createGate } from './support/requests.ts'
import {
  clearPendingEarnings,
  createSignedInUser,
  createUserOnHomeFeed,
  deleteUser,
  promoteToCreator,
  sql,
} from './support/users.ts'

/** Returns the first US dollar amount in an element's text. */
const readAmount = async (element: Locator) =>
  Number(((await element.textContent()) ?? '').match(/-?\$[\d,.]+/)?.[0].replace(/[$,]/g, ''))

test.describe('Earnings', () => {
  test('updates earnings live and shows the transactions behind the amounts', async ({ browser }) => {
    const [cora, fan] = await Promise.all([
      createUserOnHomeFeed(browser, 'Cora Lane'),
      createSignedInUser(browser, 'Felix Fan'),
    ])
    const { page } = cora

    await test.step('redirects a user without Creator Pro to the home feed and says why', async () => {
      await page.route('**/api/creator-pro', (route) => route.fulfill({ status: 503, body: '' }))
      await page.goto('/earnings')
      await expect(page.getByText('Creator Pro Required')).toBeVisible()
      await expect(
        page.getByText(
          'Earnings is a Creator Pro exclusive feature. Upgrade your account to access revenue tracking and payouts.',
        ),
      ).toBeVisible()
      await expect(page).toHaveURL('/')
      // The card does not mention the price until the page has loaded it.
      const creatorProCard = page.getByRole('region', { name: 'Creator Pro' })
      await expect(creatorProCard).toContainText('subscriptions, analytics and payouts.')
      await expect(creatorProCard).not.toContainText('No money moves')
      await page.unroute('**/api/creator-pro')
      await page.reload()
      await expect(creatorProCard).toContainText('Free for now.')
    })

    await promoteToCreator(cora)
    const card = (name: string) => page.getByRole('region', { name, exact: true })
    const rows = page.getByRole('table', { name: 'Transactions, newest first' }).locator('tbody tr')
    await test.step('explains to a new creator how to earn', async () => {
      await page.goto('/earnings')
      await expect(page.getByRole('heading', { name: 'Your first sale will show up here' })).toBeVisible()
      await expect(card('Available Balance')).toContainText('$0.00')
      await expectAccessible(page)
    })

    await test.step('adds a tip, a subscription and an unlock without a reload', async () => {
      const data = { content: 'The whole set', teaser: 'Backstage', isPremium: true, premiumPrice: 12.5 }
      const post = await publish(cora, data)
      await postToApi(fan, `/api/users/${cora.id}/tip`, { id: randomUUID(), amount: 20, note: 'Loved it' })
      await expect(card('Pending')).toContainText('$18.00')
      await postToApi(fan, '/api/subscriptions', { creatorId: cora.id })
      await expect(card('Pending')).toContainText('$26.99')
      await postToApi(fan, `/api/posts/${post.id}/unlock`, { amount: 12.5 })
      // $38.24 is the sum of $20, $9.99 and $12.50, each minus the platform's 10% fee, rounded to cents.
      await expect(card('Pending')).toContainText('$38.24')
      await expect(card('This Month')).toContainText('$38.24')
      await expect(card('Yearly Projection')).toContainText('$458.88')
      await expect(page.getByText('after the 10% platform fee')).toBeVisible()
      const sources = card('Revenue Sources')
      await sources.getByRole('button', { name: 'Show as table' }).click()
      await expect(sources.getByRole('row', { name: 'Tips & Donations $18.00 47%' })).toBeVisible()
      await expect(sources.getByRole('row', { name: 'Premium Content $11.25 29%' })).toBeVisible()
      await expect(sources.getByRole('row', { name: 'Subscriptions $8.99 24%' })).toBeVisible()
      await expect(card('Earnings by month').getByRole('figure')).toBeVisible()
      await page.getByRole('button', { name: '30D, last 30 days' }).click()
      await expect(card('Earnings by day')).toContainText(
        '$38.24 in the last 30 days, after fees New: none in the previous 30 days',
      )
      const days = card('Earnings by day').getByRole('table', { name: 'Earnings over time' })
      await expect(days.getByRole('row')).toHaveCount(31)
      await expect(days.getByRole('row').last()).toContainText('$38.24')
      await page.getByRole('button', { name: 'Custom…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Custom period' })
      await dialog.getByLabel('From (UTC)').fill('2026-01-10')
      await dialog.getByLabel('To (UTC)').fill('2026-01-09')
      await dialog.getByRole('button', { name: 'Apply' }).click()
      await expect(
        dialog.getByText("Please choose an end date that isn't before the start date."),
      ).toBeVisible()
      await dialog.getByLabel('To (UTC)').fill('2026-01-12')
      await dialog.getByRole('button', { name: 'Apply' }).click()
      await expect(dialog).toBeHidden()
      await expect(card('Earnings by day')).toContainText(
        /\$0\.00, Jan 10\s–\s12, 2026, after fees Same as the previous 3 days/,
      )
      const custom = page.getByRole('button', { name: /^Custom: / })
      await expect(custom).toHaveAttribute('aria-pressed', 'true')
      await expect(days.getByRole('row')).toHaveCount(4)
      await expectAccessible(page)
      // While another range loads, the card still shows the previous amount with its dates.
      const gate = createGate()
      await page.route('**/api/earnings/days?from=2025*', async (route) => {
        await gate.opened
        await route.continue()
      })
      await custom.click()
      await dialog.getByLabel('From (UTC)').fill('2025-01-12')
      await dialog.getByRole('button', { name: 'Apply' }).click()
      await expect(card('Earnings by day')).toContainText(/Jan 10\s–\s12, 2026/)
      gate.open()
      await expect(card('Earnings by month')).toContainText('Jan 12, 2025')
      await page.getByRole('button', { name: '12M, last 12 months' }).click()
    })

    await test.step('opens the transactions of a day from the chart', async () => {
      await page.getByRole('button', { name: '30D, last 30 days' }).click()
      const chart = card('Earnings by day').getByRole('figure')
      await chart.getByRole('application').focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowLeft')
      await expect(chart.getByText('Select to see transactions')).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(page.getByText('No matching transactions')).toBeVisible()
      await page.goBack()
      await expect(page.getByRole('button', { name: '30D, last 30 days' })).toHaveAttribute(
        'aria-pressed',
        'true',
      )
      const today = new Date().toISOString().slice(0, 10)
      await chart.locator(`a[href$="of=earnings&from=${today}&to=${today}"]`).click()
      await expect(page).toHaveURL(`/earnings?tab=transactions&of=earnings&from=${today}&to=${today}`)
      await expect(rows).toHaveCount(3)
      await page.getByLabel('Type').selectOption('Tips & Donations')
      await expect(rows).toHaveCount(1)
      await expectAccessible(page)
      const [request] = await Promise.all([
        page.waitForRequest(/\/api\/earnings\/transactions\/export/),
        page.getByRole('button', { name: 'Export' }).click(),
      ])
      expect(Object.fromEntries(new URL(request.url()).searchParams)).toEqual({
        type: 'tip',
        of: 'earnings',
        from: today,
        to: today,
      })
      await page.getByRole('button', { name: 'Remove filter: Sales and refunds' }).click()
      await page.getByRole('button', { name: /^Remove filter: / }).click()
      await expect(page).toHaveURL('/earnings?tab=transactions&type=tip')
      await expect(page.getByRole('region', { name: 'Transactions' })).toBeFocused()
      await page.getByRole('tab', { name: 'Overview' }).click()
    })

    await test.step('shows cleared earnings as available and a new tip as pending', async () => {
      await clearPendingEarnings(cora)
      await postToApi(fan, `/api/users/${cora.id}/tip`, { id: randomUUID(), amount: 10 })
      await expect(card('Available Balance')).toContainText('$38.24')
      await expect(card('Pending')).toContainText('$9.00')
    })

    await test.step('opens the transactions behind each card except the projection', async () => {
      for (const [name, count] of [
        ['Available Balance', 3],
        ['Pending', 1],
        ['This Month', 4],
      ] as const) {
        const amount = await readAmount(card(name))
        await card(name).getByRole('link').click()
        await expect(page).toHaveURL(/tab=transactions&of=/)
        await expect(rows).toHaveCount(count)
        await expect(page.getByText(`$${amount.toFixed(2)} in total`)).toBeVisible()
        await page.getByRole('tab', { name: 'Overview' }).click()
      }
      const projection = await readAmount(card('Yearly Projection'))
      await expect(card('Yearly Projection').getByRole('link')).toHaveCount(0)
      await page.goto('/earnings?tab=transactions&of=last_30_days')
      await expect(page.getByText(`$${(projection / 12).toFixed(2)} in total`)).toBeVisible()
      await page.getByRole('tab', { name: 'Overview' }).click()
    })

    await test.step('shows the latest transactions, with a link to all of them', async () => {
      const recent = card('Recent transactions')
      await expect(recent.getByRole('table').locator('tbody tr')).toHaveCount(4)
      await recent.getByRole('link', { name: 'View all' }).click()
      await expect(page).toHaveURL('/earnings?tab=transactions')
    })

    await test.step('filters transactions and exports only the matching ones', async () => {
      await page.getByRole('tab', { name: 'Transactions' }).click()
      await expect(rows).toHaveCount(4)
      await expect(rows.first()).toContainText('Pending until')
      await expectAccessible(page)
      await page.getByLabel('Type').selectOption('Tips & Donations')
      await expect(rows).toHaveCount(2)
      await expect(page).toHaveURL(/type=tip/)
      await expect(rows.last()).toContainText('Loved it')
      await expect(rows.last()).toContainText(`@${fan.account.username}`)
      await expect(rows.last()).toContainText('$20.00')
      await expect(rows.last()).toContainText('-$2.00')
      await expect(rows.last()).toContainText('$18.00')
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export' }).click(),
      ])
      expect(file.suggestedFilename()).toMatch(/^ovation-transactions-.*\.csv$/)
      const lines = readFileSync(await file.path(), 'utf8')
        .trim()
        .split(/\r?\n/)
      expect(lines).toHaveLength(3)
      expect(lines[2]).toContain('Loved it')
      await page.getByLabel('Type').selectOption('All transactions')
      await page.getByLabel('To (UTC)').fill('2020-01-01')
      await expect(page).toHaveURL(/to=2020-01-01/)
      await expect(page.getByText('No matching transactions')).toBeVisible()

      const firstDay = page.getByLabel('From (UTC)')
      const lastDay = page.getByLabel('To (UTC)')
      const exportButton = page.getByRole('button', { name: 'Export' })
      await firstDay.fill('2020-01-02')
      await expect(lastDay).toHaveAccessibleDescription("Can't be before the start date.")
      await expect(exportButton).toBeDisabled()
      await expectAccessible(page)
      await lastDay.fill('')
      await expect(rows).toHaveCount(4)
      await expect(exportButton).toBeEnabled()

      const requestedDays: (string | null)[] = []
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url())
        if (pathname === '/api/earnings/transactions') requestedDays.push(searchParams.get('to'))
      })
      await lastDay.pressSequentially('12312')
      await lastDay.blur()
      await expect(lastDay).toHaveAccessibleDescription('Enter a complete date in 2000 or later.')
      await expect(exportButton).toBeDisabled()
      await lastDay.fill('')
      await lastDay.pressSequentially('12312030')
      await expect(page).toHaveURL(/to=2030-12-31/)
      await expect(rows).toHaveCount(4)
      expect(requestedDays).toEqual(['2030-12-31'])
      await lastDay.fill('2020-01-03')
      const [exportRequest] = await Promise.all([
        page.waitForRequest(/\/api\/earnings\/transactions\/export/),
        lastDay.blur().then(() => exportButton.click()),
      ])
      expect(new URL(exportRequest.url()).searchParams.get('to')).toBe('2020-01-03')
      await page.goto('/earnings?tab=transactions&from=0000-01-01')
      await expect(rows).toHaveCount(4)
      await page.getByLabel('Type').selectOption('Refunds')
      await expect(page.getByText('No matching transactions')).toBeVisible()
    })

    await test.step('does not refetch when the window becomes visible', async () => {
      const requestedPaths: string[] = []
      page.on('request', (request) => void requestedPaths.push(new URL(request.url()).pathname))
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
      await page.evaluate(() => fetch('/api/config'))
      expect(requestedPaths.filter((path) => path.startsWith('/api/earnings'))).toEqual([])
      expect(requestedPaths).toContain('/api/config')
    })

    await test.step('sets a goal, shows errors next to the field and says when the goal is reached', async () => {
      await page.setViewportSize(phoneViewport)
      await page.getByRole('tab', { name: 'Goals' }).click()
      const goal = card('Monthly Revenue Goal')
      await expect(goal).toContainText('0% of $5,000.00')
      await page.getByRole('button', { name: 'Set Monthly Revenue Goal' }).click()
      const field = goal.getByLabel('Goal in US dollars')
      await field.fill('0')
      await field.press('Enter')
      await expect(goal.getByText('Please enter an amount of $1 or more.')).toBeVisible()
      // Could mean 4.5 or 4,500.
      await field.fill('4.500')
      await field.press('Enter')
      await expect(goal.getByText('Please enter an amount of $1 or more.')).toBeVisible()
      await abortNextRequest(page, '**/api/earnings/goals')
      await field.fill('40')
      await field.press('Enter')
      await expect(goal.getByText('The connection was lost. Try again.')).toBeVisible()
      await expectAccessible(page)
      await field.press('Enter')
      await expect(goal).toContainText('118% of $40.00')
      await expect(goal).toContainText('Goal reached. Well done!')
      await expect(page.getByRole('button', { name: 'Set Monthly Revenue Goal' })).toBeFocused()
      // Closes the button's tooltip.
      await page.keyboard.press('Escape')
      await expect(goal.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '$47.24 of $40.00')
      await expectAccessible(page)
      await page.reload()
      await expect(goal.getByText('Reached', { exact: true })).toBeVisible()
      await expect(card('Subscriber Goal')).toContainText('0% of 1,000')
      await expect(card('Subscriber Goal').getByRole('progressbar')).toHaveAttribute(
        'aria-valuetext',
        '1 of 1,000',
      )
    })

    await test.step('shows an error and a retry button where data failed to load', async () => {
      // With a working WebSocket, the page would join its channel and refetch everything before the retry.
      await page.routeWebSocket(/\/realtime\//, () => undefined)
      await page.route('**/api/payouts?*', (route) => route.fulfill({ status: 503, body: '' }))
      await page.goto('/earnings?tab=payouts')
      const history = card('Payout history')
      await expect(history.getByText("Couldn't load your payouts. Try again.")).toBeVisible()
      await page.unroute('**/api/payouts?*')
      await history.getByRole('button', { name: 'Try again' }).click()
      await expect(history.getByText('No payouts yet')).toBeVisible()
      await page.route('**/api/earnings/overview', (route) => route.fulfill({ status: 503, body: '' }))
      await page.reload()
      const schedule = card('Payout schedule')
      await expect(schedule.getByText("Couldn't load your balance. Try again.")).toBeVisible()
      await page.unroute('**/api/earnings/overview')
      await schedule.getByRole('button', { name: 'Try again' }).click()
      await expect(schedule).toContainText('$38.24')
      await expectAccessible(page)
    })

    await test.step('keeps Earnings accessible to a former creator with a balance', async () => {
      await sql`update public.profiles set is_creator = false where id = ${cora.id}`
      await page.goto('/earnings')
      await expect(card('Available Balance')).toContainText('$38.24')
      await expect(page.getByText('Creator Pro Required')).toHaveCount(0)
    })
    await deleteUser(fan)
    await deleteUser(cora)
  })
})

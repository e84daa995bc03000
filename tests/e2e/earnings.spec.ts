import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Post } from '@contract/post.ts'
import { expect, type Locator, test } from 'playwright/test'
import { expectAccessible } from './axe.ts'
import { arrive, forget, join, sql } from './support.ts'

const money = async (place: Locator) =>
  Number(((await place.textContent()) ?? '').match(/-?\$[\d,.]+/)?.[0].replace(/[$,]/g, ''))

test('a creator sees what comes in as it comes, and every figure opens to its rows', async ({ browser }) => {
  const [cora, fan] = await Promise.all([arrive(browser, 'Cora Lane'), join(browser, 'Felix Fan')])
  const { page } = cora
  const buy = async (path: string, data: object) => {
    const sent = await fan.context.request.post(path, { data })
    expect([200, 201]).toContain(sent.status())
  }

  await test.step('Who is no creator is told so and taken home', async () => {
    await page.route('**/api/creator-pro', (route) => route.fulfill({ status: 503, body: '' }))
    await page.goto('/earnings')
    await expect(page.getByText('Creator Pro Required')).toBeVisible()
    await expect(
      page.getByText(
        'Earnings is a Creator Pro exclusive feature. Upgrade your account to access revenue tracking and payouts.',
      ),
    ).toBeVisible()
    await expect(page).toHaveURL('/')
    // Whether it costs anything is said once it is known.
    const pro = page.getByRole('region', { name: 'Creator Pro' })
    await expect(pro).toContainText('Analytics and Earnings.')
    await expect(pro).not.toContainText('No money moves')
    await page.unroute('**/api/creator-pro')
    await page.reload()
    await expect(pro).toContainText('No money moves today.')
  })

  const [{ id } = { id: '' }] = await sql<{ id: string }[]>`
    update public.profiles set is_creator = true where username = ${cora.who.username} returning id`
  const card = (name: string) => page.getByRole('region', { name, exact: true })
  await test.step('A new creator is told how to earn', async () => {
    await page.goto('/earnings')
    await expect(page.getByRole('heading', { name: 'Your first sale will stand here' })).toBeVisible()
    await expect(card('Available Balance')).toContainText('$0.00')
    await expectAccessible(page)
  })

  await test.step('A tip, a subscription and an unlock are there without a reload', async () => {
    const data = { content: 'The whole set', teaser: 'Backstage', isPremium: true, premiumPrice: 12.5 }
    const post = Post.parse(await (await page.request.post('/api/posts', { data })).json())
    await buy(`/api/users/${id}/tip`, { id: randomUUID(), amount: 20, note: 'Loved it' })
    await expect(card('Pending')).toContainText('$18.00')
    await buy('/api/subscriptions', { creatorId: id })
    await expect(card('Pending')).toContainText('$26.99')
    await buy(`/api/posts/${post.id}/unlock`, { amount: 12.5 })
    // $38.24: of $20, $9.99 and $12.50 the platform keeps a tenth of each, in whole cents.
    await expect(card('Pending')).toContainText('$38.24')
    await expect(card('This Month')).toContainText('$38.24')
    await expect(card('Yearly Projection')).toContainText('$458.88')
    await expect(page.getByText('after the platform’s share of 10%')).toBeVisible()
    const sources = card('Revenue Sources')
    await sources.getByRole('button', { name: 'Show as table' }).click()
    await expect(sources.getByRole('row', { name: 'Tips & Donations $18.00 47%' })).toBeVisible()
    await expect(sources.getByRole('row', { name: 'Premium Content $11.25 29%' })).toBeVisible()
    await expect(sources.getByRole('row', { name: 'Subscriptions $8.99 24%' })).toBeVisible()
    await expect(card('Earnings by month').getByRole('figure')).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('A week later it is available, and the sale of today is pending', async () => {
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`update public.ledger_transactions set clears_at = now() - interval '1 day' where person_id = ${id}`
    })
    await buy(`/api/users/${id}/tip`, { id: randomUUID(), amount: 10 })
    await expect(card('Available Balance')).toContainText('$38.24')
    await expect(card('Pending')).toContainText('$9.00')
  })

  const rows = page.getByRole('table', { name: 'Transactions, the latest first' }).locator('tbody tr')
  await test.step('Each card opens the rows that make it', async () => {
    for (const [name, count] of [
      ['Available Balance', 3],
      ['Pending', 1],
      ['This Month', 4],
      ['Yearly Projection', 4],
    ] as const) {
      const figure = await money(card(name))
      await card(name).getByRole('link').click()
      await expect(page).toHaveURL(/tab=transactions&of=/)
      await expect(rows).toHaveCount(count)
      const sum = name === 'Yearly Projection' ? figure / 12 : figure
      await expect(page.getByText(`in sum $${sum.toFixed(2)}`)).toBeVisible()
      await page.getByRole('tab', { name: 'Overview' }).click()
    }
  })

  await test.step('Transactions are filtered, say who paid what, and are exported as they are filtered', async () => {
    await page.getByRole('tab', { name: 'Transactions' }).click()
    await expect(rows).toHaveCount(4)
    await expect(rows.first()).toContainText('Pending until')
    await expectAccessible(page)
    await page.getByLabel('Type').selectOption('Tips & Donations')
    await expect(rows).toHaveCount(2)
    await expect(page).toHaveURL(/type=tip/)
    await expect(rows.last()).toContainText('“Loved it”')
    await expect(rows.last()).toContainText(`@${fan.who.username}`)
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
    await page.getByLabel('Type').selectOption('Refunds')
    await expect(page.getByText('No such transactions')).toBeVisible()
  })

  await test.step('Nothing is read again because the window is looked at', async () => {
    const asked: string[] = []
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await page.evaluate(() => fetch('/api/config'))
    expect(asked.filter((path) => path.startsWith('/api/earnings'))).toEqual([])
    expect(asked).toContain('/api/config')
  })

  await test.step('A goal is set in place, fails in place, and is celebrated once', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('tab', { name: 'Goals' }).click()
    const goal = card('Monthly Revenue Goal')
    await expect(goal).toContainText('0% of $5,000.00')
    await page.getByRole('button', { name: 'Set Monthly Revenue Goal' }).click()
    const field = goal.getByLabel('Goal in US dollars')
    await field.fill('0')
    await field.press('Enter')
    await expect(goal.getByText('Please enter an amount from $1.')).toBeVisible()
    await field.fill('4.500,50')
    await field.press('Enter')
    await expect(goal.getByText('Please enter an amount from $1.')).toBeVisible()
    await page.route('**/api/earnings/goals', (route) => route.abort(), { times: 1 })
    await field.fill('40')
    await field.press('Enter')
    await expect(goal.getByText('The connection was lost. Please try again.')).toBeVisible()
    await expectAccessible(page)
    await field.press('Enter')
    await expect(goal).toContainText('118% of $40.00')
    await expect(goal).toContainText('You reached it. Well done!')
    await expect(page.getByRole('button', { name: 'Set Monthly Revenue Goal' })).toBeFocused()
    // Its tooltip closes.
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

  await test.step('What does not load says so in its place', async () => {
    // A channel that is joined has everything read again, which would be before the press.
    await page.routeWebSocket(/\/realtime\//, () => undefined)
    await page.route('**/api/payouts?*', (route) => route.fulfill({ status: 503, body: '' }))
    await page.goto('/earnings?tab=payouts')
    const history = card('Payout history')
    await expect(history.getByText('Your payouts did not load.')).toBeVisible()
    await page.unroute('**/api/payouts?*')
    await history.getByRole('button', { name: 'Try again' }).click()
    await expect(history.getByText('No payouts yet')).toBeVisible()
    await page.route('**/api/earnings/overview', (route) => route.fulfill({ status: 503, body: '' }))
    await page.reload()
    const schedule = card('Payout schedule')
    await expect(schedule.getByText('What is available did not load.')).toBeVisible()
    await page.unroute('**/api/earnings/overview')
    await schedule.getByRole('button', { name: 'Try again' }).click()
    await expect(schedule).toContainText('$38.24')
    await expectAccessible(page)
  })

  await test.step('Who gives up Creator Pro keeps the way to their money', async () => {
    await sql`update public.profiles set is_creator = false where id = ${id}`
    await page.goto('/earnings')
    await expect(card('Available Balance')).toContainText('$38.24')
    await expect(page.getByText('Creator Pro Required')).toHaveCount(0)
  })
  await forget(fan)
  await forget(cora)
})

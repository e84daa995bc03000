import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page, test } from 'playwright/test'
import { runJob } from '../support/job.ts'
import { expectAccessible, violationsOf } from './axe.ts'
import { arrive, forget, join, type Member, sql, watchErrors } from './support.ts'

const tabs = ['Overview', 'Content', 'Audience', 'Revenue']

/** A day in UTC, so many days ago, as the table and the file write it. */
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

async function becomeCreator({ username }: Member): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    update public.profiles set is_creator = true where username = ${username} returning id`
  return row?.id ?? ''
}

/** Runs the job as the schedule does. */
async function rollUp(): Promise<void> {
  expect((await runJob('roll-up')).status).toBe(200)
}

/** Looks at a profile for longer than a report of views takes; answers how many were made. */
async function lookAt(page: Page, { username }: Member, posts: number): Promise<number> {
  let reports = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/views') reports++
  })
  await page.goto(`/profile/${username}`)
  const cards = page.getByRole('article', { name: /^Post by/ })
  await expect(cards).toHaveCount(posts)
  await cards.last().scrollIntoViewIfNeeded()
  // Once the observer has told of them, a second later they are seen, and ten later that is reported.
  for (let round = 0; round < 3 && reports === 0; round++) {
    await cards
      .last()
      .evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    await page.clock.runFor(12_000)
  }
  return reports
}

/** The figure of a card or panel with this name. */
const figure = (page: Page, name: string): Locator =>
  page.getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd[1]')

test('a creator sees what was seen, for every period and in every tab', async ({ browser }) => {
  const ida = await arrive(browser, 'Ida Lund', { reducedMotion: 'reduce', timezoneId: 'Europe/Berlin' })
  const fan = await join(browser, 'Fay Ode')
  const { page } = ida
  const watched = watchErrors(page)
  const id = await becomeCreator(ida.who)
  for (const content of ['The first of mine.', 'The second of mine.'])
    await ida.context.request.post('/api/posts', { data: { content } })

  await test.step('A fan who scrolls by counts once, whoever else looks does not', async () => {
    const fans = await fan.context.newPage()
    const visitor = await (await browser.newContext()).newPage()
    for (const one of [fans, visitor]) await one.clock.install()
    const answer = fans.waitForResponse((response) => response.url().endsWith('/api/views'))
    expect(await lookAt(fans, ida.who, 2)).toBe(1)
    expect((await answer).status()).toBe(204)
    // The page that is loaded anew does not know what it reported; the server does.
    const again = fans.waitForResponse((response) => response.url().endsWith('/api/views'))
    await lookAt(fans, ida.who, 2)
    expect((await again).status()).toBe(204)
    expect(await lookAt(visitor, ida.who, 2)).toBe(0)
    await visitor.context().close()
    await rollUp()
    await page.goto('/analytics')
    await expect(figure(page, 'Views')).toContainText(/^2/)
    await expect(page.getByText(/^Counted up to \d\d:\d\d$/)).toBeVisible()
  })

  await test.step('Periods are in the address, and held beside the days before', async () => {
    await sql`
      insert into public.creator_days (creator_id, day, views, likes, comments, followers, subscribers)
      values (${id}, ${day(20)}, 1230, 60, 12, 7, 3), (${id}, ${day(40)}, 616, 31, 6, 4, 1)`
    await page.getByRole('button', { name: 'Last 7 days' }).click()
    await expect(page).toHaveURL('/analytics?period=7d')
    await expect(figure(page, 'Views')).toContainText(/^2/)
    // Read before: nothing is read again by itself.
    await page.getByRole('button', { name: '30 days', exact: true }).click()
    await expect(page.getByRole('button', { name: '30 days', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await expect(figure(page, 'Views')).toContainText(/^2/)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(figure(page, 'Views')).toHaveText(
      /^1,232.*100% more than 30 days before \(616\), today left out/,
    )
    await expect(figure(page, 'Likes')).toContainText('94% more')
    await page.getByRole('button', { name: '90 days' }).click()
    await expect(figure(page, 'Views')).toHaveText('1,848Up from none 90 days before, today left out')
    await page.reload()
    await expect(page).toHaveURL('/analytics?period=90d')
    await expect(figure(page, 'Views')).toContainText(/^1,848/)
    await page.getByRole('button', { name: 'Last year' }).click()
    await expect(page.getByText('In the last year, by week')).toBeVisible()
    await page.getByRole('button', { name: '30 days', exact: true }).click()
  })

  await test.step('The chart says its figures by keyboard, and as a table', async () => {
    const chart = page.getByRole('application', { name: /^Views over time/ })
    await chart.focus()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('status').filter({ hasText: /Views: 0/ })).toBeVisible()
    const figures = page.getByRole('figure', { name: 'Views over time' })
    await expect(figures.getByText('Grey: 30 days before. Today is not over yet.')).toBeVisible()
    // Not among the lines, where it would lie on one of them.
    await expect(figures.locator('svg').getByText('30 days before')).toHaveCount(0)
    const table = page.getByRole('table', { name: 'Views over time' })
    await expect(table.getByRole('row')).toHaveCount(31)
    await expect(table.getByRole('row').last()).toHaveText(/, not over yet20$/)
    await page.getByRole('button', { name: 'Show as table' }).click()
    await expect(table.getByRole('columnheader', { name: '30 days before' })).toBeInViewport()
    await page.getByRole('button', { name: 'Hide table' }).click()
  })

  await test.step('What is counted can be read', async () => {
    await page.getByRole('button', { name: 'How is this counted?' }).click()
    const dialog = page.getByRole('dialog', { name: 'How is this counted?' })
    await expect(dialog).toContainText('Each person counts once an hour for each post')
    await expect(dialog).toContainText('only the whole days of the period are compared')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })

  await test.step('Content names posts and hours', async () => {
    const [post] = await sql<{ id: string }[]>`select id from public.posts where author_id = ${id} limit 1`
    await sql`
      insert into public.post_days (post_id, author_id, day, views) values (${post?.id ?? ''}, ${id}, ${day(3)}, 57)`
    // In Berlin it is an hour or two later.
    await sql`
      insert into public.creator_hours (creator_id, day, hour, views) values (${id}, ${day(3)}, 12, 57)`
    await page.getByRole('tab', { name: 'Content' }).click()
    await expect(page).toHaveURL('/analytics?period=30d&tab=content')
    const best = page.getByRole('region', { name: 'Best posts' }).getByRole('listitem')
    await expect(best).toHaveCount(2)
    await expect(best.first()).toContainText('58 views')
    await expect(best.first().getByRole('link')).toHaveAttribute('href', `/post/${post?.id}`)
    await expect(page.getByText(/^Most views: \w+days around 1[34]:00$/)).toBeVisible()
    await expect(
      page.getByRole('table', { name: /^Average views by weekday and hour \(your time, UTC\+[12]\)/ }),
    ).toBeAttached()
  })

  await test.step('Days are what they have on average', async () => {
    await expect(page.getByText('Average views of each weekday, over the 30 days before today')).toBeVisible()
    const days = page.getByRole('table', { name: /^Average views by weekday \(/ })
    const weekday = new Date(day(3)).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
    // It comes four times, and what was seen today is not among it.
    await expect(days.getByRole('row', { name: weekday })).toHaveText(`${weekday}14.3`)
    await expect(days.getByRole('row').filter({ hasText: /\D0$/ })).toHaveCount(6)
  })

  await test.step('Audience names groups by their names, and says that small ones are left out', async () => {
    await sql`
      insert into private.creator_audiences (creator_id, counted_at, age_groups, countries)
      values (${id}, now(), '[{"range": "25-34", "people": 9}, {"range": "18-24", "people": 6}]',
              '[{"name": "DE", "people": 15}]')
      on conflict (creator_id) do update
        set age_groups = excluded.age_groups, countries = excluded.countries`
    await page.getByRole('tab', { name: 'Audience' }).click()
    const ages = page.getByRole('table', { name: 'Followers by age' })
    await expect(ages.getByRole('row')).toHaveText(['AgeShare', '25–3460%', '18–2440%'])
    await expect(page.getByRole('table', { name: 'Followers by country' })).toContainText('Germany100%')
    await expect(page.getByText('Groups of fewer than five people are left out.')).toBeVisible()
    await expect(page.getByRole('region', { name: 'New followers' })).toContainText('75% more')
  })

  await test.step('Revenue is after the platform’s share, by source', async () => {
    await sql`
      insert into public.earning_days (person_id, day, source, gross_cents, fee_cents, sales)
      values (${id}, ${day(5)}, 'subscription', 8000, 800, 8), (${id}, ${day(5)}, 'tip', 2000, 200, 2)`
    await page.goto('/analytics?tab=revenue')
    const revenue = page.getByRole('region', { name: 'Revenue', exact: true })
    await expect(revenue).toContainText('$90.00')
    const sources = page.getByRole('table', { name: 'Revenue by source' })
    await expect(sources.getByRole('row')).toHaveText([
      'SourceRevenueShare',
      'Subscriptions$72.0080%',
      'Tips & Donations$18.0020%',
    ])
    await expect(page.getByRole('region', { name: 'New subscriptions' })).toContainText('3')
    await expect(revenue.getByRole('link', { name: 'Go to Earnings' })).toHaveAttribute('href', '/earnings')
  })

  await test.step('Export downloads the period, a row for each day', async () => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('ovation-analytics-30d.csv')
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(31)
    expect(lines[0]).toContain('Views,Likes,Comments')
    expect(lines).toContain(`${day(20)},1230,60,12,7,3,0.00`)
    expect(lines).toContain(`${day(5)},0,0,0,0,0,90.00`)
  })

  await test.step('Every tab is accessible and fits, on a phone too', async () => {
    for (const size of [
      { width: 1280, height: 900 },
      { width: 390, height: 844 },
      // A narrow phone.
      { width: 320, height: 640 },
    ]) {
      await page.setViewportSize(size)
      for (const name of tabs) {
        await page.getByRole('tab', { name }).click()
        await expect(
          page.getByRole('tabpanel', { name }).getByRole('button', { name: 'Show as table' }).first(),
        ).toBeVisible()
        // Colours are the same at every width.
        if (size.width > 1000) await expectAccessible(page)
        else expect(await violationsOf(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
      }
    }
  })
  expect(watched.errors).toEqual([])

  await test.step('What does not come says so in its place', async () => {
    await page.route('**/api/analytics/monthly/**', (route) => route.fulfill({ status: 500, body: '' }), {
      times: 1,
    })
    await page.goto('/analytics?tab=revenue')
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
    const revenue = page.getByRole('region', { name: 'Revenue', exact: true })
    await expect(revenue).toContainText('$90.00')
    // What was read before stays.
    await page.route('**/api/analytics/monthly/**', (route) => route.fulfill({ status: 500, body: '' }), {
      times: 1,
    })
    await page.getByRole('button', { name: 'Refresh' }).click()
    const alert = page.getByRole('tabpanel').getByRole('alert')
    await expect(alert).toContainText('What is new did not load.')
    await expect(revenue).toContainText('$90.00')
    await alert.getByRole('button', { name: 'Try again' }).click()
    await expect(alert).toBeHidden()
  })

  await test.step('Two choices at once both count', async () => {
    await page.getByRole('tablist').evaluate((tabs) => {
      const press = (list: Iterable<HTMLElement>, name: string) =>
        [...list].find(({ textContent }) => textContent === name)?.click()
      press(document.querySelectorAll<HTMLElement>('[aria-label=Period] button'), '90 days')
      press(tabs.querySelectorAll<HTMLElement>('[role=tab]'), 'Content')
    })
    await expect(page).toHaveURL('/analytics?tab=content&period=90d')
  })
  await forget(fan)
  await forget(ida)
})

test('a creator without a view sees no row of zeros', async ({ browser }) => {
  const neo = await join(browser, 'Neo Vale', { reducedMotion: 'reduce' })
  await becomeCreator(neo.who)
  const page = await neo.context.newPage()
  const watched = watchErrors(page)
  await page.goto('/analytics')
  await expect(page.getByRole('heading', { name: 'Nobody has seen your posts yet' })).toBeVisible()
  await expectAccessible(page)
  for (const [tab, text] of [
    ['Content', 'No post was seen'],
    ['Audience', 'Nobody new followed you'],
    ['Revenue', 'Nothing came in'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click()
    await expect(page.getByRole('heading', { name: text })).toBeVisible()
  }
  expect(watched.errors).toEqual([])
  await forget(neo)
})

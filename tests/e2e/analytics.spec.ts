import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page, test } from 'playwright/test'
import { runJob } from '../support/run-job.ts'
import { expectAccessible, findAxeViolations } from './support/accessibility.ts'
import { publish } from './support/content.ts'
import { collectPageErrors, horizontalOverflow, phoneViewport } from './support/page.ts'
import { failNextRequest } from './support/requests.ts'
import {
  type Account,
  createSignedInUser,
  createUserOnHomeFeed,
  deleteUser,
  promoteToCreator,
  sql,
} from './support/users.ts'

const tabs = ['Overview', 'Content', 'Audience', 'Revenue']

/** Returns the UTC date `daysAgo` days ago, as YYYY-MM-DD. */
const dateDaysAgo = (daysAgo: number) =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

/**
 * Opens a profile and keeps its posts on screen long enough for the page to report views. Returns the number of reports
 * that the page sent.
 *
 * @param page a page with a fake clock
 * @param posts how many posts the profile has
 */
async function viewProfile(page: Page, { username }: Account, posts: number): Promise<number> {
  let reports = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname !== '/api/views') return
    expect(request.postDataJSON()).toMatchObject({ source: 'profile' })
    reports++
  })
  await page.goto(`/profile/${username}`)
  const cards = page.getByRole('article', { name: /^Post by/ })
  await expect(cards).toHaveCount(posts)
  await cards.last().scrollIntoViewIfNeeded()
  // A view counts after one second on screen and is reported ten seconds later. Waiting for two frames lets the
  // `IntersectionObserver` notice the post before the clock advances.
  for (let round = 0; round < 3 && reports === 0; round++) {
    await cards
      .last()
      .evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    await page.clock.runFor(12_000)
  }
  return reports
}

/** Waits for the next hour if this one ends within a minute. The server counts each viewer of a post once per hour. */
async function avoidHourBoundary(): Promise<void> {
  const leftMs = 3_600_000 - (Date.now() % 3_600_000)
  if (leftMs < 60_000) await new Promise((resolve) => setTimeout(resolve, leftMs))
}

/** Returns the tab that shows a metric's figure and selects the metric for the chart. */
const metric = (page: Page, name: string): Locator =>
  page.getByRole('tablist', { name: 'Metric' }).getByRole('tab', { name: new RegExp(`^${name}`) })

/** Returns the figures that are partly outside of their row, or whose text is wider than they are. */
const clippedFigures = (page: Page): Promise<(string | null)[]> =>
  page.getByRole('tablist', { name: 'Metric' }).evaluate((row) => {
    const { left, right, top, bottom } = row.getBoundingClientRect()
    const isClipped = (figure: Element) => {
      const box = figure.getBoundingClientRect()
      // The first figure in each line has a border outside of the row.
      const isOutside =
        box.left < left - 1 || box.right > right + 1 || box.top < top - 1 || box.bottom > bottom + 1
      return isOutside || figure.scrollWidth > figure.clientWidth
    }
    return [...row.children].filter(isClipped).map(({ textContent }) => textContent)
  })

test.describe('Analytics', () => {
  test('shows a creator their views, audience and revenue', async ({ browser }) => {
    const ida = await createUserOnHomeFeed(browser, 'Ida Lund', {
      timezoneId: 'Europe/Berlin',
    })
    const fan = await createSignedInUser(browser, 'Fay Ode')
    const { page } = ida
    const collected = collectPageErrors(page)
    await promoteToCreator(ida)
    // Keeps the posts out of the home feeds of users in other tests, whose views would count.
    await sql`update public.profiles set content_discoverable = false where id = ${ida.id}`
    for (const content of ['My first post.', 'My second post.']) await publish(ida, { content })

    await test.step('counts one view per post for a signed-in user and none for a visitor', async () => {
      const fanPage = await fan.context.newPage()
      const visitorPage = await (await browser.newContext()).newPage()
      await avoidHourBoundary()
      for (const viewerPage of [fanPage, visitorPage]) await viewerPage.clock.install()
      const firstResponse = fanPage.waitForResponse((response) => response.url().endsWith('/api/views'))
      expect(await viewProfile(fanPage, ida.account, 2)).toBe(1)
      expect((await firstResponse).status()).toBe(204)
      // A reloaded page reports the same posts again. The server counts them once.
      const secondResponse = fanPage.waitForResponse((response) => response.url().endsWith('/api/views'))
      await viewProfile(fanPage, ida.account, 2)
      expect((await secondResponse).status()).toBe(204)
      expect(await viewProfile(visitorPage, ida.account, 2)).toBe(0)
      await visitorPage.context().close()
      expect((await runJob('roll-up')).status).toBe(200)
      await page.goto('/analytics')
      await expect(metric(page, 'Views')).toContainText(/^Views2(?![\d,])/)
      await expect(page.getByText(/^Updated \d+:\d\d\s[AP]M$/)).toBeVisible()
    })

    await test.step('shows the views of the last 48 hours and the traffic sources', async () => {
      const recent = page.getByRole('region', { name: 'Last 48 hours' })
      await expect(recent).toContainText('2 viewsBy hour')
      await expect(recent.getByText("This hour's figure is still coming in.")).toBeVisible()
      const hours = page.getByRole('table', { name: 'Views per hour over time' }).getByRole('row')
      await expect(hours).toHaveCount(49)
      await expect(hours.last()).toHaveText(/ \(so far\)\d+$/)
      const sources = page.getByRole('region', { name: 'Traffic sources' })
      await expect(sources).toContainText('No sources on these days.')
      await sql`
        insert into private.creator_view_sources (creator_id, day, source, views)
        values (${ida.id}, ${dateDaysAgo(2)}, 'profile', 6), (${ida.id}, ${dateDaysAgo(2)}, 'link', 4),
               (${ida.id}, ${dateDaysAgo(2)}, 'home', 20)`
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect(page.getByRole('table', { name: 'Views by source' }).getByRole('row')).toHaveText([
        'SourceViewsShare',
        'Home feed2067%',
        'Your profile620%',
        'Other413%',
      ])
    })

    await test.step('keeps the period in the URL and compares the period with the previous period', async () => {
      await sql`
        insert into public.creator_days (creator_id, day, views, likes, comments, followers, subscribers)
        values (${ida.id}, ${dateDaysAgo(20)}, 1230, 60, 12, 7, 3), (${ida.id}, ${dateDaysAgo(40)}, 616, 31, 6, 4, 1)`
      await page.getByRole('button', { name: 'Last 7 days' }).click()
      await expect(page).toHaveURL('/analytics?period=7d')
      await expect(metric(page, 'Views')).toContainText(/^Views2(?![\d,])/)
      // The page shows the cached data for this period and refetches only on request.
      await page.getByRole('button', { name: '30 days', exact: true }).click()
      await expect(page.getByRole('button', { name: '30 days', exact: true })).toHaveAttribute(
        'aria-pressed',
        'true',
      )
      await expect(metric(page, 'Views')).toContainText(/^Views2(?![\d,])/)
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect(metric(page, 'Views')).toHaveText('Views1,232+100% vs. 616')
      await expect(metric(page, 'Likes')).toHaveText('Likes60+94% vs. 31')
      await page.getByRole('button', { name: '90 days' }).click()
      await expect(metric(page, 'Views')).toHaveText('Views1,848New')
      await page.reload()
      await expect(page).toHaveURL('/analytics?period=90d')
      await expect(metric(page, 'Views')).toContainText(/^Views1,848/)
      await page.getByRole('button', { name: 'Last year' }).click()
      await expect(page.getByText('Last year, by month')).toBeVisible()
      await page.getByRole('button', { name: '30 days', exact: true }).click()
    })

    await test.step('makes the chart readable by keyboard and as a table', async () => {
      const chart = page.getByRole('application', { name: /^Views over time/ })
      await chart.focus()
      await page.keyboard.press('ArrowRight')
      await expect(page.getByRole('status').filter({ hasText: /Views: 0/ })).toBeVisible()
      const chartFigure = page.getByRole('figure', { name: 'Views over time' })
      await expect(chartFigure.getByText("Today's figure is still coming in.")).toBeVisible()
      // The legend names the previous period.
      await expect(chartFigure.locator('svg').getByText('Previous 30 days')).toBeVisible()
      await expect(page.getByText(/^Best day: \w+ \d+, 1,230 views$/)).toBeVisible()
      // The highest bar has a label.
      await expect(chartFigure.locator('svg').getByText('1,230')).toBeVisible()
      const table = page.getByRole('table', { name: 'Views over time' })
      await expect(table.getByRole('row')).toHaveCount(31)
      await expect(table.getByRole('row').last()).toHaveText(/ \(so far\)20Yes$/)
      await chartFigure.getByRole('button', { name: 'Show as table' }).click()
      await expect(table.getByRole('columnheader', { name: 'Previous 30 days' })).toBeInViewport()
      await expect(table.getByRole('columnheader', { name: 'Post published' })).toBeInViewport()
      await page.getByRole('button', { name: 'Hide table' }).click()
    })

    await test.step('charts the metric that is selected by click or by keyboard', async () => {
      await metric(page, 'Likes').click()
      await expect(metric(page, 'Likes')).toHaveAttribute('aria-selected', 'true')
      await expect(metric(page, 'Views')).toHaveAttribute('aria-selected', 'false')
      await expect(page.getByRole('tabpanel', { name: /^Likes/ })).toContainText('Best day:')
      await expect(page.getByRole('table', { name: 'Likes over time' })).toContainText('60')
      await page.keyboard.press('ArrowLeft')
      await expect(metric(page, 'New followers')).toBeFocused()
      await expect(metric(page, 'New followers')).toHaveText('New followers7+75% vs. 4')
      await expect(page.getByRole('table', { name: 'New followers over time' })).toContainText('7')
      await page.reload()
      await expect(metric(page, 'New followers')).toHaveAttribute('aria-selected', 'true')
      await metric(page, 'New followers').focus()
      await page.keyboard.press('Home')
      await expect(metric(page, 'Views')).toHaveAttribute('aria-selected', 'true')
      await expect(page.getByRole('table', { name: 'Views over time' })).toContainText('1,230')
    })

    await test.step('shows new subscribers, revenue and the engagement rate like the other metrics', async () => {
      await sql`
        insert into public.earning_days (user_id, day, source, gross_cents, fee_cents, sales)
        values (${ida.id}, ${dateDaysAgo(20)}, 'tip', 125000, 12500, 1), (${ida.id}, ${dateDaysAgo(40)}, 'tip', 3333, 333, 1)`
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect(metric(page, 'Revenue')).toHaveText('Revenue$1,12538× vs. $30')
      await expect(metric(page, 'New subscribers')).toHaveText('New subscribers3+200% vs. 1')
      for (const [name, value] of [
        ['Revenue', '$1,125.00'],
        ['New subscribers', '3'],
        // 72 likes and comments divided by 1,230 views.
        ['Engagement rate', '5.9%'],
      ] as const) {
        await metric(page, name).click()
        await expect(page.getByRole('tabpanel', { name: new RegExp(`^${name}`) })).toContainText(
          /Best day: \w+ \d+/,
        )
        await expect(page.getByRole('table', { name: `${name} over time` })).toContainText(value)
        await expect(page.getByRole('heading', { name, exact: true, level: 2 })).toBeAttached()
      }
      await sql`delete from public.earning_days where user_id = ${ida.id}`
      await metric(page, 'Views').click()
    })

    await test.step('links the days in the chart to the posts published on them', async () => {
      // Both posts were published today. The link leads to the newer one.
      const link = page.getByRole('application').getByRole('link')
      await expect(link).toHaveAccessibleName('My second post.')
      await link.click()
      await expect(page).toHaveURL(/\/post\//)
      await page.goBack()
    })

    await test.step('lists the best posts of the period, with a link to all of them', async () => {
      const bestPosts = page.getByRole('region', { name: 'Best posts' })
      await expect(bestPosts.getByRole('listitem')).toHaveCount(2)
      await bestPosts.getByRole('link', { name: 'View all' }).click()
      await expect(page).toHaveURL('/analytics?period=30d&tab=content')
      await page.getByRole('tab', { name: 'Overview' }).click()
    })

    await test.step('explains what is counted', async () => {
      await page.getByRole('button', { name: 'How is this counted?' }).click()
      const dialog = page.getByRole('dialog', { name: 'How is this counted?' })
      await expect(dialog).toContainText('Each person counts once per post per hour')
      await expect(dialog).toContainText('A number and its comparison cover the same number of days')
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    })

    await test.step('lists the best posts and shows the busiest time', async () => {
      const [post] = await sql<
        { id: string }[]
      >`select id from public.posts where author_id = ${ida.id} limit 1`
      await sql`
        insert into public.post_days (post_id, author_id, day, views) values (${post?.id ?? ''}, ${ida.id}, ${dateDaysAgo(3)}, 57)`
      // In Berlin, 12:00 UTC is 1 PM or 2 PM.
      await sql`
        insert into public.creator_hours (creator_id, day, hour, views) values (${ida.id}, ${dateDaysAgo(3)}, 12, 57)`
      await page.getByRole('tab', { name: 'Content' }).click()
      await expect(page).toHaveURL('/analytics?period=30d&tab=content')
      const bestPosts = page.getByRole('region', { name: 'Best posts' }).getByRole('listitem')
      await expect(bestPosts).toHaveCount(2)
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect(bestPosts.first()).toContainText('58 views')
      await expect(bestPosts.first().getByRole('link')).toHaveAttribute('href', `/post/${post?.id}`)
      await expect(page.getByText(/^Your busiest time: \w+days around [12]\sPM$/)).toBeVisible()
      await expect(
        page.getByRole('table', { name: /^Average views by weekday and hour \(UTC\+[12]\)/ }),
      ).toBeAttached()
    })

    await test.step('shows the average views of each weekday', async () => {
      await expect(page.getByText('Average views per weekday, last 30 full days')).toBeVisible()
      const weekdays = page.getByRole('table', { name: /^Average views by weekday \(/ })
      const weekday = new Date(dateDaysAgo(3)).toLocaleDateString('en-US', {
        weekday: 'long',
        timeZone: 'UTC',
      })
      // The weekday occurs four times in the period and has 57 views in total. Today's views are excluded.
      await expect(weekdays.getByRole('row', { name: weekday })).toHaveText(`${weekday}14.3`)
      await expect(weekdays.getByRole('row').filter({ hasText: /\D0$/ })).toHaveCount(6)
    })

    await test.step('shows the audience by age and country, and says that small groups are hidden', async () => {
      await sql`
        insert into private.creator_audiences (creator_id, counted_at, age_groups, countries)
        values (${ida.id}, now(), '[{"range": "25-34", "people": 9}, {"range": "18-24", "people": 6}]',
                '[{"name": "DE", "people": 15}]')
        on conflict (creator_id) do update
          set counted_at = excluded.counted_at, age_groups = excluded.age_groups, countries = excluded.countries`
      await page.getByRole('tab', { name: 'Audience' }).click()
      const ages = page.getByRole('table', { name: 'Followers by age' })
      await expect(ages.getByRole('row')).toHaveText(['AgeShare', '25–3460%', '18–2440%'])
      await expect(page.getByRole('table', { name: 'Followers by country' })).toContainText('Germany100%')
      await expect(page.getByText('Groups of fewer than five are hidden')).toBeVisible()
      await expect(page.getByRole('region', { name: 'New followers' })).toContainText('+75%')
    })

    await test.step('shows the revenue by source, after platform fees', async () => {
      await sql`
        insert into public.earning_days (user_id, day, source, gross_cents, fee_cents, sales)
        values (${ida.id}, ${dateDaysAgo(5)}, 'subscription', 8000, 800, 8), (${ida.id}, ${dateDaysAgo(5)}, 'tip', 2000, 200, 2)`
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

    await test.step('exports the period with one row per day', async () => {
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export' }).click()
      const file = await download
      expect(file.suggestedFilename()).toBe('ovation-analytics-30d.csv')
      const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
      expect(lines).toHaveLength(31)
      expect(lines[0]).toContain('Views,Likes,Comments')
      expect(lines).toContain(`${dateDaysAgo(20)},1230,60,12,7,3,0.00`)
      expect(lines).toContain(`${dateDaysAgo(5)},0,0,0,0,0,90.00`)
    })

    await test.step('shows a custom period on every tab, and keeps it in the URL', async () => {
      await page.getByRole('tab', { name: 'Overview' }).click()
      await page.getByRole('button', { name: 'Custom…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Custom period' })
      await dialog.getByLabel('To (UTC)').fill(dateDaysAgo(30))
      await dialog.getByRole('button', { name: 'Apply' }).click()
      await expect(
        dialog.getByText("Please choose an end date that isn't before the start date."),
      ).toBeVisible()
      await expectAccessible(page)
      await dialog.getByLabel('From (UTC)').fill(dateDaysAgo(21))
      await dialog.getByLabel('To (UTC)').fill(dateDaysAgo(15))
      await dialog.getByRole('button', { name: 'Apply' }).click()
      await expect(dialog).toBeHidden()
      await expect(page).toHaveURL((url) => url.searchParams.get('to') === dateDaysAgo(15))
      await expect(metric(page, 'Views')).toHaveText('Views1,230New')
      await page.reload()
      await expect(metric(page, 'Views')).toHaveText('Views1,230New')
      await expect(page.getByRole('button', { name: /^Custom: / })).toHaveAttribute('aria-pressed', 'true')
      await page.getByRole('tab', { name: 'Audience' }).click()
      await expect(page.getByRole('region', { name: 'New followers' })).toContainText(
        'New: none in the previous 7 days',
      )
      await page.getByRole('button', { name: '30 days', exact: true }).click()
      await expect(page).not.toHaveURL(/from=|to=/)
    })

    await test.step('every tab is accessible and has no horizontal overflow at any width', async () => {
      for (const size of [
        { width: 1280, height: 900 },
        { width: 900, height: 900 },
        phoneViewport,
        // The viewport of a narrow phone.
        { width: 320, height: 640 },
      ]) {
        await page.setViewportSize(size)
        for (const name of tabs) {
          await page.getByRole('tab', { name, exact: true }).click()
          await expect(
            page.getByRole('tabpanel', { name }).getByRole('button', { name: 'Show as table' }).first(),
          ).toBeVisible()
          // Colors are the same at every width.
          if (size.width === 1280) await expectAccessible(page)
          else expect(await findAxeViolations(page)).toEqual([])
          expect(await horizontalOverflow(page)).toBe(0)
        }
        await page.getByRole('tab', { name: 'Overview', exact: true }).click()
        // On phones, the figures scroll.
        if (size.width > phoneViewport.width) expect(await clippedFigures(page)).toEqual([])
        // The chart is visible below the figures without scrolling, except on very small screens.
        if (size.height > 800) await expect(page.locator('figure svg').first()).toBeInViewport({ ratio: 0.9 })
      }
    })
    expect(collected.errors).toEqual([])

    await test.step('shows an error where data failed to load', async () => {
      await failNextRequest(page, '**/api/analytics/monthly/**')
      await page.goto('/analytics?tab=revenue')
      await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
      const revenue = page.getByRole('region', { name: 'Revenue', exact: true })
      await expect(revenue).toContainText('$90.00')
      // Previously loaded data remains visible.
      await failNextRequest(page, '**/api/analytics/monthly/**')
      await page.getByRole('button', { name: 'Refresh' }).click()
      const alert = page.getByRole('tabpanel').getByRole('alert')
      await expect(alert).toContainText("Couldn't refresh. Showing the last results.")
      await expect(revenue).toContainText('$90.00')
      await alert.getByRole('button', { name: 'Try again' }).click()
      await expect(alert).toBeHidden()
    })

    await test.step('applies two choices that are made at the same time', async () => {
      await page.getByRole('tablist').evaluate((tabs) => {
        const click = (list: Iterable<HTMLElement>, name: string) =>
          [...list].find(({ textContent }) => textContent === name)?.click()
        click(document.querySelectorAll<HTMLElement>('[aria-label=Period] button'), '90 days')
        click(tabs.querySelectorAll<HTMLElement>('[role=tab]'), 'Content')
      })
      await expect(page).toHaveURL('/analytics?tab=content&period=90d')
    })
    await deleteUser(fan)
    await deleteUser(ida)
  })

  test('shows empty states to a creator without views', async ({ browser }) => {
    const neo = await createSignedInUser(browser, 'Neo Vale')
    await promoteToCreator(neo)
    const page = await neo.context.newPage()
    const collected = collectPageErrors(page)
    await page.goto('/analytics')
    await expect(page.getByRole('heading', { name: 'Nobody has seen your posts yet' })).toBeVisible()
    await expectAccessible(page)
    for (const [tab, heading] of [
      ['Content', 'No views yet'],
      ['Audience', 'No new followers'],
      ['Revenue', 'No revenue yet'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click()
      await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    }
    expect(collected.errors).toEqual([])
    await deleteUser(neo)
  })
})

import { randomUUID } from 'node:crypto'
import { type BrowserContext, expect, test } from 'playwright/test'
import { expectAccessible } from './axe.ts'
import { arrive, forget, sql } from './support.ts'

/** How many of at most `most` creators are shown to somebody: all that there are. */
async function creatorsAmong(context: BrowserContext, most: number): Promise<number> {
  const answer = await context.request.get('/api/discover/featured-creators?limit=50')
  const creators: unknown[] = await answer.json()
  return Math.min(most, creators.length)
}

test('Discover shows topics, creators and posts, each with states of its own', async ({ browser }) => {
  const kim = await arrive(browser, 'Kim Weiss')
  const { page } = kim
  const tag = `d${randomUUID().slice(0, 8)}`
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  const topics = page.getByRole('region', { name: 'Trending Topics' })
  const creators = page.getByRole('region', { name: 'Featured Creators' })

  // What is trending is counted by a job, for everybody on the stack.
  const trending = [...Array(10).keys()].map((at) => ({
    tag: at ? `${tag}_${at}` : tag,
    posts: 10 - at,
    people: at === 9 ? 1 : 2,
  }))

  await test.step('What fails says so in its place and can be asked for again; the rest is there', async () => {
    await page.route('**/api/discover/trending-hashtags', (route) => route.abort(), { times: 1 })
    await page.route('**/api/discover/featured-creators?limit=6', (route) => route.abort(), { times: 1 })
    await page.route('**/api/discover/posts?limit=10', (route) => route.abort(), { times: 1 })
    await sidebar.getByRole('link', { name: 'Discover' }).click()
    await expect(topics.getByRole('alert')).toContainText('The topics did not load.')
    await expect(creators.getByRole('alert')).toContainText('The creators did not load.')
    await expect(page.getByText('Failed to fetch posts')).toBeVisible()
    await expectAccessible(page)
    await creators.getByRole('button', { name: 'Try again' }).click()
    await expect(creators.getByRole('listitem')).toHaveCount(await creatorsAmong(kim.context, 6))
    await page.route('**/api/discover/trending-hashtags', (route) => route.fulfill({ json: trending }))
    await topics.getByRole('button', { name: 'Try again' }).click()
    await expect(topics.getByRole('link')).toHaveCount(10)
    await expect(topics.getByRole('link').first()).toHaveText(`#${tag} • 10 posts by 2 people`)
    await expect(topics.getByRole('link').last()).toHaveText(`#${tag}_9 • 1 post by 1 person`)
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'Recent Posts' })).toBeVisible()
    await expect(page.getByRole('article').first()).toBeVisible()
  })

  await test.step('A creator is followed from there, and everybody is one link away', async () => {
    const first = creators.getByRole('listitem').first()
    const name = (await first.getByRole('link').textContent()) ?? ''
    await first.getByRole('button', { name: `Follow: ${name}` }).click()
    await expect(first.getByRole('button', { name: `Following: ${name}. Unfollow` })).toHaveText('Following')
    await expect(page.getByText(/^You are now following/)).toBeVisible()
    await creators.getByRole('link', { name: 'View All Creators' }).click()
    await expect(page).toHaveURL('/creators')
    await page.goBack()
    await topics.getByRole('link').first().click()
    await expect(page).toHaveURL(`/topic/${tag}`)
    await expect(page.getByText('No posts yet')).toBeVisible()
    await page.goBack()
  })

  await test.step('On a phone topics and creators are pushed sideways, and the page is not', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    for (const list of [topics.getByRole('list'), creators.getByRole('list')]) {
      await expect.poll(() => list.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeGreaterThan(0)
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
  })

  await test.step('Where there is nothing, it says so', async () => {
    await page.route('**/api/discover/{trending-hashtags,posts?*}', (route) => route.fulfill({ json: [] }))
    await page.goto('/discover')
    await expect(page.getByText('No trending hashtags yet...')).toBeVisible()
    await expect(page.getByText('No posts to discover yet')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/')
  })
  await forget(kim)
})

test('the rail names three creators, and creators their own figures', async ({ browser }) => {
  const uma = await arrive(browser, 'Uma Rai')
  const { page } = uma
  const rail = page.getByRole('complementary', { name: 'More' })
  const trending = rail.getByRole('region', { name: 'Trending Creators' })
  await expect(trending.getByRole('listitem')).toHaveCount(await creatorsAmong(uma.context, 3))
  await trending
    .getByRole('button', { name: /^Follow/ })
    .first()
    .click()
  await expect(trending.getByRole('button', { name: /^Following/ })).toHaveCount(1)
  await expect(rail.getByText('Your Analytics')).toHaveCount(0)

  await sql`update public.profiles set is_creator = true where username = ${uma.who.username}`
  await uma.context.request.post('/api/posts', { data: { content: 'The first of mine.' } })
  await page.reload()
  const figures = rail.getByRole('region', { name: 'Your Analytics' })
  await expect(figures.getByRole('definition')).toHaveText(['0', '+0', '$0'])
  await figures.getByRole('link', { name: 'View Analytics' }).click()
  await expect(page).toHaveURL('/analytics')
  await forget(uma)
})

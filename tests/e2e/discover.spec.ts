import { randomUUID } from 'node:crypto'
import { type BrowserContext, expect, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { postToApi, publish } from './support/content.ts'
import { horizontalOverflow, phoneViewport } from './support/page.ts'
import { failNextRequest } from './support/requests.ts'
import { createSignedInUser, createUserOnHomeFeed, deleteUser, promoteToCreator } from './support/users.ts'

/** Returns how many featured creators a user sees in a list with at most `limit` entries. */
async function countFeaturedCreators(context: BrowserContext, limit: number): Promise<number> {
  const response = await context.request.get('/api/discover/featured-creators?limit=50')
  const creators: unknown[] = await response.json()
  return Math.min(limit, creators.length)
}

test.describe('Discover', () => {
  test('shows topics, creators and posts, with separate error and empty states', async ({ browser }) => {
    const kim = await createUserOnHomeFeed(browser, 'Kim Weiss')
    const { page } = kim
    const tag = `d${randomUUID().slice(0, 8)}`
    const sidebar = page.getByRole('navigation', { name: 'Main' })
    const topics = page.getByRole('region', { name: 'Trending Topics' })
    const creators = page.getByRole('region', { name: 'Featured Creators' })

    // The `trending` job counts topics for the whole stack, so the response is mocked.
    const trending = [...Array(10).keys()].map((index) => ({
      tag: index ? `${tag}_${index}` : tag,
      posts: 10 - index,
      people: index === 9 ? 1 : 2,
    }))

    await test.step('shows an error and a retry button in each section that failed to load', async () => {
      await failNextRequest(page, '**/api/discover/trending-hashtags')
      await failNextRequest(page, '**/api/discover/featured-creators?limit=6')
      await failNextRequest(page, '**/api/discover/posts?*')
      await sidebar.getByRole('link', { name: 'Discover' }).click()
      await expect(topics.getByRole('alert')).toContainText("Couldn't load topics.")
      await expect(creators.getByRole('alert')).toContainText("Couldn't load creators.")
      await expect(page.getByText('Failed to fetch posts')).toBeVisible()
      await expectAccessible(page)
      await creators.getByRole('button', { name: 'Try again' }).click()
      // On desktops, the creators fill one row. On phones, the row scrolls and contains more creators.
      await expect(creators.getByRole('listitem')).toHaveCount(await countFeaturedCreators(kim.context, 4))
      await page.route('**/api/discover/trending-hashtags', (route) => route.fulfill({ json: trending }))
      await topics.getByRole('button', { name: 'Try again' }).click()
      await expect(topics.getByRole('link')).toHaveCount(11)
      await expect(topics.getByRole('link').first()).toHaveText('All')
      await expect(topics.getByRole('link').nth(1)).toHaveText(`#${tag} • 10 posts`)
      await expect(topics.getByRole('link').last()).toHaveText(`#${tag}_9 • 1 post`)
      await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByRole('heading', { name: 'Recent Posts' })).toBeVisible()
      await expect(page.getByRole('article').first()).toBeVisible()
    })

    await test.step('shows the topics on one line, below the heading on a phone', async () => {
      const positions = async () => {
        const heading = await topics.getByRole('heading').boundingBox()
        const chips = await topics.getByRole('link').all()
        return { heading, chips: await Promise.all(chips.map((chip) => chip.boundingBox())) }
      }
      for (const isPhone of [false, true]) {
        if (isPhone) await page.setViewportSize(phoneViewport)
        const { heading, chips } = await positions()
        if (!heading) throw new Error('The heading is not shown.')
        expect(chips.length).toBeGreaterThan(1)
        const y = isPhone ? heading.y + heading.height : heading.y
        for (const chip of chips) expect(chip).toMatchObject({ y, height: 36 })
      }
      await expect(page.getByRole('link', { name: /^Search/ })).toHaveCount(1)
      await page.setViewportSize({ width: 1280, height: 720 })
    })

    await test.step('reports a view of a post in the grid', async () => {
      const report = page.waitForRequest('**/api/views')
      await page.getByRole('article').first().scrollIntoViewIfNeeded()
      await report
    })

    await test.step('follows a creator, and links to all creators', async () => {
      const firstCreator = creators.getByRole('listitem').first()
      const name = (await firstCreator.getByRole('link').textContent()) ?? ''
      await firstCreator.getByRole('button', { name: `Follow: ${name}` }).click()
      await expect(firstCreator.getByRole('button', { name: `Following: ${name}. Unfollow` })).toHaveText(
        'Following',
      )
      await expect(page.getByText(/^You’re now following/)).toBeVisible()
      await creators.getByRole('link', { name: 'View All Creators' }).click()
      await expect(page).toHaveURL('/creators')
      await page.goBack()
    })

    await test.step('filters the posts by topic, including after Back, Forward and a reload', async () => {
      await publish(kim, { content: `My own #${tag}_1` })
      const all = topics.getByRole('link', { name: 'All', exact: true })
      await expect(all).toHaveAttribute('aria-current', 'true')
      await topics.getByRole('link', { name: `#${tag} •` }).click()
      await expect(page).toHaveURL(`/discover?topic=${tag}`)
      await expect(page.getByRole('heading', { name: `#${tag}` })).toBeVisible()
      await expect(page.getByText('No posts yet')).toBeVisible()
      await expect(creators).toHaveCount(0)
      await expectAccessible(page)
      // The user's own posts are never listed.
      await topics.getByRole('link', { name: `#${tag}_1 •` }).click()
      await expect(page.getByRole('heading', { name: `#${tag}_1` })).toBeVisible()
      await expect(page.getByText('No posts yet')).toBeVisible()
      await page.goBack()
      await expect(page.getByRole('heading', { name: `#${tag}`, exact: true })).toBeVisible()
      await page.goBack()
      await expect(page.getByRole('heading', { name: 'Recent Posts' })).toBeVisible()
      await expect(creators).toBeVisible()
      await page.goForward()
      await page.reload()
      await expect(topics.getByRole('link', { name: `#${tag} •` })).toHaveAttribute('aria-current', 'true')
      await page.getByRole('link', { name: 'Show all posts' }).click()
      await expect(page).toHaveURL('/discover')
      await expect(page.getByRole('article').first()).toBeVisible()
    })

    await test.step('lists the newest posts first if the user chooses that, with or without a topic', async () => {
      const order = page.getByRole('group', { name: 'Sort posts' })
      await expect(order.getByRole('button', { name: 'Popular' })).toHaveAttribute('aria-pressed', 'true')
      const request = page.waitForRequest('**/api/discover/posts?sort=latest&*')
      await order.getByRole('button', { name: 'Newest' }).click()
      await request
      await expect(page).toHaveURL('/discover?sort=latest')
      await expect(page.getByRole('article').first()).toBeVisible()
      await topics.getByRole('link', { name: `#${tag} •` }).click()
      await expect(page).toHaveURL(`/discover?topic=${tag}&sort=latest`)
      await order.getByRole('button', { name: 'Popular' }).click()
      await expect(page).toHaveURL(`/discover?topic=${tag}`)
      await topics.getByRole('link', { name: 'All', exact: true }).click()
      await expect(page).toHaveURL('/discover')
    })

    await test.step('opens a post from its tile', async () => {
      await expect(page.getByRole('article').first()).toBeVisible()
      await page.keyboard.press('j')
      const tile = page.getByRole('article').getByRole('link').first()
      await expect(tile).toBeFocused()
      await tile.press('Enter')
      await expect(page).toHaveURL(/\/post\//)
      await page.goBack()
    })

    await test.step('scrolls topics and creators sideways on a phone, but not the page', async () => {
      await page.setViewportSize(phoneViewport)
      for (const list of [topics.getByRole('list'), creators.getByRole('list')]) {
        await expect
          .poll(() => list.evaluate((element) => element.scrollWidth - element.clientWidth))
          .toBeGreaterThan(0)
      }
      expect(await horizontalOverflow(page)).toBe(0)
    })

    await test.step('shows the author at the bottom of each tile', async () => {
      const tile = page.getByRole('article').first()
      const author = (await tile.getAttribute('aria-label'))?.replace('Post by ', '') ?? ''
      await tile.scrollIntoViewIfNeeded()
      const [box, authorBox] = await Promise.all([
        tile.boundingBox(),
        tile.getByText(author, { exact: true }).boundingBox(),
      ])
      expect(authorBox?.y).toBeGreaterThan((box?.y ?? 0) + (box?.height ?? 0) / 2)
      await expect(tile.getByRole('link')).toHaveAccessibleName(
        new RegExp(`^(Open|Locked) post by ${author}`),
      )
    })

    await test.step('shows an empty state for topics and for posts', async () => {
      await page.route('**/api/discover/{trending-hashtags,posts?*}', (route) => route.fulfill({ json: [] }))
      await page.goto('/discover')
      await expect(page.getByText('No trending hashtags yet...')).toBeVisible()
      await expect(page.getByText('No posts to discover yet')).toBeVisible()
      await expect(page.getByRole('link', { name: 'Back to home' })).toHaveAttribute('href', '/')
    })
    await deleteUser(kim)
  })
})

test.describe('Right sidebar', () => {
  test('lists up to three creators, and shows creators their own analytics', async ({ browser }) => {
    const uma = await createUserOnHomeFeed(browser, 'Uma Rai')
    const { page } = uma
    const rail = page.getByRole('complementary', { name: 'More' })
    const trending = rail.getByRole('region', { name: 'Trending Creators' })
    await expect(trending.getByRole('listitem')).toHaveCount(await countFeaturedCreators(uma.context, 3))
    await trending
      .getByRole('button', { name: /^Follow/ })
      .first()
      .click()
    await expect(trending.getByRole('button', { name: /^Following/ })).toHaveCount(1)
    await expect(rail.getByText('Your analytics')).toHaveCount(0)

    await promoteToCreator(uma)
    await publish(uma, { content: 'My first post.' })
    await page.reload()
    const analytics = rail.getByRole('region', { name: 'Your analytics' })
    await expect(analytics.getByRole('definition')).toHaveText(['0', '+0', '$0.00'])
    await analytics.getByRole('link', { name: 'View analytics' }).click()
    await expect(page).toHaveURL('/analytics')
    await deleteUser(uma)
  })

  test('shows the newest posts of followed creators beside the feed, or above it on a phone', async ({
    browser,
  }) => {
    const [ida, max] = await Promise.all([
      createSignedInUser(browser, 'Ida Moser'),
      createSignedInUser(browser, 'Max Moser'),
    ])
    await promoteToCreator(max)
    await publish(max, { content: 'Fresh from the oven.' })
    await postToApi(ida, `/api/users/${max.id}/follow`)
    const page = await ida.context.newPage()
    const row = page.getByRole('list', { name: 'New from your creators' })
    const composer = page.getByRole('textbox', { name: "What's on your mind?" })

    await page.setViewportSize(phoneViewport)
    await page.goto('/')
    await expect(row.getByRole('link', { name: 'New post by Max Moser' })).toBeVisible()
    await expectAccessible(page)
    await row.getByRole('button', { name: 'Write a post' }).click()
    await expect(composer).toBeFocused()

    await page.setViewportSize({ width: 1280, height: 800 })
    const update = page
      .getByRole('region', { name: 'New from your creators' })
      .getByRole('link', { name: /Max Moser/ })
    await expect(update).toContainText('New posts')
    await update.click()
    await expect(page).toHaveURL(/\/post\//)
    // The home feed contains the post too, and stays visible until the post's page has loaded.
    await expect(page.getByRole('heading', { name: 'Post', exact: true })).toBeVisible()
    await expect(page.getByText('Fresh from the oven.').first()).toBeVisible()
    await page.goBack()
    await expect(update).toContainText('Fresh from the oven.')
    await expect(update).not.toContainText('New posts')
    await Promise.all([ida, max].map(deleteUser))
  })
})

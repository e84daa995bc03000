import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { addComment, postToApi, publish } from './support/content.ts'
import { bell, waitForSettledScroll } from './support/page.ts'
import {
  createSignedInUser,
  createUserOnHomeFeed,
  deleteUser,
  promoteToCreator,
  sql,
} from './support/users.ts'

/** A timeout that is shorter than the polling interval of 30 seconds, so only a live update arrives in time. */
const liveTimeout = { timeout: 10_000 }

const row = (page: Page, { id }: { id: string }) => page.locator(`#comment-${id}`)
const commentCount = (page: Page) => page.getByRole('button', { name: /^Comment, \d+ comments?$/ })

/** Runs statements without the triggers that send events. */
const withoutEvents = (statement: (tx: typeof sql) => Promise<unknown>) =>
  sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await statement(tx as unknown as typeof sql)
  })

/**
 * Records a page's GET requests to the API from now on. `paths` contains `*` instead of IDs, `urls` contains the same
 * paths with their query strings, and `refused` contains the paths that returned an error status.
 */
function recordRequests(page: Page): { paths: string[]; urls: string[]; refused: string[] } {
  const recorded = { paths: [] as string[], urls: [] as string[], refused: [] as string[] }
  page.on('response', (response) => {
    const { pathname, search } = new URL(response.url())
    if (!pathname.startsWith('/api/') || response.request().method() !== 'GET') return
    const path = pathname.replaceAll(/[0-9a-f-]{36}/g, '*')
    recorded.paths.push(path)
    recorded.urls.push(path + search)
    if (response.status() >= 400) recorded.refused.push(pathname)
  })
  return recorded
}

test.describe('Opening a notification', () => {
  test('shows the announced reply, or says that it was deleted', async ({ browser }) => {
    const [fan, creator] = await Promise.all([
      createSignedInUser(browser, 'Fay Moss'),
      createSignedInUser(browser, 'Cleo Hart'),
    ])
    const post = await publish(creator, { content: 'What should I paint next?' })
    const question = await addComment(fan, post.id, 'The harbour at night?')
    // Pushes the question to the second page of comments, and any new reply to the second page of its replies.
    await sql`
      insert into public.comments (post_id, author_id, content, parent_comment_id, created_at)
      select ${post.id}, ${creator.id}, 'Reply ' || n, ${question.id}, now() - interval '1 hour' + n * interval '1 second'
      from generate_series(1, 22) n`
    await sql`
      insert into public.comments (post_id, author_id, content, created_at)
      select ${post.id}, ${creator.id}, 'Later ' || n, now() + n * interval '1 second' from generate_series(1, 22) n`
    await sql`delete from public.notifications where user_id = ${fan.id}`
    const page = await fan.context.newPage()

    await test.step('scrolls to, focuses and highlights a reply that the cached page does not contain', async () => {
      await page.goto(`/post/${post.id}`)
      await expect(page.getByText('Later 22', { exact: true })).toBeVisible()
      await page.getByRole('link', { name: /home/i }).first().click()
      await expect(bell(page)).toHaveAccessibleName('Notifications')
      const reply = await addComment(creator, post.id, 'The harbour it is!', question.id)
      await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread', liveTimeout)
      await bell(page).click()
      await page.getByText('replied to your comment').click()
      await expect(row(page, reply)).toContainText('The harbour it is!')
      await expect(row(page, reply)).toHaveAttribute('aria-current', 'true')
      await expect(row(page, reply)).toBeInViewport()
      await expect(row(page, reply)).toBeFocused()
      await expect(row(page, question)).toHaveCount(1)
      await expect(commentCount(page)).toHaveAccessibleName('Comment, 46 comments')
      await expectAccessible(page)
    })

    await test.step('shows the next reply on the page that is already open', async () => {
      const reply = await addComment(creator, post.id, 'With lanterns.', question.id)
      await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread', liveTimeout)
      await page.evaluate(() => window.scrollTo(0, 0))
      await bell(page).click()
      await page.getByRole('listitem').filter({ hasText: 'Unread' }).getByRole('link').click()
      await expect(row(page, reply)).toBeInViewport()
      await expect(row(page, reply)).toHaveAttribute('aria-current', 'true')
    })

    await test.step('says that a linked comment was deleted', async () => {
      const gone = await addComment(creator, post.id, 'Never mind.', question.id)
      await creator.context.request.delete(`/api/comments/${gone.id}`)
      await page.goto(`/post/${post.id}#comment-${gone.id}`)
      await page.reload()
      const notice = page.getByText('The linked comment was deleted')
      await expect(notice).toBeInViewport()
    })
    await Promise.all([fan, creator].map(deleteUser))
  })
})

test.describe('An open post', () => {
  test('shows other users’ likes, comments, edits and deletions without disturbing a reply in progress', async ({
    browser,
  }) => {
    const [ana, ben] = await Promise.all([
      createSignedInUser(browser, 'Ana Torres'),
      createSignedInUser(browser, 'Ben Okafor'),
    ])
    await promoteToCreator(ana)
    const post = await publish(ana, {
      content: 'Paid',
      teaser: 'Behind the scenes',
      isPremium: true,
      premiumPrice: 5,
    })
    const free = await publish(ana, { content: 'First light on the ridge' })
    const first = await addComment(ana, free.id, 'Ask me anything')
    const page = await ben.context.newPage()
    await page.goto(`/post/${free.id}`)
    await expect(row(page, first)).toBeVisible()
    const waitForChannelJoin = () =>
      expect(async () => {
        // The page joins the channel some time after it has loaded, so the event is repeated until it arrives.
        await sql`select realtime.send('{"likesCount": 7}', 'likes.changed', ${`post:${free.id}`}, true)`
        await expect(page.getByRole('button', { name: /like/i }).first()).toContainText('7', { timeout: 500 })
      }).toPass(liveTimeout)
    await waitForChannelJoin()

    await test.step('shows a like and a comment', async () => {
      await postToApi(ana, `/api/posts/${free.id}/like`)
      await expect(page.getByRole('button', { name: /like/i }).first()).toContainText('1', liveTimeout)
      const second = await addComment(ana, free.id, 'It was cold')
      await expect(row(page, second)).toBeVisible(liveTimeout)
      await expect(commentCount(page)).toHaveAccessibleName('Comment, 2 comments')
    })

    await test.step('keeps focus, the draft and the position of a reply', async () => {
      await row(page, first).getByRole('button', { name: 'Reply', exact: true }).click()
      const input = page.getByRole('textbox', { name: 'Reply to Ana Torres' })
      await input.fill('How early did you')
      const topOf = async () => (await input.boundingBox())?.y ?? 0
      const before = await topOf()
      const third = await addComment(ana, free.id, 'Very cold')
      const fourth = await addComment(ana, free.id, 'But worth it')
      await expect(row(page, third)).toBeAttached(liveTimeout)
      await expect(row(page, fourth)).toBeAttached(liveTimeout)
      // The browser corrects the scroll position when it renders the next frame.
      await expect.poll(async () => Math.abs((await topOf()) - before)).toBeLessThan(2)
      await expect(input).toBeFocused()
      await expect(input).toHaveValue('How early did you')
      await ana.context.request.delete(`/api/comments/${third.id}`)
      await expect(row(page, third)).toHaveCount(0, liveTimeout)
      await expect(input).toHaveValue('How early did you')
    })

    await test.step('shows edits and the deletion of the post', async () => {
      await ana.context.request.patch(`/api/posts/${free.id}`, {
        data: { content: 'Last light on the ridge' },
      })
      await expect(page.getByText('Last light on the ridge')).toBeVisible(liveTimeout)
      await ana.context.request.delete(`/api/posts/${free.id}`)
      await expect(page.getByText('Post not found')).toBeVisible(liveTimeout)
    })

    await test.step('shows a changed price without receiving the paid text', async () => {
      const frames: string[] = []
      page.on('websocket', (socket) =>
        socket.on('framereceived', ({ payload }) => frames.push(String(payload))),
      )
      await page.goto(`/post/${post.id}`)
      await expect(page.getByText('$5.00').first()).toBeVisible()
      await expect
        .poll(() => frames.some((frame) => frame.includes(`post:${post.id}`)), liveTimeout)
        .toBe(true)
      await ana.context.request.patch(`/api/posts/${post.id}`, {
        data: { premiumPrice: 7, content: 'Paid and secret' },
      })
      await expect(page.getByText('$7.00').first()).toBeVisible(liveTimeout)
      expect(frames.filter((frame) => frame.includes('secret'))).toEqual([])
    })
    await Promise.all([ana, ben].map(deleteUser))
  })
})

test.describe('An open profile', () => {
  test('offers new posts behind a button, and shows edits, follower counts and visibility changes', async ({
    browser,
  }) => {
    const [ana, ben, cy] = await Promise.all([
      createSignedInUser(browser, 'Ana Torres'),
      createSignedInUser(browser, 'Ben Okafor'),
      createSignedInUser(browser, 'Cy Lund'),
    ])
    await publish(ana, { content: 'The first post' })
    const page = await ben.context.newPage()
    const visitor = await (await browser.newContext()).newPage()
    await visitor.clock.install()
    const profilePath = `/profile/${ana.account.username}`
    await Promise.all([page, visitor].map((tab) => tab.goto(profilePath)))
    for (const tab of [page, visitor]) await expect(tab.getByText('The first post')).toBeVisible()

    await test.step('announces new posts', async () => {
      await publish(ana, { content: 'The second post' })
      await publish(ana, { content: 'The third post' })
      const button = page.getByRole('button', { name: 'Show 2 new posts' })
      await expect(button).toBeVisible(liveTimeout)
      expect(await page.getByText('The third post').count()).toBe(0)
      await button.click()
      await expect(page.getByRole('article').first()).toContainText('The third post')
      await expect(button).toHaveCount(0)
    })

    await test.step('announces new posts to a visitor within 30 seconds', async () => {
      await visitor.clock.fastForward('00:31')
      await visitor.getByRole('button', { name: 'Show 2 new posts' }).click(liveTimeout)
      await expect(visitor.getByText('The third post')).toBeVisible()
      await visitor.context().close()
    })

    await test.step('shows new followers and edits, and hides the posts when the profile becomes private', async () => {
      const followers = page.getByRole('link', { name: /Followers?/ })
      await postToApi(cy, `/api/users/${ana.id}/follow`)
      await expect(page.locator('dl').filter({ has: followers })).toContainText('1', liveTimeout)
      await ana.context.request.patch('/api/profile', { data: { bio: 'Painter of ridges' } })
      await expect(page.getByText('Painter of ridges')).toBeVisible(liveTimeout)
      await ana.context.request.patch('/api/settings/privacy', { data: { profileVisibility: 'private' } })
      await expect(page.getByText('This profile is private')).toBeVisible(liveTimeout)
      expect(await page.getByText('The third post').count()).toBe(0)
    })
    await Promise.all([ana, ben, cy].map(deleteUser))
  })
})

test.describe('The home feed', () => {
  test('shows posts that the user publishes elsewhere', async ({ browser }) => {
    const { page, ...ana } = await createUserOnHomeFeed(browser, 'Ana Torres')
    await page.getByRole('tab', { name: 'Following' }).click()
    await publish(ana, { content: 'The first post' })
    await expect(page.getByText('The first post')).toBeVisible(liveTimeout)
    await publish(ana, { content: 'Written on the phone' })
    await expect(page.getByRole('article').first()).toContainText('Written on the phone', liveTimeout)
    await page.getByRole('link', { name: 'Saved' }).first().click()
    await expect(page).toHaveURL('/saved')
    await publish(ana, { content: 'Written on the way' })
    await page.goBack()
    await expect(page.getByRole('article').first()).toContainText('Written on the way', liveTimeout)
    await deleteUser(ana)
  })
})

test.describe('A page that is shown again', () => {
  test('shows cached data at the same scroll position, and refetches data that is older than a minute', async ({
    browser,
  }) => {
    const [ana, ben] = await Promise.all([
      createSignedInUser(browser, 'Ana Torres'),
      createSignedInUser(browser, 'Ben Okafor'),
    ])
    for (let n = 1; n <= 10; n++) await publish(ana, { content: `Ridge number ${n}` })
    const page = await ben.context.newPage()
    await page.goto(`/profile/${ana.account.username}`)
    const article = page.getByRole('article').filter({ hasText: /Ridge number 3/ })
    await article.scrollIntoViewIfNeeded()
    await page.evaluate(() => window.scrollBy(0, 200))
    await waitForSettledScroll(page)
    const position = async () => (await article.boundingBox())?.y ?? 0
    const before = await position()

    // Ensures that the post's page has fetched the post before the edit below.
    const fetched = page.waitForResponse(/\/api\/posts\/[\w-]+$/)
    await article.getByText('Just now').first().click()
    await expect(page).toHaveURL(/\/post\//)
    await fetched
    // No event reports this edit, so the page shows it only after a refetch.
    await withoutEvents(
      (tx) => tx`update public.posts set content = 'Summit number 3' where content = 'Ridge number 3'
                 and author_id = ${ana.id}`,
    )
    await publish(ana, { content: 'A newer ridge' })
    const requests = recordRequests(page)
    await page.goBack()
    await expect(article).toBeVisible()
    expect(Math.abs((await position()) - before)).toBeLessThan(2)
    await waitForSettledScroll(page)
    // The cached posts are less than a minute old, so the page does not refetch them.
    expect(requests.paths).not.toContain('/api/users/*/posts')
    expect(await page.getByText('Summit number 3').count()).toBe(0)

    await article.getByText('Just now').first().click()
    await expect(page).toHaveURL(/\/post\//)
    await page.clock.setSystemTime(Date.now() + 61_000)
    await page.goBack()
    const updated = page.getByRole('article').filter({ hasText: /Summit number 3/ })
    await expect(updated).toBeVisible()
    expect(Math.abs(((await updated.boundingBox())?.y ?? 0) - before)).toBeLessThan(2)
    await expect(page.getByRole('button', { name: 'Show 1 new post' })).toBeVisible()
    await Promise.all([ana, ben].map(deleteUser))
  })
})

test.describe('A page load', () => {
  test('requests each count once, and sends no request that the API rejects', async ({ browser }) => {
    const ben = await createSignedInUser(browser, 'Ben Okafor')
    for (const [path, text] of [
      ['/', "What's on your mind?"],
      [`/profile/${ben.account.username}`, 'Followers'],
      ['/earnings', 'For creators only'],
      ['/notifications', 'No notifications yet'],
    ] as const) {
      const page = await ben.context.newPage()
      const { urls, refused } = recordRequests(page)
      await page.goto(path)
      await expect(page.getByText(text).or(page.getByPlaceholder(text)).first()).toBeVisible()
      // The notifications page also requests the counts of its filters, with a query string. Only requests with the
      // same query string count as repeated.
      await expect.poll(() => urls.filter((url) => url.endsWith('unread-count')).length).toBe(2)
      await page.waitForTimeout(1500)
      const counts = urls.filter((url) => /count|stats/.test(url)).sort()
      expect([path, counts]).toEqual([path, [...new Set(counts)]])
      expect([path, refused]).toEqual([path, []])
      await page.close()
    }
    await deleteUser(ben)
  })
})

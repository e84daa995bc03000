import { randomUUID } from 'node:crypto'
import { expect, type Page, type Route, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { postToApi, publish } from './support/content.ts'
import {
  horizontalOverflow,
  phoneViewport,
  postWithText,
  pressEndUntilVisible,
  waitForSettledScroll,
} from './support/page.ts'
import { abortNextRequest, createGate, failNextRequest, respondToNextRequest } from './support/requests.ts'
import {
  createSignedInUser,
  createUserOnHomeFeed,
  deleteUser,
  promoteToCreator,
  type SignedInUser,
  sql,
} from './support/users.ts'

/**
 * Returns the first rendered post that starts below the header, with its position, and whether all posts up to it are
 * rendered. The post may be below the viewport: `isRendered` is false while any post in the viewport, or between the
 * viewport and that post, is not rendered. One evaluation returns both values, because the page may render between two
 * evaluations.
 */
const inspectViewport = (page: Page) =>
  page.evaluate(() => {
    const articles = [...document.querySelectorAll('main article')]
    const first = articles.find((article) => article.getBoundingClientRect().top > 70)
    const firstTop = first?.getBoundingClientRect().top ?? Number.NaN
    const isRendered = [...document.querySelectorAll('[data-post-block]')].every((section) => {
      const { top, bottom } = section.getBoundingClientRect()
      return bottom < 0 || top > Math.max(window.innerHeight, firstTop) || section.childElementCount > 0
    })
    return { firstPost: { text: first?.textContent?.slice(0, 80) ?? '', top: firstTop }, isRendered }
  })

const getFirstVisiblePost = async (page: Page) => (await inspectViewport(page)).firstPost

/** Checks that the first visible post is the one in `before`, at the same position within one pixel. */
async function expectScrollPosition(page: Page, before: Awaited<ReturnType<typeof getFirstVisiblePost>>) {
  await expect
    .poll(async () => {
      const now = await getFirstVisiblePost(page)
      return { text: now.text, isInPlace: Math.abs(now.top - before.top) <= 1 }
    })
    .toEqual({ text: before.text, isInPlace: true })
}

/** Scrolls to a position and returns the first visible post there. */
async function scrollTo(page: Page, top: number) {
  await waitForSettledScroll(page)
  await expect(async () => {
    await page.evaluate((y) => window.scrollTo(0, y), top)
    expect(await page.evaluate(() => window.scrollY)).toBe(top)
  }).toPass()
  return await waitForStablePosition(page)
}

/** Waits until all posts near the viewport are rendered and have stopped moving. Returns the first visible post. */
async function waitForStablePosition(page: Page) {
  let last = await getFirstVisiblePost(page)
  await expect
    .poll(
      async () => {
        const before = last
        const { firstPost, isRendered } = await inspectViewport(page)
        last = firstPost
        return isRendered && last.text !== '' && last.text === before.text && last.top === before.top
      },
      { intervals: [100] },
    )
    .toBe(true)
  return last
}

/** Creates posts of different lengths, numbered from `from` to `to`. */
async function createPosts(author: SignedInUser, tag: string, from: number, to: number) {
  for (let number = from; number <= to; number++) {
    const content = `Post ${number} of #${tag}.${' One more sentence about it.'.repeat((number * 7) % 12)}`
    await publish(author, { content })
  }
}

/** Simulates the user's return from another tab. The page checks for new posts at that moment and every 30 seconds. */
const returnToPage = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))

test.describe('Topic page', () => {
  test('loads a topic to the end, restores the scroll position and shows the topic to visitors', async ({
    browser,
  }) => {
    const [ana, ben] = await Promise.all([
      createSignedInUser(browser, 'Ana Feld'),
      createSignedInUser(browser, 'Ben Feld'),
    ])
    const page = await ana.context.newPage()
    const tag = `t${randomUUID().slice(0, 8)}`
    await Promise.all([createPosts(ana, tag, 1, 18), createPosts(ben, tag, 19, 35)])
    const topicRequests: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/topics/')) topicRequests.push(request.url())
    })

    await test.step('opens from a hashtag', async () => {
      await page.goto(`/profile/${ana.account.username}`)
      await page
        .getByRole('link', { name: `#${tag}` })
        .first()
        .click()
      await expect(page).toHaveURL(`/topic/${tag}`)
      await expect(page.getByRole('heading', { name: `#${tag}`, exact: true })).toBeVisible()
      await expect(page.getByRole('article')).toHaveCount(10)
      expect(await page.title()).toBe(`#${tag} · Ovation`)
      expect(topicRequests).toHaveLength(1)
    })

    await test.step('lets the user retry a page that failed to load, and stops after the last page', async () => {
      await failNextRequest(page, '**/api/topics/*/posts?*cursor=*')
      const retry = page.getByRole('button', { name: "Couldn't load more posts. Try again" })
      await pressEndUntilVisible(page, retry)
      await retry.click()
      await pressEndUntilVisible(page, page.getByText("You've reached the end!"))
      // There are four pages. The second is requested twice. The last page is not full, so no request follows it.
      expect(topicRequests).toHaveLength(5)
      expect(topicRequests.every((url) => url.includes('limit=10'))).toBe(true)
      await expect(page.getByRole('article')).toHaveCount(35)
    })

    await test.step('restores the scroll position after opening a post or a profile', async () => {
      const before = await scrollTo(page, 2500)
      expect(before.text).toContain(tag)
      const visiblePost = page
        .getByRole('article')
        .filter({ hasText: /Post \d+ of/.exec(before.text)?.[0] ?? 'none' })
      await visiblePost.locator('a:has(time)').click()
      await expect(page.getByRole('heading', { name: 'Post', exact: true })).toBeVisible()
      await page.goBack()
      await expectScrollPosition(page, before)
      await visiblePost.getByRole('link', { name: /Feld$/ }).click()
      await expect(page).toHaveURL(/\/profile\//)
      await expect(page.getByRole('tab', { name: 'Posts' })).toBeVisible()
      await page.goBack()
      await expectScrollPosition(page, before)
    })

    await test.step('shows the topic to visitors and says when a hashtag is invalid', async () => {
      const visitor = await browser.newContext()
      const visitorPage = await visitor.newPage()
      await visitorPage.goto(`/topic/${tag.toUpperCase()}`)
      await expect(visitorPage.getByRole('heading', { name: `#${tag}`, exact: true })).toBeVisible()
      await expect(visitorPage.getByRole('article')).toHaveCount(10)
      await visitorPage.goto(`/topic/${tag}x`)
      await expect(visitorPage.getByText('No posts yet')).toBeVisible()
      await visitorPage.goto('/topic/12-3')
      await expect(visitorPage.getByText('Topic not found')).toBeVisible()
      await visitor.close()
    })
    await deleteUser(ana)
    await deleteUser(ben)
  })
})

test.describe('Scroll position', () => {
  test('is restored in the home feed and Discover when the user goes back or uses the sidebar', async ({
    browser,
  }) => {
    const eva = await createUserOnHomeFeed(browser, 'Eva Ort')
    const { page } = eva
    const openInSidebar = (name: string) =>
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
    const feedRequests: string[] = []
    page.on(
      'response',
      (response) => void (response.url().includes('/api/posts?') && feedRequests.push(response.url())),
    )
    await expect(async () => {
      await page.keyboard.press('End')
      expect(feedRequests.length).toBeGreaterThan(6)
    }).toPass({ intervals: [100] })
    // Posts far from the viewport are not rendered.
    await expect.poll(() => page.getByRole('article').count()).toBeLessThan(60)
    const homePosition = await scrollTo(page, 4000)
    await openInSidebar('Discover')
    await expect(page.getByRole('heading', { name: 'Featured Creators' })).toBeInViewport()
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    const discoverPosition = await scrollTo(page, 2000)
    await openInSidebar('Home Feed')
    await expectScrollPosition(page, homePosition)
    await openInSidebar('Discover')
    await expectScrollPosition(page, discoverPosition)
    await page.goBack()
    await expectScrollPosition(page, homePosition)

    await test.step('restores the position when the height of the content above the posts has changed', async () => {
      const style = await page.addStyleTag({ content: 'main h2 { margin-top: 150px }' })
      await openInSidebar('Discover')
      await expectScrollPosition(page, discoverPosition)
      await openInSidebar('Home Feed')
      await style.evaluate((element) => element.parentNode?.removeChild(element))
      await expectScrollPosition(page, homePosition)
    })

    await test.step('adds the user’s new post at the top without scrolling or refetching the feed', async () => {
      const requestsBefore = feedRequests.length
      await page.keyboard.press('n')
      const dialog = page.getByRole('dialog', { name: 'Create New Post' })
      await dialog.getByRole('textbox').fill('Written from far below')
      await dialog.getByRole('button', { name: 'Post', exact: true }).click()
      await expect(page.getByText('Post created successfully!')).toBeVisible()
      await expect(dialog).toBeHidden()
      await expectScrollPosition(page, homePosition)
      await openInSidebar('Home Feed')
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
      await expect(page.getByRole('article').filter({ hasText: 'Written from far below' })).toBeInViewport()
      expect(feedRequests).toHaveLength(requestsBefore)
    })

    await test.step('starts at the top after a reload', async () => {
      await scrollTo(page, 3000)
      await page.reload()
      await expect(page.getByRole('article').first()).toBeVisible()
      expect(await page.evaluate(() => window.scrollY)).toBe(0)
    })
    await deleteUser(eva)
  })
})

test.describe('New posts in the home feed', () => {
  test('are announced by a button and shown at the top after a click', async ({ browser }) => {
    const [ida, leo] = await Promise.all([
      createSignedInUser(browser, 'Ida Neu'),
      createSignedInUser(browser, 'Leo Neu'),
    ])
    const page = await ida.context.newPage()
    const tag = `n${randomUUID().slice(0, 8)}`

    await test.step('shows new posts without a button in an empty feed', async () => {
      await respondToNextRequest(page, '**/api/posts?limit=10', { json: [] })
      await page.goto('/')
      await expect(page.getByText('No posts yet')).toBeVisible()
      await returnToPage(page)
      await expect(page.getByRole('article').first()).toBeVisible()
    })
    const before = await scrollTo(page, 600)
    await createPosts(leo, tag, 1, 2)
    await returnToPage(page)
    const showNewPosts = page.getByRole('button', { name: /^Show \d+ new posts$/ })
    await expect(showNewPosts).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: /^\d+ new posts$/ })).toBeAttached()
    expect(await getFirstVisiblePost(page)).toEqual(before)
    await expectAccessible(page)

    await failNextRequest(page, '**/api/posts?limit=10')
    await showNewPosts.click()
    await expect(page.getByText('Failed to fetch posts')).toBeVisible()
    await expectScrollPosition(page, before)
    await showNewPosts.click()
    const newest = page.getByRole('article').filter({ hasText: `Post 2 of #${tag}` })
    await expect(newest).toBeVisible()
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    // The focused post may not be Leo's, because another test may have posted after Leo.
    await expect(page.locator('article:focus')).toBeInViewport()
    await expect(showNewPosts).toHaveCount(0)
    await deleteUser(ida)
    await deleteUser(leo)
  })
})

test.describe('Following feed', () => {
  test('suggests people to a newcomer, stays selected, and shows and announces only posts by followed people', async ({
    browser,
  }) => {
    const [fay, ana, ben] = await Promise.all(
      ['Fay Kreis', 'Ana Kreis', 'Ben Kreis'].map((name) => createSignedInUser(browser, name)),
    )
    if (!fay || !ana || !ben) throw new Error('A user was not created.')
    const page = await fay.context.newPage()
    const tag = `f${randomUUID().slice(0, 8)}`
    const tab = (name: string) => page.getByRole('tab', { name, exact: true })
    const post = (number: number) => postWithText(page, `Post ${number} of #${tag}.`)
    await createPosts(ana, tag, 1, 2)
    await createPosts(ben, tag, 3, 3)

    await test.step('suggests people to a newcomer', async () => {
      await page.goto('/')
      await expect(tab('For you')).toHaveAttribute('aria-selected', 'true')
      await expect(post(3)).toBeVisible()
      await tab('Following').click()
      const suggestions = page.getByRole('region', { name: 'People to follow' })
      await expect(suggestions.getByRole('button', { name: /^Follow: / }).first()).toBeVisible()
      await expect(page.getByText('Posts by people you follow will appear here.')).toBeVisible()
      await expectAccessible(page)
    })

    await test.step('shows the posts of a followed person', async () => {
      await page.goto(`/profile/${ana.account.username}`)
      await page.getByRole('button', { name: 'Follow Me: Ana Kreis' }).click()
      await expect(page.getByText(/You’re now following .*Ana Kreis/)).toBeVisible()
      await page.getByRole('link', { name: /home/i }).first().click()
      await expect(tab('Following')).toHaveAttribute('aria-selected', 'true')
      await expect(post(1)).toBeVisible()
      await expect(post(2)).toBeVisible()
      await expect(page.getByRole('article')).toHaveCount(2)
      await expect(page.getByRole('region', { name: 'People to follow' })).toHaveCount(0)
    })

    await test.step('announces only posts that the tab shows', async () => {
      await createPosts(ben, tag, 4, 4)
      await returnToPage(page)
      const anaPage = await ana.context.newPage()
      await anaPage.goto('/')
      await expect(anaPage.getByRole('tab', { name: 'For you' })).toHaveAttribute('aria-selected', 'true')
      await anaPage.getByPlaceholder("What's on your mind?").fill(`Post 5 of #${tag}.`)
      await anaPage.getByRole('button', { name: 'Post', exact: true }).first().click()
      await expect(postWithText(anaPage, `Post 5 of #${tag}.`)).toBeVisible()
      await anaPage.getByRole('tab', { name: 'Following' }).click()
      await expect(anaPage.getByRole('article')).toHaveCount(3)
      await returnToPage(page)
      await page.getByRole('button', { name: 'Show 1 new post', exact: true }).click()
      await expect(post(5)).toBeVisible()
      await expect(page.getByRole('article')).toHaveCount(3)
      await tab('For you').click()
      await expect(post(4)).toBeVisible()
    })

    await test.step('remembers the tab', async () => {
      await tab('Following').click()
      await page.reload()
      await expect(tab('Following')).toHaveAttribute('aria-selected', 'true')
      await expect(page.getByRole('article')).toHaveCount(3)
    })
    await Promise.all([fay, ana, ben].map(deleteUser))
  })
})

test.describe('Pinned tabs', () => {
  test('are chosen in a dialog or on a topic page, stay after a reload, and include the subscriptions', async ({
    browser,
  }) => {
    const [fay, ana] = await Promise.all([
      createSignedInUser(browser, 'Fay Reiter'),
      createSignedInUser(browser, 'Ana Reiter'),
    ])
    await promoteToCreator(ana)
    const page = await fay.context.newPage()
    const tag = `p${randomUUID().slice(0, 8)}`
    const tabs = page.getByRole('tablist', { name: 'Home Feed' }).getByRole('tab')
    const tab = (name: string) => page.getByRole('tab', { name, exact: true })
    const editButton = page.getByRole('button', { name: 'Edit tabs' })
    const dialog = page.getByRole('dialog', { name: 'Edit tabs' })
    const field = dialog.getByLabel('Add a topic')
    const save = dialog.getByRole('button', { name: 'Save' })
    await createPosts(ana, tag, 1, 2)

    await test.step('adds a topic by keyboard', async () => {
      await page.goto('/')
      await expect(tabs).toHaveText(['For you', 'Following'])
      await tab('For you').focus()
      await page.keyboard.press('Tab')
      await expect(editButton).toBeFocused()
      await abortNextRequest(page, '**/assets/HomeTabsDialog-*.js')
      await page.keyboard.press('Enter')
      await expect(page.getByText("Couldn't load this")).toBeVisible()
      await expect(editButton).toBeFocused()
      await page.keyboard.press('Enter')
      await field.fill('12')
      await field.press('Enter')
      await expect(dialog.getByText(/^Hashtags can only contain/)).toBeVisible()
      await field.fill(`#${tag.toUpperCase()}`)
      await field.press('Enter')
      await expect(dialog.getByRole('status')).toHaveText(`Added: #${tag}`)
      await expect(field).toBeFocused()
      await expectAccessible(page)
      await failNextRequest(page, '**/api/settings/home')
      await save.click()
      await expect(page.getByText("Couldn't save your tabs. Try again.")).toBeVisible()
      await field.fill('34')
      await save.click()
      await expect(dialog.getByText(/^Hashtags can only contain/)).toBeVisible()
      await expect(field).toBeFocused()
      await field.fill(`${tag}x`)
      await save.click()
      await expect(dialog).toHaveCount(0)
      await expect(editButton).toBeFocused()
      await expect(tabs).toHaveText(['For you', 'Following', `#${tag}`, `#${tag}x`])
      await tab(`#${tag}`).click()
      await expect(page.getByRole('article')).toHaveCount(2)
      await expectAccessible(page)
    })

    await test.step('pins topics on their pages, shows the subscriptions to subscribers, and announces new posts there', async () => {
      const pin = page.getByRole('button', { name: 'Pin to home' })
      const unpin = page.getByRole('button', { name: 'Unpin from home' })
      // Opens a topic without a page load.
      const openTopic = (name: string) =>
        page.evaluate((path) => {
          window.history.pushState(null, '', path)
          window.dispatchEvent(new PopStateEvent('popstate'))
        }, `/topic/${name}`)
      await page.goto(`/topic/${tag}x`)
      // The second change starts before the first one is saved.
      const gate = createGate()
      const holdRequest = async (route: Route) => {
        await gate.opened
        await route.continue()
      }
      await page.route('**/api/settings/home', holdRequest, { times: 1 })
      await unpin.click()
      await openTopic(tag)
      await unpin.click()
      gate.open()
      await pin.click()
      await expect(unpin).toBeVisible()
      await openTopic(`${tag}x`)
      await pin.click()
      await expect(unpin).toBeVisible()
      await postToApi(fay, '/api/subscriptions', { creatorId: ana.id })
      await page.goto('/')
      // The Subscriptions tab appears with the first subscription, unless the user has removed it.
      await expect(tabs).toHaveText(['For you', 'Following', `#${tag}`, `#${tag}x`, 'Subscriptions'])
      await expect(tab(`#${tag}`)).toHaveAttribute('aria-selected', 'true')
      await tab('Subscriptions').click()
      await expect(page.getByRole('article')).toHaveCount(2)
      await createPosts(ana, tag, 3, 3)
      await returnToPage(page)
      await page.getByRole('button', { name: 'Show 1 new post', exact: true }).click()
      await expect(postWithText(page, `Post 3 of #${tag}.`)).toBeVisible()
    })

    await test.step('reorders and removes tabs without losing the focus', async () => {
      await editButton.click()
      const moveUp = dialog.getByRole('button', { name: 'Move up: Subscriptions' })
      await moveUp.click()
      await moveUp.press('Enter')
      await expect(dialog.getByRole('listitem').first()).toContainText('Subscriptions')
      await expect(moveUp).toBeFocused()
      await expect(moveUp).toHaveAttribute('aria-disabled', 'true')
      await dialog.getByRole('button', { name: `Remove: #${tag}`, exact: true }).click()
      await expect(dialog.getByRole('button', { name: `Remove: #${tag}x` })).toBeFocused()
      for (const name of ['one', 'two', 'three']) {
        await field.fill(`${tag}${name}`)
        await field.press('Enter')
      }
      await expect(field).toHaveCount(0)
      await expect(save).toBeFocused()
      await save.click()
      await expect(tabs).toHaveText([
        'For you',
        'Following',
        'Subscriptions',
        `#${tag}x`,
        ...['one', 'two', 'three'].map((name) => `#${tag}${name}`),
      ])
      await page.goto(`/topic/${tag}`)
      await page.getByRole('button', { name: 'Pin to home' }).click()
      await expect(page.getByText('You can pin up to 5 tabs')).toBeVisible()
    })

    await test.step('scrolls the tabs on a phone and keeps the selected one in view', async () => {
      await page.setViewportSize(phoneViewport)
      await page.goto('/')
      await expect(tab('Subscriptions')).toBeInViewport({ ratio: 1 })
      await tab('Subscriptions').focus()
      await page.keyboard.press('End')
      const last = tab(`#${tag}three`)
      await expect(last).toHaveAttribute('aria-selected', 'true')
      await expect(last).toBeInViewport({ ratio: 1 })
      await expect(editButton).toBeInViewport({ ratio: 1 })
      await page.reload()
      await expect(last).toBeInViewport({ ratio: 1 })
      expect(await horizontalOverflow(page)).toBe(0)
      await editButton.click()
      await expect(dialog).toBeVisible()
      await expectAccessible(page)
    })
    await Promise.all([fay, ana].map(deleteUser))
  })
})

test.describe('The "For you" feed', () => {
  test('collapses a long run of posts by one author across pages, and expands it', async ({ browser }) => {
    const [ana, fay] = await Promise.all([
      createSignedInUser(browser, 'Ana Reihe'),
      createSignedInUser(browser, 'Fay Reihe'),
    ])
    const tag = `r${randomUUID().slice(0, 8)}`
    // These posts are a microsecond apart, so that no post from another test can come between them.
    await sql`
      insert into public.posts (author_id, content, created_at)
      select ${ana.id}, 'Post ' || n || ${` of #${tag}.`}, now() + n * interval '1 microsecond'
      from generate_series(1, 16) n`
    const page = await fay.context.newPage()
    const post = (number: number) => postWithText(page, `Post ${number} of #${tag}.`)
    const showMore = page.getByRole('button', { name: 'Show 13 more from Ana Reihe' })
    await page.goto('/')
    // Newer posts from other tests may be above the run.
    await expect(async () => {
      if (!(await showMore.isVisible())) await page.keyboard.press('PageDown')
      await expect(showMore).toBeVisible({ timeout: 500 })
    }).toPass()
    await showMore.scrollIntoViewIfNeeded()
    await expect(page.getByRole('article').filter({ hasText: tag })).toHaveCount(3)
    await expect(page.getByRole('article').filter({ hasNotText: tag }).first()).toBeVisible()
    await expectAccessible(page)
    await showMore.click()
    await expect(post(13)).toBeFocused()
    await expect(showMore).toHaveCount(0)
    await post(1).scrollIntoViewIfNeeded()
    await expect(post(1)).toBeVisible()

    await test.step('stays expanded when the user returns', async () => {
      await post(1).locator('a:has(time)').click()
      await expect(page.getByRole('heading', { name: 'Post', exact: true })).toBeVisible()
      await page.goBack()
      await expect(post(1)).toBeVisible()
      await expect(showMore).toHaveCount(0)
    })
    await Promise.all([ana, fay].map(deleteUser))
  })
})

import { randomUUID } from 'node:crypto'
import { type APIRequestContext, expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './axe.ts'
import { arrive, forget, goToEnd, join, restingPlace } from './support.ts'

/**
 * What stands below the header: the first post that begins there, and where. `drawn` is whether all is drawn from the
 * window's upper edge down to that post: before that it may be one from far below. Asked for in one go, because a page
 * that is drawn between two questions answers them as if they were about the same.
 */
const look = (page: Page) =>
  page.evaluate(() => {
    const articles = [...document.querySelectorAll('main article')]
    const first = articles.find((article) => article.getBoundingClientRect().top > 70)
    const from = first?.getBoundingClientRect().top ?? Number.NaN
    const drawn = [...document.querySelectorAll('[data-stretch]')].every((stretch) => {
      const { top, bottom } = stretch.getBoundingClientRect()
      return bottom < 0 || top > Math.max(window.innerHeight, from) || stretch.childElementCount > 0
    })
    return { place: { text: first?.textContent?.slice(0, 80) ?? '', top: from }, drawn }
  })

const firstInSight = async (page: Page) => (await look(page)).place

/** The same post stands where it stood, to the pixel. */
async function expectPlace(page: Page, before: Awaited<ReturnType<typeof firstInSight>>) {
  await expect
    .poll(async () => {
      const now = await firstInSight(page)
      return { text: now.text, moved: Math.abs(now.top - before.top) <= 1 }
    })
    .toEqual({ text: before.text, moved: true })
}

/** A reader's own scrolling, not the app's. Answers what is in sight there. */
async function scrollTo(page: Page, top: number) {
  await restingPlace(page)
  await expect(async () => {
    await page.evaluate((y) => window.scrollTo(0, y), top)
    expect(await page.evaluate(() => window.scrollY)).toBe(top)
  }).toPass()
  return await placeAtRest(page)
}

/** What is in sight once all posts near the window are drawn, and move no more. */
async function placeAtRest(page: Page) {
  let last = await firstInSight(page)
  await expect
    .poll(
      async () => {
        const before = last
        const { place, drawn } = await look(page)
        last = place
        return drawn && place.text !== '' && place.text === before.text && place.top === before.top
      },
      { intervals: [100] },
    )
    .toBe(true)
  return last
}

/** Posts of different lengths, numbered from `from`. */
async function post(request: APIRequestContext, tag: string, from: number, to: number) {
  for (let number = from; number <= to; number++) {
    const content = `Post ${number} of #${tag}.${' One more sentence about it.'.repeat((number * 7) % 12)}`
    const response = await request.post('/api/posts', { data: { content } })
    expect(response.status()).toBe(201)
  }
}

test('a topic goes on to its end, for visitors too, and is found again where it was left', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([join(browser, 'Ana Feld'), join(browser, 'Ben Feld')])
  const page = await ana.context.newPage()
  const tag = `t${randomUUID().slice(0, 8)}`
  await Promise.all([post(ana.context.request, tag, 1, 18), post(ben.context.request, tag, 19, 35)])
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/topics/')) asked.push(request.url())
  })

  await test.step('A hashtag leads there', async () => {
    await page.goto(`/profile/${ana.who.username}`)
    await page
      .getByRole('link', { name: `#${tag}` })
      .first()
      .click()
    await expect(page).toHaveURL(`/topic/${tag}`)
    await expect(page.getByRole('heading', { name: `#${tag}`, exact: true })).toBeVisible()
    await expect(page.getByRole('article')).toHaveCount(10)
    expect(await page.title()).toBe(`#${tag} · Ovation`)
    expect(asked).toHaveLength(1)
  })

  await test.step('A page that does not come can be asked for again, and the last one ends it', async () => {
    await page.route('**/api/topics/*/posts?*cursor=*', (route) => route.abort(), { times: 1 })
    const again = page.getByRole('button', { name: 'More posts did not load. Try again' })
    await goToEnd(page, again)
    await again.click()
    await goToEnd(page, page.getByText("You've reached the end!"))
    // Four pages, the second asked for twice: none after the one that was not full.
    expect(asked).toHaveLength(5)
    expect(asked.every((url) => url.includes('limit=10'))).toBe(true)
    await expect(page.getByRole('article')).toHaveCount(35)
  })

  await test.step('Her place is kept while she reads a post, and while she looks at a person', async () => {
    const before = await scrollTo(page, 2500)
    expect(before.text).toContain(tag)
    const inSight = page
      .getByRole('article')
      .filter({ hasText: /Post \d+ of/.exec(before.text)?.[0] ?? 'none' })
    await inSight.locator('a:has(time)').click()
    await expect(page.getByRole('heading', { name: 'Post', exact: true })).toBeVisible()
    await page.goBack()
    await expectPlace(page, before)
    await inSight.getByRole('link', { name: /Feld$/ }).click()
    await expect(page).toHaveURL(/\/profile\//)
    await expect(page.getByRole('tab', { name: 'Posts' })).toBeVisible()
    await page.goBack()
    await expectPlace(page, before)
  })

  await test.step('A visitor reads it; what can be no hashtag says so', async () => {
    const visitor = await browser.newContext()
    const read = await visitor.newPage()
    await read.goto(`/topic/${tag.toUpperCase()}`)
    await expect(read.getByRole('heading', { name: `#${tag}`, exact: true })).toBeVisible()
    await expect(read.getByRole('article')).toHaveCount(10)
    await read.goto(`/topic/${tag}x`)
    await expect(read.getByText('No posts yet')).toBeVisible()
    await read.goto('/topic/12-3')
    await expect(read.getByText('Topic not found')).toBeVisible()
    await visitor.close()
  })
  await forget(ana)
  await forget(ben)
})

test('the home feed and Discover are found where they were left, by their links too', async ({ browser }) => {
  const eva = await arrive(browser, 'Eva Ort')
  const { page } = eva
  const open = (name: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
  const pages: string[] = []
  page.on(
    'response',
    (response) => void (response.url().includes('/api/posts?') && pages.push(response.url())),
  )
  await expect(async () => {
    await page.keyboard.press('End')
    expect(pages.length).toBeGreaterThan(6)
  }).toPass({ intervals: [100] })
  // Of so many posts those far away are not drawn.
  await expect.poll(() => page.getByRole('article').count()).toBeLessThan(60)
  const home = await scrollTo(page, 4000)
  await open('Discover')
  await expect(page.getByRole('heading', { name: 'Recent Posts' })).toBeInViewport()
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  const discover = await scrollTo(page, 2000)
  await open('Home Feed')
  await expectPlace(page, home)
  await open('Discover')
  await expectPlace(page, discover)
  await page.goBack()
  await expectPlace(page, home)

  await test.step('What stands above the posts may have another height by then', async () => {
    const style = await page.addStyleTag({ content: 'main h2 { margin-top: 150px }' })
    await open('Discover')
    await expectPlace(page, discover)
    await open('Home Feed')
    await style.evaluate((element) => element.parentNode?.removeChild(element))
    await expectPlace(page, home)
  })

  await test.step('What she posts from there moves nothing and reads nothing anew, and stands on top', async () => {
    const read = pages.length
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'Create New Post' })
    await dialog.getByRole('textbox').fill('Written from far below')
    await dialog.getByRole('button', { name: 'Post', exact: true }).click()
    await expect(page.getByText('Post created successfully!')).toBeVisible()
    await expect(dialog).toBeHidden()
    await expectPlace(page, home)
    await open('Home Feed')
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
    await expect(page.getByRole('article').filter({ hasText: 'Written from far below' })).toBeInViewport()
    expect(pages).toHaveLength(read)
  })

  await test.step('Read anew, the page begins at its top', async () => {
    await scrollTo(page, 3000)
    await page.reload()
    await expect(page.getByRole('article').first()).toBeVisible()
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
  })
  await forget(eva)
})

test('new posts wait behind a button, and stand on top when it is pressed', async ({ browser }) => {
  const [ida, leo] = await Promise.all([join(browser, 'Ida Neu'), join(browser, 'Leo Neu')])
  const page = await ida.context.newPage()
  const tag = `n${randomUUID().slice(0, 8)}`
  // As when she comes back to the page; otherwise it is asked every 30 seconds.
  const comeBack = () =>
    page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))

  await test.step('Where there was no post, they come by themselves', async () => {
    await page.route('**/api/posts?limit=10', (route) => route.fulfill({ json: [] }), { times: 1 })
    await page.goto('/')
    await expect(page.getByText('No posts yet')).toBeVisible()
    await comeBack()
    await expect(page.getByRole('article').first()).toBeVisible()
  })
  const before = await scrollTo(page, 600)
  await post(leo.context.request, tag, 1, 2)
  await comeBack()
  const pill = page.getByRole('button', { name: /^Show \d+ new posts$/ })
  await expect(pill).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^\d+ new posts$/ })).toBeAttached()
  expect(await firstInSight(page)).toEqual(before)
  await expectAccessible(page)

  await page.route('**/api/posts?limit=10', (route) => route.abort(), { times: 1 })
  await pill.click()
  await expect(page.getByText('Failed to fetch posts')).toBeVisible()
  await expectPlace(page, before)
  await pill.click()
  const newest = page.getByRole('article').filter({ hasText: `Post 2 of #${tag}` })
  await expect(newest).toBeVisible()
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  // Somebody else may have posted after him.
  await expect(page.locator('article:focus')).toBeInViewport()
  await expect(pill).toHaveCount(0)
  await forget(ida)
  await forget(leo)
})

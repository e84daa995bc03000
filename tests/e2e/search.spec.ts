import { expect, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { collectPageErrors, phoneViewport } from './support/page.ts'
import { failNextRequest } from './support/requests.ts'
import { createUserOnHomeFeed, deleteUser, sql } from './support/users.ts'

test.describe('Search', () => {
  test('finds people, posts and topics, and keeps the selected tab in the URL', async ({ browser }) => {
    const lena = await createUserOnHomeFeed(browser, 'Lena Voxham')
    const { page } = lena
    const word = `w${Date.now().toString(36)}`
    await sql`
      insert into public.posts (author_id, content)
      select id, ${`Kneading all morning ${word} #bread${word}`} from public.profiles where username = 'noormakes'`
    const tab = (name: string) => page.getByRole('tab', { name })
    const posts = page.getByRole('main').getByRole('article')

    const box = page.getByRole('combobox', { name: 'Search people, posts and topics' })
    const form = page.getByRole('searchbox', { name: 'People, posts and topics' })

    await test.step('the search box in the header links to all results', async () => {
      await box.fill('oxha')
      // The query is only part of the name.
      await expect(page.getByRole('option', { name: /Lena Voxham/ })).toBeVisible()
      await box.press('Tab')
      const seeAll = page.getByRole('link', { name: 'See all results' })
      await expect(seeAll).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL('/search?q=oxha')
      await expect(seeAll).toHaveCount(0)
      await expect(tab('People')).toHaveAttribute('aria-selected', 'true')
      await expect(page.getByText(/^Found \d+\+? users?$/)).toBeVisible()
      await expect(tab('People')).toHaveAccessibleName(/^People [1-9]\d*\+?$/)
      // Wide screens have only the search box in the header.
      await expect(box).toHaveValue('oxha')
      await expect(form).toBeHidden()
    })

    await test.step('the first tab with results opens, and an empty tab offers to open it', async () => {
      await box.fill(word)
      await box.press('Enter')
      await expect(page).toHaveURL(`/search?q=${word}`)
      await expect(tab('Posts')).toHaveAttribute('aria-selected', 'true')
      await expect(posts).toHaveCount(1)
      await expect(tab('People')).toHaveAccessibleName('People 0')
      await expect(tab('Posts')).toHaveAccessibleName('Posts 1')
      await tab('People').click()
      await expect(page).toHaveURL(`/search?q=${word}&tab=people`)
      await page.getByRole('button', { name: 'See posts' }).click()
      await expect(page).toHaveURL(`/search?q=${word}&tab=posts`)
      await expect(tab('Posts')).toBeFocused()
      await box.fill(`bread${word}`)
      await box.press('Enter')
      await expect(tab('Topics')).toHaveAccessibleName('Topics 1')
    })

    await test.step('the arrow keys move between the tabs, and a reload keeps the tab', async () => {
      await page.goto(`/search?q=${word}&tab=people`)
      await expect(box).toHaveValue(word)
      await expect(page.getByRole('heading', { name: 'No Users Found' })).toBeVisible()
      await tab('People').focus()
      await page.keyboard.press('ArrowRight')
      await expect(page).toHaveURL(`/search?q=${word}&tab=posts`)
      await expect(posts).toHaveCount(1)
      await page.reload()
      await expect(tab('Posts')).toHaveAttribute('aria-selected', 'true')
      await expect(posts).toHaveCount(1)
      await expect(posts).toContainText('Kneading all morning')
      await posts.getByRole('button', { name: /^Like/ }).click()
      await expect(posts.getByRole('button', { name: /^Unlike|^Liked|^Like/ })).toHaveAttribute(
        'aria-pressed',
        'true',
      )
      await expectAccessible(page)
    })

    await test.step('a topic links to its posts, and the back button returns to the results', async () => {
      await tab('Topics').click()
      await expect(page).toHaveURL(`/search?q=${word}&tab=topics`)
      const topic = page.getByRole('main').getByRole('link', { name: `#bread${word}` })
      await expect(topic).toContainText('1 post')
      await expectAccessible(page)
      await topic.click()
      await expect(page).toHaveURL(`/topic/bread${word}`)
      await expect(posts).toHaveCount(1)
      await page.goBack()
      await expect(topic).toBeVisible()
      await expect(tab('Topics')).toHaveAttribute('aria-selected', 'true')
    })

    await test.step('the page says what to do when nothing is found or a request fails', async () => {
      await page.setViewportSize(phoneViewport)
      await page.goto('/search?q=qqqqqqqq&tab=topics')
      await expect(page.getByRole('heading', { name: 'No topics found' })).toBeVisible()
      await tab('Posts').click()
      await expect(page.getByRole('heading', { name: 'No posts found' })).toBeVisible()
      await failNextRequest(page, '**/api/topics/search?*')
      await page.goto('/search?q=qqqqqqq&tab=topics')
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByRole('heading', { name: 'No topics found' })).toBeVisible()
      await page.goto('/search?tab=topics')
      await expect(page.getByRole('heading', { name: 'Search for topics' })).toBeVisible()
      await expect(box).toBeHidden()
      await form.fill(word)
      await form.press('Enter')
      // A new search opens the first tab with results.
      await expect(page).toHaveURL(`/search?q=${word}`)
      await expect(tab('Posts')).toHaveAttribute('aria-selected', 'true')
      await expect(posts).toHaveCount(1)
      await expectAccessible(page)
    })
    await sql`delete from public.posts where content like ${`%${word}%`}`
    await deleteUser(lena)
  })
})

test.describe('Link previews', () => {
  test('name the profile or post in the title, and their tags are removed on navigation', async ({
    page,
  }) => {
    const collected = collectPageErrors(page)
    const canonical = page.locator('link[rel=canonical]')
    const robots = page.locator('meta[name=robots]')
    await page.goto('/profile/noormakes')
    await expect(page).toHaveTitle('Noor Haddad · Ovation')
    await expect(page.getByRole('heading', { name: 'Noor Haddad' })).toBeVisible()
    await expect(canonical).toHaveAttribute('href', /\/profile\/noormakes$/)
    await expect(robots).toHaveCount(0)
    await page
      .getByRole('main')
      .getByRole('article')
      .first()
      .getByRole('link', { name: /ago|Just now|\d/ })
      .first()
      .click()
    await expect(page).toHaveURL(/\/post\//)
    await expect(page).toHaveTitle(/^Noor Haddad: .+ · Ovation$/)
    await expect(canonical).toHaveCount(0)
    await expect(robots).toHaveAttribute('content', 'noindex')
    await page.reload()
    await expect(canonical).toHaveAttribute('href', page.url())
    await expect(page).toHaveTitle(/^Noor Haddad: .+ · Ovation$/)
    // If the Content-Security-Policy blocked the structured data as a script, the browser would log an error.
    await expect(page.locator('script[type="application/ld+json"]')).toHaveCount(1)
    expect(collected.errors).toEqual([])
  })
})

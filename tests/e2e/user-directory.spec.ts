import { randomUUID } from 'node:crypto'
import { expect, type Locator, test } from 'playwright/test'
import { retryDeadlocks } from '../support/deadlocks.ts'
import { expectAccessible } from './support/accessibility.ts'
import { pressEndUntilVisible, waitForSettledScroll } from './support/page.ts'
import { createGate, failNextRequest } from './support/requests.ts'
import { createUserOnHomeFeed, deleteUser, sql } from './support/users.ts'

const crowdId = randomUUID().slice(0, 8)
const nameOf = (number: number) => `Crowd ${crowdId} ${String(number).padStart(2, '0')}`
/** Matches a toast about user 57. A direction isolate character may precede the name. */
const toastAboutUser57 = (text: string) => new RegExp(`${text} .?${nameOf(57)}`)

/** Returns how many pixels an element extends below its parent. Zero or less means that the element fits. */
const bottomOverflow = (element: Locator) =>
  element.evaluate((child) => {
    const parent = child.parentElement?.getBoundingClientRect()
    return child.getBoundingClientRect().bottom - (parent?.bottom ?? Number.NEGATIVE_INFINITY)
  })

test.beforeAll(async () => {
  // Hides the hundreds of users that the RLS tests leave behind. Otherwise, the test would have to scroll past them.
  await sql`update public.profiles set show_in_directory = false where username like 'p\\_%'`
  await sql`
    insert into auth.users (id, email, created_at, raw_user_meta_data)
    select gen_random_uuid(), 'crowd_${sql.unsafe(crowdId)}_' || n || '@example.test', now(),
      jsonb_build_object('username', ${`c${crowdId}_`}::text || n,
        'full_name', ${`Crowd ${crowdId} `}::text || lpad(n::text, 2, '0'),
        'phone_number', '+1 555 0100 200', 'adult_confirmed', true)
    from generate_series(1, 60) n`
  await sql`
    update public.profiles set created_at = now() + (split_part(username, '_', 2) || ' ms')::interval
    where username like ${`c${crowdId}\\_%`}`
  await sql`update public.profiles set visibility = 'followers' where username = ${`c${crowdId}_1`}`
})

test.afterAll(async () => {
  await retryDeadlocks(() => sql`delete from auth.users where email like ${`crowd\\_${crowdId}\\_%`}`)
})

test.describe('Top Users', () => {
  test('paginates users, restores the scroll position and reverts a follow that fails', async ({
    browser,
  }) => {
    const eva = await createUserOnHomeFeed(browser, 'Eva Lindt')
    const { page } = eva
    const cards = page.getByRole('main').getByRole('article')
    const card = (number: number) => page.getByRole('article', { name: nameOf(number) })

    await test.step('shows six skeletons, then an error and a retry button', async () => {
      const gate = createGate()
      await page.route(
        '**/api/users?limit=50',
        async (route) => {
          await gate.opened
          await route.fulfill({ status: 500, body: '' })
        },
        { times: 1 },
      )
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Top Users' }).click()
      await expect(page.getByRole('main').getByRole('status').locator('li')).toHaveCount(6)
      gate.open()
      await expect(page.getByText("Couldn't load people. Try again.")).toBeVisible()
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(cards).toHaveCount(50)
      await expect(page.getByRole('article', { name: 'Eva Lindt' })).toHaveCount(0)
    })

    await test.step('loads more near the end and retries a failed page by keyboard', async () => {
      await failNextRequest(page, '**/api/users?*cursor=*')
      const retry = page.getByRole('button', { name: "Couldn't load more. Try again" })
      await pressEndUntilVisible(page, retry)
      await retry.focus()
      await page.keyboard.press('Enter')
      await pressEndUntilVisible(page, card(60))
    })

    await test.step('restores the scroll position after opening a profile', async () => {
      const link = card(58).getByRole('link')
      // A click on a link outside the viewport would scroll, so the test scrolls before it reads the position.
      await link.scrollIntoViewIfNeeded()
      const before = await waitForSettledScroll(page)
      await link.click()
      await expect(page.getByRole('heading', { name: nameOf(58) })).toBeVisible()
      await page.goBack()
      await expect(card(58)).toBeInViewport()
      expect(Math.abs((await waitForSettledScroll(page)) - before)).toBeLessThan(50)
    })

    await test.step('follows immediately or by request, and reverts a failed follow', async () => {
      const follow = card(57).getByRole('button')
      await expect(follow).toHaveText('+ Add Friend')
      const gate = createGate()
      await page.route(
        '**/follow',
        async (route) => {
          await gate.opened
          await route.fulfill({ status: 500, body: '' })
        },
        { times: 1 },
      )
      await follow.click()
      await expect(follow).toHaveText('Following')
      gate.open()
      await expect(page.getByText('Failed to update follow', { exact: true })).toBeVisible()
      await expect(follow).toHaveText('+ Add Friend')
      await follow.click()
      await expect(page.getByText(toastAboutUser57('You’re now following'))).toBeVisible()
      await card(1).getByRole('button').click()
      await expect(card(1).getByRole('button')).toHaveText('Requested')
    })

    await test.step('keeps an unfollowed user in the list until the viewer leaves the page', async () => {
      await page.goto('/following')
      await expect(cards).toHaveCount(1)
      const toggle = card(57).getByRole('button')
      await toggle.click()
      await expect(toggle).toHaveText('Follow')
      await toggle.click()
      await expect(toggle).toHaveText('Following')
      await expect(page.getByText(toastAboutUser57('You’re now following'))).toBeVisible()
      await toggle.click()
      await expect(page.getByText(toastAboutUser57('You unfollowed'))).toBeVisible()
      await expect(cards).toHaveCount(1)
      const sidebar = page.getByRole('navigation', { name: 'Main' })
      await sidebar.getByRole('link', { name: 'Saved' }).click()
      // A click before the "Saved" page has loaded would cancel the navigation, and the user would stay on the list.
      await expect(page.getByRole('heading', { name: 'Saved Posts', exact: true })).toBeVisible()
      await sidebar.getByRole('link', { name: 'Following' }).click()
      await expect(page.getByText("You're not following anyone yet")).toBeVisible()
      await expectAccessible(page)
    })

    await test.step('counts the search results and follows a user from the results', async () => {
      await page.goto(`/search?q=${eva.account.username}`)
      await expect(page.getByText('Found 1 user', { exact: true })).toBeVisible()
      await expect(page.getByRole('main').getByRole('button', { name: /^Follow/ })).toHaveCount(0)
      await page.goto(`/search?q=${crowdId}`)
      await expect(page.getByText('Found 50+ users')).toBeVisible()
      const resultCount = page.getByText('Found 60 users')
      await expect(async () => {
        await page.keyboard.press('End')
        await expect(resultCount).toBeVisible({ timeout: 500 })
      }).toPass()
      expect(await bottomOverflow(resultCount)).toBeLessThanOrEqual(0)
      const follow = page.getByRole('button', { name: `Follow: ${nameOf(60)}` })
      await failNextRequest(page, '**/follow')
      await follow.click()
      await expect(page.getByText('Failed to update follow', { exact: true })).toBeVisible()
      await expect(follow).toBeVisible()
      await follow.click()
      await expect(page.getByRole('button', { name: `Following: ${nameOf(60)}` })).toBeVisible()
    })
    await deleteUser(eva)
  })
})

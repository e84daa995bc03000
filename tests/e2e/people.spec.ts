import { randomUUID } from 'node:crypto'
import { expect, type Locator, test } from 'playwright/test'
import { expectAccessible } from './axe.ts'
import { arrive, forget, goToEnd, restingPlace, sql } from './support.ts'

const crowd = randomUUID().slice(0, 8)
const nameOf = (number: number) => `Crowd ${crowd} ${String(number).padStart(2, '0')}`
/** What a toast says of number 57; the name stands in it with marks of its own direction. */
const told = (what: string) => new RegExp(`${what} .?${nameOf(57)}`)

/** How far an element reaches out of the one around it at the lower edge, in pixels; 0 or less where it does not. */
const overhang = (element: Locator) =>
  element.evaluate((box) => {
    const around = box.parentElement?.getBoundingClientRect()
    return box.getBoundingClientRect().bottom - (around?.bottom ?? Number.NEGATIVE_INFINITY)
  })

test.beforeAll(async () => {
  // Hundreds that tests of rights left behind: nobody is to scroll past all of them.
  await sql`update public.profiles set show_in_directory = false where username like 'p\\_%'`
  await sql`
    insert into auth.users (id, email, created_at, raw_user_meta_data)
    select gen_random_uuid(), 'crowd_${sql.unsafe(crowd)}_' || n || '@example.test', now(),
      jsonb_build_object('username', ${`c${crowd}_`}::text || n,
        'full_name', ${`Crowd ${crowd} `}::text || lpad(n::text, 2, '0'),
        'phone_number', '+1 555 0100 200', 'adult_confirmed', true)
    from generate_series(1, 60) n`
  await sql`
    update public.profiles set created_at = now() + (split_part(username, '_', 2) || ' ms')::interval
    where username like ${`c${crowd}\\_%`}`
  await sql`update public.profiles set visibility = 'followers' where username = ${`c${crowd}_1`}`
})

test.afterAll(async () => {
  await sql`delete from auth.users where email like ${`crowd\\_${crowd}\\_%`}`
})

test('Top Users go on and keep their place, and following rolls back when it fails', async ({ browser }) => {
  const eva = await arrive(browser, 'Eva Lindt')
  const { page } = eva
  const cards = page.getByRole('main').getByRole('article')
  const card = (number: number) => page.getByRole('article', { name: nameOf(number) })

  await test.step('Six skeletons stand in, and a failure is told in place', async () => {
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(
      '**/api/users?limit=50',
      async (route) => {
        await held
        await route.abort()
      },
      { times: 1 },
    )
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Top Users' }).click()
    await expect(page.getByRole('main').getByRole('status').locator('li')).toHaveCount(6)
    answer()
    await expect(page.getByText('The people did not load.')).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(cards).toHaveCount(50)
    await expect(page.getByRole('article', { name: 'Eva Lindt' })).toHaveCount(0)
  })

  await test.step('More come near the end, by keyboard too where a page failed', async () => {
    await page.route('**/api/users?*cursor=*', (route) => route.abort(), { times: 1 })
    const again = page.getByRole('button', { name: 'More people did not load. Try again' })
    await goToEnd(page, again)
    await again.focus()
    await page.keyboard.press('Enter')
    await goToEnd(page, card(60))
  })

  await test.step('Her place is kept while she looks at somebody', async () => {
    const link = card(58).getByRole('link')
    // A click would bring into sight what is not, and so leave the place that is to be kept.
    await link.scrollIntoViewIfNeeded()
    const before = await restingPlace(page)
    await link.click()
    await expect(page.getByRole('heading', { name: nameOf(58) })).toBeVisible()
    await page.goBack()
    await expect(card(58)).toBeInViewport()
    expect(Math.abs((await restingPlace(page)) - before)).toBeLessThan(50)
  })

  await test.step('She follows: at once, back again when it fails, by request where it is asked', async () => {
    const follow = card(57).getByRole('button')
    await expect(follow).toHaveText('+ Add Friend')
    let fail = () => {}
    const held = new Promise<void>((resolve) => {
      fail = resolve
    })
    await page.route(
      '**/follow',
      async (route) => {
        await held
        await route.fulfill({ status: 500, body: '' })
      },
      { times: 1 },
    )
    await follow.click()
    await expect(follow).toHaveText('Following')
    fail()
    await expect(page.getByText('Failed to update follow', { exact: true })).toBeVisible()
    await expect(follow).toHaveText('+ Add Friend')
    await follow.click()
    await expect(page.getByText(told('You are now following'))).toBeVisible()
    await card(1).getByRole('button').click()
    await expect(card(1).getByRole('button')).toHaveText('Requested')
  })

  await test.step('Whom she unfollows on her own list stays there until she leaves', async () => {
    await page.goto('/following')
    await expect(cards).toHaveCount(1)
    const toggle = card(57).getByRole('button')
    await toggle.click()
    await expect(toggle).toHaveText('Follow')
    await toggle.click()
    await expect(toggle).toHaveText('Following')
    await expect(page.getByText(told('You are now following'))).toBeVisible()
    await toggle.click()
    await expect(page.getByText(told('You no longer follow'))).toBeVisible()
    await expect(cards).toHaveCount(1)
    const sidebar = page.getByRole('navigation', { name: 'Main' })
    await sidebar.getByRole('link', { name: 'Saved' }).click()
    await sidebar.getByRole('link', { name: 'Following' }).click()
    await expect(page.getByText("You're not following anyone yet")).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('People who were found can be followed, and are counted honestly', async () => {
    await page.goto(`/search?q=${eva.who.username}`)
    await expect(page.getByText('Found 1 user', { exact: true })).toBeVisible()
    await expect(page.getByRole('main').getByRole('button', { name: /^Follow/ })).toHaveCount(0)
    await page.goto(`/search?q=${crowd}`)
    await expect(page.getByText('Found 50+ users')).toBeVisible()
    const found = page.getByText('Found 60 users')
    await expect(async () => {
      await page.keyboard.press('End')
      await expect(found).toBeVisible({ timeout: 500 })
    }).toPass()
    expect(await overhang(found)).toBeLessThanOrEqual(0)
    const follow = page.getByRole('button', { name: `Follow: ${nameOf(60)}` })
    await page.route('**/follow', (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })
    await follow.click()
    await expect(page.getByText('Failed to update follow', { exact: true })).toBeVisible()
    await expect(follow).toBeVisible()
    await follow.click()
    await expect(page.getByRole('button', { name: `Following: ${nameOf(60)}` })).toBeVisible()
  })
  await forget(eva)
})

test('posts are saved, listed and let go again', async ({ browser }) => {
  const ivo = await arrive(browser, 'Ivo Sander')
  const { page } = ivo
  const articles = page.getByRole('main').getByRole('article')
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  await sidebar.getByRole('link', { name: 'Saved' }).click()
  await expect(page.getByText('No saved posts yet')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Explore Posts' }).click()
  await expect(page).toHaveURL('/discover')

  const save = articles.first().getByRole('button', { name: 'Save' })
  await page.route('**/save', (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })
  await save.click()
  await expect(page.getByText('Failed to save post')).toBeVisible()
  await expect(save).toHaveAttribute('aria-pressed', 'false')
  const saved = page.waitForResponse((response) => response.url().endsWith('/save'))
  await save.click()
  await expect(save).toHaveAttribute('aria-pressed', 'true')
  await saved
  await expect(save).toHaveAccessibleName('Saved')
  await sidebar.getByRole('link', { name: 'Saved' }).click()
  await expect(articles).toHaveCount(1)
  await expect(save).toHaveAttribute('aria-pressed', 'true')
  await save.click()
  await expect(save).toHaveAttribute('aria-pressed', 'false')
  await expect(articles).toHaveCount(1)
  await sidebar.getByRole('link', { name: 'Discover' }).click()
  await sidebar.getByRole('link', { name: 'Saved' }).click()
  await expect(page.getByText('No saved posts yet')).toBeVisible()

  // The oldest are the demo's: what other journeys post may be gone at any moment.
  await sql`
    insert into public.saves (user_id, post_id)
    select (select id from public.profiles where username = ${ivo.who.username}), p.id
    from public.posts p join public.profiles a on a.id = p.author_id where a.visibility = 'public'
    order by p.created_at limit 12`
  await page.reload()
  await expect(articles).toHaveCount(10)
  await page.getByRole('button', { name: 'Load More Saved Posts' }).click()
  await expect(articles).toHaveCount(12)
  await expect(page.getByText("You've reached the end!")).toBeVisible()
  await forget(ivo)
})

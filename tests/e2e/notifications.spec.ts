import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './axe.ts'
import { arrive, enter, forget, sql, watchErrors } from './support.ts'

const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })
const rows = (page: Page) => panel(page).getByRole('listitem')
const unread = (page: Page) => rows(page).filter({ hasText: 'Unread' })

/** Looks away from the page; answers how to ask what the browser was told to show from then on. */
async function watchNotifications(page: Page): Promise<() => Promise<string[]>> {
  const shown = await page.evaluateHandle(() => {
    const all: string[] = []
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
    window.Notification = class extends Notification {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options)
        all.push(`${title}: ${options?.body}`)
      }
    }
    return all
  })
  return () => shown.jsonValue()
}

test('news comes live, in groups and by pages, is read on every device, and settings are kept as chosen', async ({
  browser,
}) => {
  const mira = await arrive(browser, 'Mira Sole')
  const { page } = mira
  const watched = watchErrors(page)
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } })
  await enter(phone, mira.who)
  const other = await phone.newPage()
  await other.goto('/settings?tab=privacy')

  const [me] = await sql<
    { id: string }[]
  >`select id from public.profiles where username = ${mira.who.username}`
  const id = me?.id ?? ''
  const people = await sql<{ id: string; name: string }[]>`
    select p.id, coalesce(nullif(concat_ws(' ', p.first_name, p.last_name), ''), p.full_name) as name
    from public.profiles p where p.id <> ${id} and not p.is_admin order by p.created_at limit 4`
  const created = await page.request.post('/api/posts', { data: { content: 'A song before breakfast' } })
  const post: string = (await created.json()).id
  const notify = (kind: string, person = 0, about: string | null = null) =>
    sql`select private.notify_person(${id}, ${people[person]?.id ?? null}, ${kind}, ${about})`

  await test.step('What comes while the list is open appears there, several as one', async () => {
    await bell(page).click()
    await expect(panel(page).getByText('No notifications yet')).toBeVisible()
    await notify('follow')
    await expect(rows(page)).toHaveCount(1)
    for (const person of [0, 1, 2, 3]) await notify('like', person, post)
    const liked = panel(page).getByText(`${people[3]?.name} and 3 others liked your post.`)
    await expect(liked).toBeVisible()
    await expect(rows(page).first().getByText('+3')).toBeVisible()
    await expect(bell(other)).toHaveAccessibleName('Notifications, 2 unread')
  })

  await test.step('Following one leads to its place and reads it on every device', async () => {
    await bell(other).click()
    await expect(unread(other)).toHaveCount(2)
    await rows(page).first().getByRole('link').click()
    await expect(page).toHaveURL(`/post/${post}`)
    await expect(panel(page)).toHaveCount(0)
    await expect(unread(other)).toHaveCount(1)
    await expect(bell(other)).toHaveAccessibleName('Notifications, 1 unread')

    const asked: string[] = []
    page.on('request', (request) => request.method() === 'POST' && asked.push(request.url()))
    await bell(page).click()
    await rows(page).first().getByRole('link').click()
    await expect(panel(page)).toHaveCount(0)
    expect(asked).toEqual([])
  })

  await test.step('All at once, taken back where that fails', async () => {
    await bell(page).click()
    await expect(unread(page)).toHaveCount(1)
    await page.route('**/api/notifications/read-all', (route) => route.fulfill({ status: 500, body: '' }), {
      times: 1,
    })
    const all = panel(page).getByRole('button', { name: 'Mark all read' })
    await all.click()
    await expect(page.getByText('Your notifications could not be marked read.')).toBeVisible()
    await expect(unread(page)).toHaveCount(1)
    await all.click()
    await expect(unread(page)).toHaveCount(0)
    await expect(all).toHaveCount(0)
    await expect(panel(page)).toBeFocused()
    await expect(unread(other)).toHaveCount(0)
    await expect(bell(other)).toHaveAccessibleName('Notifications')
    await page.keyboard.press('Escape')
    await expect(bell(page)).toBeFocused()
  })

  await test.step('Older ones come as one scrolls, by keys too, and again after a failure', async () => {
    for (const kind of ['follow_request', 'reply', 'mention', 'unlock']) await notify(kind, 1, post)
    await sql`select private.notify_person(${id}, null, 'sign_in', said => 'Firefox on Windows')`
    await sql`select private.notify_person(${id}, ${people[2]?.id ?? ''}, 'tip') from generate_series(1, 39)`
    for (const person of [0, 1]) await notify('comment', person, post)
    const later = /\/api\/notifications\?.*cursor=/
    await page.route(later, (route) => route.fulfill({ status: 500, body: '' }))
    await page.keyboard.press('Enter')
    await expect(rows(page)).toHaveCount(20)
    await expect(bell(page).getByText('9+')).toBeVisible()
    await rows(page).first().getByRole('link').focus()
    await page.keyboard.press('End')
    await expect(rows(page).last().getByRole('link')).toBeFocused()
    const again = panel(page).getByRole('button', { name: 'Try again' })
    await expect(again).toBeVisible()
    await page.unroute(later)
    await again.click()
    await expect(rows(page)).toHaveCount(40)
    await expect(async () => {
      await rows(page).last().scrollIntoViewIfNeeded()
      await expect(rows(page)).toHaveCount(47, { timeout: 1_000 })
    }).toPass()
    await expect(panel(page).getByText("You've reached the end!")).toBeVisible()
    await expect(panel(page).getByText(/signed in to from Firefox on Windows/)).toBeAttached()
    await expect(panel(page).getByRole('button', { name: 'Accept' })).toBeAttached()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })

  await test.step('Privacy is saved at once, shown on every device, and taken back where that fails', async () => {
    await other.keyboard.press('Escape')
    await page.goto('/settings?tab=privacy')
    const sent: string[] = []
    page.on('request', (one) => one.method() === 'PATCH' && sent.push(one.postData() ?? ''))
    await page.getByRole('radio', { name: 'Private' }).check()
    await expect(page.getByText('Your privacy preferences have been saved.')).toBeVisible()
    expect(sent).toEqual(['{"profileVisibility":"private"}'])
    await expect(other.getByRole('radio', { name: 'Private' })).toBeChecked()

    const patch = '**/api/settings/privacy'
    const typing = page.getByRole('switch', { name: 'Typing' })
    await page.route(patch, (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })
    await typing.click()
    await expect(page.getByText('Failed to update privacy settings. Please try again.')).toBeVisible()
    await expect(typing).toBeChecked()

    // Pressed five times while the first is on its way: the first and the last are sent.
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(patch, async (route) => {
      await held
      await route.continue()
    })
    sent.length = 0
    const counts = page.getByRole('switch', { name: 'Show Follower Count' })
    for (const checked of [false, true, false, true, false]) {
      await counts.click()
      await expect(counts).toBeChecked({ checked })
    }
    answer()
    await expect(other.getByRole('switch', { name: 'Show Follower Count' })).not.toBeChecked()
    await expect.poll(() => sent).toEqual(Array(2).fill('{"showFollowerCount":false}'))
    await expect(counts).not.toBeChecked()
    await page.unroute(patch)
    await expectAccessible(other)
  })

  await test.step('News is chosen one by one; the browser’s own word is shown', async () => {
    await page.getByRole('tab', { name: 'Notifications' }).click()
    await expect(page).toHaveURL('/settings?tab=notifications')
    await other.goto('/notifications')
    const first = other.getByRole('main').getByRole('listitem').first()
    await expect(first).toContainText(`${people[1]?.name} and 1 other commented on your post.`)
    await page.getByRole('switch', { name: 'Group notifications' }).click()
    await expect(page.getByText('Notification Setting Updated')).toBeVisible()
    await expect(first).toContainText(`${people[1]?.name} commented on your post.`)

    await expect(page.getByRole('button', { name: 'Allow in this browser' })).toBeVisible()
    await mira.context.grantPermissions(['notifications'])
    await expect(page.getByText('This browser shows them.')).toBeVisible()
    const shown = await watchNotifications(page)
    await notify('mention', 2, post)
    await expect.poll(shown).toEqual([`New mention: ${people[2]?.name} mentioned you in a post.`])
    await page.getByRole('switch', { name: 'New likes' }).click()
    await expect(page.getByRole('switch', { name: 'New likes' })).not.toBeChecked()
    await page.getByRole('tab', { name: 'Security' }).click()
    await page.getByRole('switch', { name: 'Tell me of new sign-ins' }).click()
    await expect(page.getByText('Security Setting Updated')).toBeVisible()
    await other.goto('/settings?tab=notifications')
    await expect(other.getByRole('switch', { name: 'New likes' })).not.toBeChecked()
    const wider = await other.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(wider).toBe(0)
    await expectAccessible(other)
  })

  // Those that were failed on purpose.
  expect(watched.errors.filter((text) => !text.includes('500'))).toEqual([])
  await phone.close()
  await forget(mira)
})

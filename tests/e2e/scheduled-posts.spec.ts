import { expect, type Request, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { drawGradientPng, pngFile } from './support/files.ts'
import { horizontalOverflow, phoneViewport, postWithText } from './support/page.ts'
import { dropResponse, failNextRequest } from './support/requests.ts'
import { createSignedInUser, deleteUser, promoteToCreator, sql } from './support/users.ts'

test('A creator schedules posts, edits them, and sees them published', async ({ browser }) => {
  const cleo = await createSignedInUser(browser, 'Cleo Later')
  await promoteToCreator(cleo)
  const page = await cleo.context.newPage()
  const composer = page.getByRole('form', { name: 'New post' })
  const text = composer.getByRole('textbox', { name: "What's on your mind?" })
  const clock = composer.getByRole('button', { name: /^(Choose|Change) publishing time/ })
  const submit = composer.locator('button[type=submit]')
  const picker = page.getByRole('dialog', { name: 'Schedule post' })
  const time = composer.getByRole('group', { name: 'Publishing time' })
  const rows = page.getByRole('main').getByRole('listitem')
  const countStored = async () =>
    (await sql`select from public.scheduled_posts where author_id = ${cleo.id}`).length
  const makePostsDue = () =>
    sql`update public.scheduled_posts set publish_at = now() - interval '1 minute' where author_id = ${cleo.id}`
  const firstText = `First of ${cleo.account.username}`
  const secondText = `Second of ${cleo.account.username}`

  await test.step('offers times, and says when the post will be published', async () => {
    await page.goto('/')
    await text.fill(firstText)
    await expect(submit).toHaveText('Post')
    await clock.click()
    await expect(picker.getByRole('button', { name: 'Tomorrow morning' })).toBeVisible()
    await expectAccessible(page)
    await picker.getByLabel('Date').fill('2020-01-01')
    await picker.getByRole('button', { name: 'Set time' }).click()
    await expect(picker.getByText('Choose a time at least 5 minutes from now.')).toBeVisible()
    await expect(picker.getByLabel('Date')).toBeFocused()
    await picker.getByRole('button', { name: 'Tomorrow evening' }).click()
    await expect(picker).toHaveCount(0)
    await expect(time).toContainText(/Publishes .* 6:00 PM/)
    await expect(clock).toHaveAccessibleName(/^Change publishing time, .* 6:00 PM$/)
    await expect(composer.getByRole('status').filter({ hasText: /Publishes .* 6:00 PM/ })).toHaveCount(1)
    await expect(submit).toHaveText('Schedule')
    await time.getByRole('button', { name: "Don't schedule" }).click()
    await expect(submit).toHaveText('Post')
    await expect(text).toBeFocused()
    await clock.click()
    await picker.getByRole('button', { name: 'Tomorrow morning' }).click()
    // The time is part of the draft. If the code that shows it cannot be loaded, the rest of the page still works.
    await page.route('**/assets/scheduling-*.js', (route) => route.abort())
    await page.reload()
    await expect(composer.getByRole('alert')).toContainText("Couldn't load this")
    await page.unroute('**/assets/scheduling-*.js')
    await page.reload()
    await expect(time).toContainText(/9:00 AM/)
  })

  await test.step('rejects a draft whose time has passed, without a request', async () => {
    await page.evaluate((key) => {
      const draft = JSON.parse(localStorage.getItem(key) ?? '')
      const publishAt = new Date(Date.now() - 60_000).toISOString()
      localStorage.setItem(key, JSON.stringify({ ...draft, publishAt }))
    }, `ovation:${cleo.id}:draft:post`)
    await page.reload()
    await expect(time).toContainText(/ is too soon. Choose a later time.$/)
    const requests: string[] = []
    const record = (request: Request) => request.method() === 'POST' && requests.push(request.url())
    page.on('request', record)
    await submit.click()
    await expect(page.getByRole('alert').filter({ hasText: 'is too soon' })).toBeVisible()
    expect(requests.filter((url) => url.endsWith('/api/posts'))).toEqual([])
    page.off('request', record)
    await clock.click()
    await picker.getByRole('button', { name: 'Tomorrow morning' }).click()
  })

  await test.step('schedules the post once, even if the response is lost', async () => {
    await page.route('**/api/posts', dropResponse, { times: 1 })
    await submit.click()
    await expect(page.getByText('Failed to create post. Please try again.')).toBeVisible()
    await expect.poll(countStored).toBe(1)
    await submit.dblclick()
    await expect(page.getByText('Post scheduled')).toBeVisible()
    await expect(text).toHaveValue('')
    expect(await countStored()).toBe(1)
    await expect(postWithText(page, firstText)).toHaveCount(0)
    await page.getByRole('button', { name: 'View' }).click()
    await expect(page).toHaveURL('/scheduled')
    await expect(rows).toHaveCount(1)
    await expect(rows.first()).toContainText(firstText)
  })

  await test.step('lists the posts by time, also on a phone', async () => {
    await page.goto('/')
    await text.fill(secondText)
    await composer
      .locator('input[type=file]')
      .first()
      .setInputFiles(pngFile('dusk.png', await drawGradientPng(page, 20)))
    await composer.getByRole('switch', { name: 'Premium' }).click()
    await clock.click()
    await picker.getByRole('button', { name: 'Monday morning' }).click()
    await submit.click()
    await expect(page.getByText('Post scheduled')).toBeVisible()
    await page.goto('/profile')
    const card = page.getByRole('region', { name: 'Scheduled posts' })
    await expect(card).toContainText('2 scheduled posts')
    await card.getByRole('link', { name: 'View' }).click()
    await expect(rows).toHaveCount(2)
    await expect(rows.first()).toContainText(firstText)
    await expect(rows.last()).toContainText('$10.00')
    await expect(rows.last().getByRole('img')).toBeVisible()
    await expectAccessible(page)
    const { width = 0, height = 0 } = page.viewportSize() ?? {}
    await page.setViewportSize(phoneViewport)
    expect(await horizontalOverflow(page)).toBe(0)
    await page.setViewportSize({ width, height })
  })

  await test.step('edits the time and the text', async () => {
    await rows.last().getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit scheduled post' })
    await expectAccessible(page)
    await dialog.getByRole('textbox', { name: 'Premium text' }).fill(`${secondText}, edited`)
    await page.keyboard.press('Escape')
    // A change that was saved elsewhere in the meantime is kept.
    const [post] = await sql`
      select id from public.scheduled_posts where author_id = ${cleo.id} order by publish_at desc limit 1`
    await cleo.context.request.patch(`/api/posts/scheduled/${post?.id}`, { data: { premiumPrice: 12 } })
    await expect(rows.last()).toContainText('$12.00')
    await rows.last().getByRole('button', { name: 'Edit' }).click()
    await expect(dialog.getByRole('textbox', { name: 'Premium text' })).toHaveValue(`${secondText}, edited`)
    await dialog.getByLabel('Time').fill('07:30')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(rows.last()).toContainText('edited')
    await expect(rows.last()).toContainText('$12.00')
    await expect(rows.last()).toContainText('7:30 AM')
    await expect(rows.last().getByRole('button', { name: 'Edit' })).toBeFocused()
  })

  await test.step('publishes a post now, even if the first response is lost', async () => {
    await page.route('**/publish', dropResponse, { times: 1 })
    await rows.last().getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Publish now' }).click()
    await expect(page.getByText('Post created successfully!')).toBeVisible()
    await expect(rows).toHaveCount(1)
    await page.goto('/')
    await expect(postWithText(page, `${secondText}, edited`)).toBeVisible()
  })

  await test.step('updates open pages when the job publishes a post', async () => {
    const feed = await cleo.context.newPage()
    await feed.goto('/')
    await expect(postWithText(feed, secondText)).toBeVisible()
    await page.goto('/scheduled')
    await expect(rows).toHaveCount(1)
    await rows.first().getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit scheduled post' })
    await dialog.getByRole('textbox', { name: 'Text', exact: true }).fill('Typed too late')
    await makePostsDue()
    // The stack runs the job every minute.
    await expect(postWithText(feed, firstText)).toBeVisible({ timeout: 75_000 })
    await expect(page.getByText('No scheduled posts')).toBeVisible()
    await expect(dialog.getByText('This post has been published.')).toBeVisible()
    await expect(dialog.getByRole('textbox', { name: 'Text', exact: true })).toHaveValue('Typed too late')
    await expect(dialog.getByRole('button', { name: 'Save' })).toHaveCount(0)
    await expectAccessible(page)
    await dialog.getByRole('link', { name: 'View post' }).click()
    await expect(postWithText(page, firstText)).toBeVisible()
    await page.goto('/scheduled')
    await feed.close()
  })

  await test.step('shows why a post was not published, and deletes it', async () => {
    await cleo.context.request.post('/api/posts', {
      data: { content: 'Third', publishAt: new Date(Date.now() + 3_600_000).toISOString() },
    })
    await expect(rows).toHaveCount(1)
    await sql`update public.scheduled_posts set publish_at = now() - interval '2 days', failure = 'account_restricted'
              where author_id = ${cleo.id}`
    await expect(rows.first()).toContainText('Not published')
    await expect(rows.first()).toContainText('Your account was read-only when this post was due.')
    await expectAccessible(page)
    await rows.first().getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('Choose a time at least 5 minutes from now.')).toBeVisible()
    await expect(dialog.getByLabel('Date')).toBeFocused()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await rows.first().getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('No scheduled posts')).toBeVisible()
    expect(await countStored()).toBe(0)
    await failNextRequest(page, '**/api/posts/scheduled')
    await page.reload()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('No scheduled posts')).toBeVisible()
  })

  await deleteUser(cleo)
})

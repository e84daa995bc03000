import { expect, type Page, test } from 'playwright/test'
import { findAxeViolations } from './support/accessibility.ts'
import { publish } from './support/content.ts'
import { bell, horizontalOverflow, phoneViewport, pickFromMenu } from './support/page.ts'
import { createSignedInUser, createUserOnHomeFeed, deleteUser, sql } from './support/users.ts'

/** Shorter than the interval of the `new-posts` job, so that a scheduled run rarely makes a test pass by chance. */
const liveTimeout = { timeout: 20_000 }
const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })

test.describe('New posts', () => {
  test('notify a follower who opted in, live and in one notification', async ({ browser }) => {
    const [fan, noor] = await Promise.all([
      createSignedInUser(browser, 'Fay Moss'),
      createSignedInUser(browser, 'Noor Vale'),
    ])
    await sql`insert into public.posts (author_id, content, created_at)
              values (${noor.id}, 'Before dawn', now() - interval '2 hours')`
    const page = await fan.context.newPage()

    await test.step('offers notifications of new posts to followers and saves the choice', async () => {
      await page.goto(`/profile/${noor.account.username}`)
      const following = page.getByRole('button', { name: 'Following: Noor Vale' })
      await expect(page.getByRole('button', { name: 'Follow Me: Noor Vale' })).toBeVisible()
      await expect(following).toHaveCount(0)
      await page.getByRole('button', { name: 'Follow Me: Noor Vale' }).click()
      await expect(following).toHaveAccessibleDescription('New posts: Off')
      await expect(following).toBeFocused()
      await following.click()
      await page.getByRole('menuitemradio', { name: 'All posts' }).click()
      expect(await findAxeViolations(page)).toEqual([])
      await page.keyboard.press('Escape')
      await expect(following).toHaveAccessibleDescription('New posts: All posts')
      await page.reload()
      await expect(following).toHaveAccessibleDescription('New posts: All posts')
    })

    await test.step('announces posts in one notification, which opens the posts that still exist', async () => {
      // The page has now cached the profile's posts. It must still show newer posts when the notification opens the
      // profile.
      await expect(page.getByText('Before dawn', { exact: true })).toBeVisible()
      await page.getByRole('link', { name: /home/i }).first().click()
      await expect(bell(page)).toBeVisible()
      const first = await publish(noor, { content: 'First light' })
      await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread', liveTimeout)
      await bell(page).click()
      await expect(panel(page).getByText('Noor Vale published a post')).toBeVisible()
      await publish(noor, { content: 'Second cup' })
      const third = await publish(noor, { content: 'Third draft' })
      await expect(panel(page).getByText('Noor Vale published 3 posts')).toBeVisible(liveTimeout)
      await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
      // In a window of this height, the profile's header pushes the posts out of view.
      await page.setViewportSize({ width: 1280, height: 500 })
      await panel(page)
        .getByRole('link', { name: /Noor Vale published 3 posts/ })
        .click()
      await expect(page.getByText('Before dawn', { exact: true })).toBeVisible()
      const newest = page.getByRole('article').first()
      await expect(newest).toContainText('Third draft')
      await expect(newest).toBeInViewport()
      await expect(newest).toBeFocused()
      await bell(page).click()
      await noor.context.request.delete(`/api/posts/${first.id}`)
      await noor.context.request.delete(`/api/posts/${third.id}`)
      await page.keyboard.press('Escape')
      await bell(page).click()
      await panel(page)
        .getByRole('link', { name: /Noor Vale published a post/ })
        .click()
      await expect(page.getByText('Second cup', { exact: true })).toBeVisible()
    })

    await test.step('turns the notifications off when the user unfollows', async () => {
      await page.goto(`/profile/${noor.account.username}`)
      await page.getByRole('button', { name: 'Following: Noor Vale' }).click()
      await pickFromMenu(page, 'Unfollow')
      await expect(page.getByRole('button', { name: 'Follow Me: Noor Vale' })).toBeFocused()
      await expect.poll(() => sql`select from public.post_alerts where user_id = ${fan.id}`).toHaveLength(0)
    })
    await Promise.all([deleteUser(fan), deleteUser(noor)])
  })
})

test.describe('Messages and notifications on a phone', () => {
  test('can be reached by a newcomer', async ({ browser }) => {
    const newcomer = await createUserOnHomeFeed(browser, 'Nell Frost', { viewport: phoneViewport })
    const { page } = newcomer
    const messages = page.getByRole('dialog', { name: 'Messages' })
    await page.getByRole('button', { name: 'Messages', exact: true }).click()
    await expect(messages.getByText('No messages yet')).toBeVisible()
    await expect(messages.getByRole('link', { name: 'See all' })).toBeInViewport()
    await messages.getByRole('link', { name: 'Open messages' }).click()
    await expect(page).toHaveURL('/messages')
    await expect(messages).toHaveCount(0)
    await bell(page).click()
    await expect(panel(page).getByText('No notifications yet')).toBeVisible()
    await panel(page).getByRole('link', { name: 'See all' }).click()
    await expect(page).toHaveURL('/notifications')
    await expect(panel(page)).toHaveCount(0)
    // The link stays visible below a long list.
    await sql`select private.create_notification(${newcomer.id}, null, 'admin', detail => 'News ' || n)
              from generate_series(1, 15) n`
    await bell(page).click()
    await expect(panel(page).getByText('News 15')).toBeVisible()
    await expect(panel(page).getByRole('link', { name: 'See all' })).toBeInViewport({ ratio: 1 })
    expect(await horizontalOverflow(page)).toBe(0)
    await deleteUser(newcomer)
  })
})

test.describe('The unsubscribe page', () => {
  test('turns off emails only after a click on the button, and says when a link does not work', async ({
    page,
    browser,
  }) => {
    const fan = await createSignedInUser(browser, 'Una Bell')
    const [row] = await sql<
      { token: string }[]
    >`select private.unsubscribe_token(${fan.id}, 'activity') as token`
    const isSubscribed = async () =>
      (await sql`select activity_mails as on from public.user_settings where user_id = ${fan.id}`)[0]?.on
    // An email client that does not support one-click unsubscribing opens the URL of the `List-Unsubscribe` header in
    // a browser, here without a session.
    await page.goto(`/api/unsubscribe?token=${row?.token}`)
    await expect(page.getByRole('heading', { name: 'Unsubscribe from emails?' })).toBeVisible()
    await expect(page).toHaveURL('/unsubscribe')
    expect(await isSubscribed()).toBe(true)
    expect(await findAxeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await expect(page.getByRole('heading', { name: "You're unsubscribed" })).toBeVisible()
    expect(await isSubscribed()).toBe(false)
    await expect(page.locator('body')).not.toContainText(fan.account.email)
    await page.goto('/unsubscribe?token=wrong')
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await expect(page.getByRole('heading', { name: "This link doesn't work" })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', /next=/)
    await deleteUser(fan)
  })
})

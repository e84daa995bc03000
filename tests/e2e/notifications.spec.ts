import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { publish } from './support/content.ts'
import { bell, collectPageErrors, horizontalOverflow, phoneViewport, settingsTopic } from './support/page.ts'
import { createGate, failNextRequest } from './support/requests.ts'
import { createUserOnHomeFeed, deleteUser, signInContext, sql } from './support/users.ts'

const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })
const rows = (page: Page) => panel(page).getByRole('listitem')
const unreadRows = (page: Page) => rows(page).filter({ hasText: 'Unread' })

/** Simulates a hidden page. Returns a function that lists the browser notifications shown since this call. */
async function recordBrowserNotifications(page: Page): Promise<() => Promise<string[]>> {
  const shown = await page.evaluateHandle(() => {
    const texts: string[] = []
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
    window.Notification = class extends Notification {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options)
        texts.push(`${title}: ${options?.body}`)
      }
    }
    return texts
  })
  return () => shown.jsonValue()
}

test.describe('Notifications', () => {
  test('shows notifications live, grouped and in pages, marks them read everywhere and applies the settings', async ({
    browser,
  }) => {
    const mira = await createUserOnHomeFeed(browser, 'Mira Sole')
    const { page } = mira
    const collected = collectPageErrors(page)
    const phone = await browser.newContext({ viewport: phoneViewport })
    await signInContext(phone, mira.account)
    const phonePage = await phone.newPage()
    await phonePage.goto('/settings')

    const actors = await sql<{ id: string; name: string }[]>`
      select p.id, coalesce(nullif(concat_ws(' ', p.first_name, p.last_name), ''), p.full_name) as name
      from public.profiles p where p.id <> ${mira.id} and not p.is_admin order by p.created_at limit 4`
    const { id: postId } = await publish(mira, { content: 'A song before breakfast' })
    /** Creates a notification from a user in `actors`, optionally about a post. `actor` is the index of the user. */
    const notify = (kind: string, actor = 0, subjectId: string | null = null) =>
      sql`select private.create_notification(${mira.id}, ${actors[actor]?.id ?? null}, ${kind}, ${subjectId})`

    await test.step('shows new notifications in the open list and groups similar ones', async () => {
      await bell(page).click()
      await expect(panel(page).getByText('No notifications yet')).toBeVisible()
      await notify('follow')
      await expect(rows(page)).toHaveCount(1)
      for (const actor of [0, 1, 2, 3]) await notify('like', actor, postId)
      const liked = panel(page).getByText(`${actors[3]?.name} and 3 others liked your post`)
      await expect(liked).toBeVisible()
      await expect(panel(page).getByRole('heading')).toHaveText(['Today'])
      // The row shows the avatars of the latest four users.
      await expect(rows(page).first().locator('[data-face]')).toHaveCount(4)
      await expect(rows(page).first().getByText('A song before breakfast')).toBeVisible()
      const follower = rows(page).filter({ hasText: 'started following you' })
      // The times are aligned, whether or not a button follows.
      const times = await rows(page).locator('time').all()
      const starts = await Promise.all(times.map(async (time) => (await time.boundingBox())?.x))
      expect(starts[0]).toBeGreaterThan(0)
      expect(starts).toEqual([starts[0], starts[0]])
      await follower.getByRole('button', { name: /^Follow back: / }).click()
      await expect(follower.getByRole('button', { name: /^Following: .*\. Unfollow$/ })).toBeVisible()
      await expect(bell(phonePage)).toHaveAccessibleName('Notifications, 2 unread')
    })

    await test.step('opens a notification’s target and marks the notification read on every device', async () => {
      await bell(phonePage).click()
      await expect(unreadRows(phonePage)).toHaveCount(2)
      await rows(page).first().getByRole('link').click()
      await expect(page).toHaveURL(`/post/${postId}`)
      await expect(panel(page)).toHaveCount(0)
      await expect(unreadRows(phonePage)).toHaveCount(1)
      await expect(bell(phonePage)).toHaveAccessibleName('Notifications, 1 unread')

      const markReadRequests: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/api/notifications/') && request.method() === 'POST')
          markReadRequests.push(request.url())
      })
      await bell(page).click()
      await expect(panel(page).getByRole('heading')).toHaveText(['Today'])
      // The notification that was read stays first.
      await rows(page).first().getByRole('link').click()
      await expect(panel(page)).toHaveCount(0)
      expect(markReadRequests).toEqual([])
    })

    await test.step('marks all notifications read, and reverts the change if the request fails', async () => {
      await bell(page).click()
      await expect(unreadRows(page)).toHaveCount(1)
      await failNextRequest(page, '**/api/notifications/read-all')
      const markAllRead = panel(page).getByRole('button', { name: 'Mark all read' })
      await markAllRead.click()
      await expect(page.getByText("Couldn't mark all notifications as read. Try again.")).toBeVisible()
      await expect(unreadRows(page)).toHaveCount(1)
      await markAllRead.click()
      await expect(unreadRows(page)).toHaveCount(0)
      await expect(markAllRead).toHaveCount(0)
      await expect(panel(page)).toBeFocused()
      await expect(unreadRows(phonePage)).toHaveCount(0)
      await expect(bell(phonePage)).toHaveAccessibleName('Notifications')
      await page.keyboard.press('Escape')
      await expect(bell(page)).toBeFocused()
    })

    await test.step('loads older notifications by scrolling and by keyboard, and offers a retry after a failure', async () => {
      for (const kind of ['follow_request', 'reply', 'mention', 'unlock']) await notify(kind, 1, postId)
      await sql`select private.create_notification(${mira.id}, null, 'sign_in', detail => 'Firefox on Windows')`
      await sql`select private.create_notification(${mira.id}, ${actors[2]?.id ?? ''}, 'tip') from generate_series(1, 39)`
      for (const actor of [0, 1]) await notify('comment', actor, postId)
      const nextPageUrl = /\/api\/notifications\?.*cursor=/
      await page.route(nextPageUrl, (route) => route.fulfill({ status: 500, body: '' }))
      await page.keyboard.press('Enter')
      await expect(rows(page)).toHaveCount(20)
      await expect(bell(page).getByText('9+')).toBeVisible()
      await rows(page).first().getByRole('link').focus()
      await page.keyboard.press('End')
      await expect(rows(page).last().getByRole('link')).toBeFocused()
      const retry = panel(page).getByRole('button', { name: 'Try again' })
      await expect(retry).toBeVisible()
      await page.unroute(nextPageUrl)
      // A live update may refetch the list first, which makes the button disappear.
      await retry.click({ timeout: 5_000 }).catch(async (error) => {
        if (await retry.isVisible()) throw error
      })
      await expect(rows(page)).toHaveCount(40)
      await expect(async () => {
        await rows(page).last().scrollIntoViewIfNeeded()
        await expect(rows(page)).toHaveCount(47, { timeout: 1_000 })
      }).toPass()
      await expect(panel(page).getByText("You've reached the end!")).toBeVisible()
      await expect(panel(page).getByText(/sign-in to your account from Firefox on Windows/)).toBeAttached()
      await expect(panel(page).getByRole('button', { name: 'Accept' })).toBeAttached()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
    })

    await test.step('filters the notifications, and keeps the filter in the URL and during live updates', async () => {
      await page.goto('/notifications')
      const filters = page.getByRole('group', { name: 'Filter notifications' })
      const listed = page.getByRole('main').getByRole('listitem')
      const chip = (name: string) =>
        filters.getByRole('button', { name: new RegExp(`^${name}( \\d+ unread)?$`) })
      await expect(chip('Mentions')).toHaveAccessibleName('Mentions 1 unread')
      await expect(chip('Likes')).toHaveAccessibleName('Likes')
      await expect(chip('All')).toHaveAttribute('aria-pressed', 'true')
      // Only creators receive payments.
      await expect(chip('Payments')).toHaveCount(0)
      await chip('Mentions').focus()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL('/notifications?filter=mentions')
      await expect(chip('Mentions')).toBeFocused()
      await expect(listed).toHaveCount(1)
      await expect(listed).toContainText('mentioned you in a post')
      await chip('Comments').click()
      await expect(listed).toHaveCount(2)
      await notify('reply', 3, postId)
      await expect(listed).toHaveCount(3)
      // The counts are those of the moment when the page was opened.
      await expect(chip('Comments')).toHaveAccessibleName('Comments 2 unread')
      await notify('mention', 3, postId)
      await page.reload()
      await expect(chip('Comments')).toHaveAttribute('aria-pressed', 'true')
      await expect(listed).toHaveCount(3)
      await expect(listed.filter({ hasText: 'mentioned' })).toHaveCount(0)
      await expect(chip('Comments')).toHaveAccessibleName('Comments 3 unread')
      await expectAccessible(page)
      await sql`delete from public.notifications where user_id = ${mira.id} and kind in ('reply', 'mention')`
      await page.goto('/notifications?filter=mentions')
      await expect(page.getByRole('status').filter({ hasText: 'No mentions yet' })).toBeVisible()
      await phonePage.goto('/notifications?filter=payments')
      await expect(
        phonePage
          .getByRole('group', { name: 'Filter notifications' })
          .getByRole('button', { name: 'Payments' }),
      ).toBeInViewport()
      expect(await horizontalOverflow(phonePage)).toBe(0)
    })

    await test.step('likes a comment and replies to it, and keeps the reply when sending fails', async () => {
      const [comment] = await sql<{ id: string }[]>`
        insert into public.comments (post_id, author_id, content)
        values (${postId}, ${actors[0]?.id ?? ''}, 'Which song?') returning id`
      await page.goto('/notifications')
      const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Which song?' })
      await expect(row).toContainText('Unread')
      const heart = row.getByRole('button', { name: /^Like the comment/ })
      await heart.click()
      await expect(heart).toHaveAccessibleName(/1 like$/)
      await expect(row).not.toContainText('Unread')
      const replyButton = row.getByRole('button', { name: 'Reply', exact: true })
      await replyButton.click()
      const field = row.getByRole('textbox')
      await expect(field).toBeFocused()
      await page.keyboard.type('The blackbird’s')
      // The arrow keys do not move to another notification.
      await page.keyboard.press('ArrowDown')
      await failNextRequest(page, '**/comments')
      await field.press('Enter')
      await expect(page.getByText('Failed to post comment. Please try again.')).toBeVisible()
      await expect(field).toHaveValue('The blackbird’s')
      await expectAccessible(page)
      await row.getByRole('button', { name: 'Reply', exact: true }).last().dblclick()
      await expect(row.getByRole('status')).toHaveText('Reply sent · View')
      await expect(replyButton).toBeFocused()
      const replies =
        await sql`select content from public.comments where parent_comment_id = ${comment?.id ?? ''}`
      expect(replies.map(({ content }) => content)).toEqual(['The blackbird’s'])
      await page.reload()
      await expect(heart).toHaveAttribute('aria-pressed', 'true')
      await row.getByRole('link').first().focus()
      await page.keyboard.press('ArrowDown')
      await expect(row.getByRole('link')).not.toBeFocused()
      await page.goto('/saved')
      await bell(page).click()
      const popoverRow = panel(page).getByRole('listitem').filter({ hasText: 'Which song?' })
      await popoverRow.getByRole('button', { name: 'Reply', exact: true }).click()
      await popoverRow.getByRole('textbox').fill('And the wren’s')
      await page.keyboard.press('Escape')
      await expect(popoverRow.getByRole('textbox')).toHaveCount(0)
      await expect(panel(page)).toBeVisible()
      await popoverRow.getByRole('button', { name: 'Reply', exact: true }).click()
      await expect(popoverRow.getByRole('textbox')).toHaveValue('And the wren’s')
      await popoverRow.getByRole('textbox').press('Enter')
      await popoverRow.getByRole('link', { name: 'View' }).click()
      await expect(page).toHaveURL(/\/post\//)
      await expect(panel(page)).toBeHidden()
      await expect(page.getByText('And the wren’s')).toBeVisible()
      await page.goto('/settings')
      await sql`delete from public.comments where id = ${comment?.id ?? ''}`
    })

    await test.step('applies privacy settings immediately on every device and reverts failed changes', async () => {
      await phonePage.goto('/settings/privacy')
      await page.goto('/settings/privacy')
      const sentBodies: string[] = []
      page.on(
        'request',
        (request) => request.method() === 'PATCH' && sentBodies.push(request.postData() ?? ''),
      )
      await page.getByRole('radio', { name: 'Private' }).check()
      await expect(page.getByText('Your privacy preferences have been saved.')).toBeVisible()
      expect(sentBodies).toEqual(['{"profileVisibility":"private"}'])
      await expect(phonePage.getByRole('radio', { name: 'Private' })).toBeChecked()

      const privacyUrl = '**/api/settings/privacy'
      const typing = page.getByRole('switch', { name: 'Typing' })
      await failNextRequest(page, privacyUrl)
      await typing.click()
      await expect(page.getByText('Failed to update privacy settings. Please try again.')).toBeVisible()
      await expect(typing).toBeChecked()

      // All five clicks happen while the first request is in flight. Only the first and the last state are sent.
      const gate = createGate()
      await page.route(privacyUrl, async (route) => {
        await gate.opened
        await route.continue()
      })
      sentBodies.length = 0
      const followerCount = page.getByRole('switch', { name: 'Show follower count' })
      for (const checked of [false, true, false, true, false]) {
        await followerCount.click()
        await expect(followerCount).toBeChecked({ checked })
      }
      gate.open()
      await expect(phonePage.getByRole('switch', { name: 'Show follower count' })).not.toBeChecked()
      await expect.poll(() => sentBodies).toEqual(Array(2).fill('{"showFollowerCount":false}'))
      await expect(followerCount).not.toBeChecked()
      await page.unroute(privacyUrl)
      await expectAccessible(phonePage)
    })

    await test.step('applies notification settings and shows the browser’s permission', async () => {
      await settingsTopic(page, 'Notifications').click()
      await expect(page).toHaveURL('/settings/notifications')
      await phonePage.goto('/notifications')
      const rowsAboutComments = phonePage.getByRole('listitem').filter({ hasText: 'commented on your post' })
      await expect(rowsAboutComments.first()).toContainText(
        `${actors[1]?.name} and 1 other commented on your post`,
      )
      await page.getByRole('switch', { name: 'Group similar notifications' }).click()
      await expect(page.getByText('Notification Setting Updated')).toBeVisible()
      await expect(rowsAboutComments.first()).toContainText(`${actors[1]?.name} commented on your post`)

      await expect(page.getByRole('button', { name: 'Allow in this browser' })).toBeVisible()
      await mira.context.grantPermissions(['notifications'])
      await expect(page.getByText('This browser shows notifications.')).toBeVisible()
      const shown = await recordBrowserNotifications(page)
      await notify('mention', 2, postId)
      await expect.poll(shown).toEqual([`New mention: ${actors[2]?.name} mentioned you in a post.`])
      await page.getByRole('switch', { name: 'New likes' }).click()
      await expect(page.getByRole('switch', { name: 'New likes' })).not.toBeChecked()
      await settingsTopic(page, 'Security').click()
      await page.getByRole('switch', { name: 'New sign-ins' }).click()
      await expect(page.getByText('Security Setting Updated')).toBeVisible()
      await phonePage.goto('/settings/notifications')
      await expect(phonePage.getByRole('switch', { name: 'New likes' })).not.toBeChecked()
      expect(await horizontalOverflow(phonePage)).toBe(0)
      await expectAccessible(phonePage)
    })

    // The requests that fail on purpose log a 500.
    expect(collected.errors.filter((text) => !text.includes('500'))).toEqual([])
    await phone.close()
    await deleteUser(mira)
  })
})

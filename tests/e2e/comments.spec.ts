import { expect, type Locator, type Page, test } from 'playwright/test'
import { createPng } from '../support/media-files.ts'
import { expectAccessible } from './support/accessibility.ts'
import { addComment, publish, uploadPicture } from './support/content.ts'
import { pngFile } from './support/files.ts'
import { phoneViewport } from './support/page.ts'
import { createGate, failNextRequest } from './support/requests.ts'
import { recordToasts } from './support/toasts.ts'
import { createSignedInUser, deleteUser, sql } from './support/users.ts'

const commentInput = (page: Page) => page.getByRole('textbox', { name: 'Write a comment' })
const commentWithText = (page: Page, text: string | RegExp) =>
  page.getByRole('listitem').filter({ hasText: text }).first()
/** Returns the top-level comments, not the replies nested in them. */
const topLevelComments = (page: Page) => page.getByRole('list', { name: 'Comments' }).locator('> li')
/** Returns the post's comment button, which shows the number of comments. */
const commentCount = (page: Page) => page.getByRole('button', { name: /^Comment, \d+ comments?$/ })

test.describe('Comments', () => {
  test('posts, replies to, paginates and deletes comments on a post', async ({ browser }) => {
    const [ada, bo] = await Promise.all([
      createSignedInUser(browser, 'Ada Quill'),
      createSignedInUser(browser, 'Bo Reed'),
    ])
    const post = await publish(ada, { content: 'What did you read this week?' })
    const [page, adaPage] = await Promise.all([bo.context.newPage(), ada.context.newPage()])
    /** Inserts comments by Bo that are `from` to `to` hours old. */
    const insertEarlierComments = (from: number, to: number) => sql`
      insert into public.comments (post_id, author_id, content, created_at)
      select ${post.id}, ${bo.id}, 'Earlier ' || n,
             now() - n * interval '1 hour'
      from generate_series(${from}::int, ${to}::int) n`

    await test.step('shows an empty state, and expands the form when it receives the focus', async () => {
      await page.goto(`/post/${post.id}`)
      await expect(page.getByText('No comments yet')).toBeVisible()
      await expect(page.getByText('0/500')).toBeHidden()
      await commentInput(page).focus()
      await expect(page.getByText('0/500')).toBeVisible()
      // The form stays expanded when it loses focus, so that a click elsewhere does not shift the page.
      await commentInput(page).blur()
      await expect(page.getByText('0/500')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeDisabled()
    })

    await test.step('restores the count and the input when posting fails', async () => {
      const gate = createGate()
      await page.route(
        '**/comments',
        async (route) => {
          await gate.opened
          await route.abort()
        },
        { times: 1 },
      )
      await commentInput(page).fill('  All of #Middlemarch, see https://example.com/m  ')
      await commentInput(page).press('Enter')
      await expect(commentCount(page)).toHaveAccessibleName('Comment, 1 comment')
      gate.open()
      await expect(page.getByText('Failed to post comment. Please try again.')).toBeVisible()
      await expect(commentCount(page)).toHaveAccessibleName('Comment, 0 comments')
      await expect(commentInput(page)).toHaveValue('  All of #Middlemarch, see https://example.com/m  ')
    })

    await test.step('shares the draft between tabs', async () => {
      const tab = await bo.context.newPage()
      await tab.goto(`/post/${post.id}`)
      await expect(commentInput(tab)).toHaveValue(/Middlemarch/)
      await commentInput(tab).fill('All of #Middlemarch, twice, see https://example.com/m')
      await expect(commentInput(page)).toHaveValue(/twice/)
      await tab.close()
    })

    await test.step('stores one comment after a double-click, inserts a line break on Shift+Enter and limits the length', async () => {
      await page.getByRole('button', { name: 'Comment', exact: true }).dblclick()
      await expect(page.getByText('Comment added')).toBeVisible()
      await expect(commentInput(page)).toHaveValue('')
      await expect(commentCount(page)).toHaveAccessibleName('Comment, 1 comment')
      const row = commentWithText(page, 'Middlemarch')
      await expect(row.getByRole('link', { name: '#Middlemarch' })).toHaveAttribute(
        'href',
        '/topic/middlemarch',
      )
      await expect(row.getByText('Just now')).toBeVisible()
      const stored = await sql`select from public.comments where post_id = ${post.id}`
      expect(stored.count).toBe(1)
      await commentInput(page).pressSequentially('One')
      await commentInput(page).press('Shift+Enter')
      await expect(commentInput(page)).toHaveValue('One\n')
      await commentInput(page).fill('x'.repeat(501))
      await expect(page.getByText('501/500')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeDisabled()
      await commentInput(page).fill('')
    })

    await test.step('opens one reply box at a time, and shows one reply until asked for more', async () => {
      await insertEarlierComments(1, 1)
      await adaPage.goto(`/profile/${ada.account.username}`)
      const toggle = commentCount(adaPage)
      await expect(toggle).toHaveAccessibleName('Comment, 2 comments')
      await toggle.click()
      await expect(toggle).toHaveAttribute('aria-expanded', 'true')
      await expect(topLevelComments(adaPage).nth(1)).toContainText('1h ago')

      await commentWithText(adaPage, 'Earlier 1').getByRole('button', { name: 'Reply', exact: true }).click()
      await commentWithText(adaPage, 'Middlemarch')
        .getByRole('button', { name: 'Reply', exact: true })
        .click()
      const reply = adaPage.getByRole('textbox', { name: 'Reply to Bo Reed' })
      await expect(reply).toHaveCount(1)
      await expect(reply).toBeFocused()
      await reply.fill('All of it? In a week?')
      await reply.press('Enter')
      const commentAndReplies = commentWithText(adaPage, 'Middlemarch')
      await expect(commentAndReplies.getByText('All of it? In a week?')).toBeVisible()
      await expect(toggle).toHaveAccessibleName('Comment, 3 comments')
      await expect(reply).toHaveCount(0)
      await expect(
        commentAndReplies.getByRole('button', { name: 'Reply', exact: true }).first(),
      ).toBeFocused()
      await expect(commentAndReplies.getByRole('button', { name: 'Hide replies' })).toHaveCount(0)
      await sql`
        insert into public.comments (post_id, author_id, content, parent_comment_id)
        select post_id, author_id, 'In a weekend', id from public.comments
        where post_id = ${post.id} and content like '%Middlemarch%' and parent_comment_id is null`
      await adaPage.reload()
      await toggle.click()
      await expect(commentAndReplies.getByText('All of it? In a week?')).toBeVisible()
      await commentAndReplies.getByRole('button', { name: 'View 1 more reply' }).click()
      await expect(commentAndReplies.getByText('In a weekend')).toBeVisible()
      await commentAndReplies.getByRole('button', { name: 'Hide replies' }).click()
      await expect(commentAndReplies.getByText('In a weekend')).toBeHidden()
      await expect(commentAndReplies.getByText('All of it? In a week?')).toBeVisible()
      await expectAccessible(adaPage)
    })

    await test.step('answers a reply in the same thread, and mentions its author', async () => {
      const replies = commentWithText(adaPage, 'Middlemarch').getByRole('listitem')
      await commentWithText(adaPage, 'Middlemarch').getByRole('button', { name: 'View 1 more reply' }).click()
      await replies
        .filter({ hasText: 'In a weekend' })
        .getByRole('button', { name: 'Reply', exact: true })
        .click()
      const reply = adaPage.getByRole('textbox', { name: 'Reply to Bo Reed' })
      await expect(reply).toBeFocused()
      await expect(reply).toHaveValue(`@${bo.account.username} `)
      await reply.press('Enter')
      await expect(reply).toBeFocused()
      await adaPage.keyboard.type('impressive')
      await reply.press('Enter')
      await expect(replies).toHaveCount(3)
      await expect(replies.nth(2)).toContainText(`@${bo.account.username} impressive`)
      await expect(replies.nth(1).getByRole('button', { name: 'Reply', exact: true })).toBeFocused()
    })

    await test.step('likes a comment, and removes the like when the request fails', async () => {
      const heart = commentWithText(adaPage, 'Middlemarch').getByRole('button', {
        name: /^Like the comment by Bo Reed/,
      })
      await failNextRequest(adaPage, '**/api/comments/*/like')
      await heart.click()
      await expect(adaPage.getByText('Failed to update like')).toBeVisible()
      await expect(heart).toHaveAttribute('aria-pressed', 'false')
      await heart.click()
      await expect(heart).toHaveAccessibleName('Like the comment by Bo Reed, 1 like')
      await expect(heart).toHaveAttribute('aria-pressed', 'true')
      // The page shows the like before the server has stored it.
      const readNotifications = async () => (await bo.context.request.get('/api/notifications')).text()
      await expect.poll(readNotifications).toContain('liked your comment.')
    })

    await test.step('paginates comments and scrolls to the comment in the URL', async () => {
      await insertEarlierComments(2, 21)
      const [target] = await sql<{ id: string }[]>`
        select id from public.comments where post_id = ${post.id} and content = 'Earlier 19'`
      await page.goto(`/post/${post.id}#comment-${target?.id}`)
      await page.reload()
      const row = commentWithText(page, 'Earlier 19')
      await expect(row).toHaveAttribute('aria-current', 'true')
      await expect(row).toBeInViewport()
      await expect(page.getByRole('main').getByRole('region', { name: 'Comments' })).toBeVisible()
      await expect(page.getByRole('complementary').getByRole('region', { name: 'Ada Quill' })).toBeVisible()
      await expect(topLevelComments(page)).toHaveCount(20)
      await page.getByRole('button', { name: 'Show more comments' }).click()
      await expect(topLevelComments(page)).toHaveCount(22)
      const last = commentWithText(page, 'Earlier 21')
      await last.getByRole('link', { name: 'Bo Reed' }).first().click()
      await expect(page).toHaveURL(/\/profile/)
      await page.goBack()
      await expect(last).toBeInViewport()
      const reply = commentWithText(page, 'Middlemarch').getByRole('listitem')
      await expect(reply).toContainText('Ada Quill')
      await expect(reply.getByRole('button', { name: 'Delete' })).toHaveCount(0)
    })

    await test.step('lists the most liked comments first, and the newest first again after a comment is posted', async () => {
      await sql`
        update public.comments set likes_count = 2 where post_id = ${post.id} and content = 'Earlier 19'`
      const order = page.getByRole('group', { name: 'Sort comments' })
      await order.getByRole('button', { name: 'Top' }).click()
      await expect(topLevelComments(page).nth(0)).toContainText('Earlier 19')
      await expect(topLevelComments(page).nth(1)).toContainText('Middlemarch')
      await page.reload()
      await expect(topLevelComments(page).nth(0)).toContainText('Middlemarch')
      await order.getByRole('button', { name: 'Top' }).click()
      await commentInput(page).fill('And poems')
      await commentInput(page).press('Enter')
      await expect(topLevelComments(page).nth(0)).toContainText('And poems')
      await expect(order.getByRole('button', { name: 'Newest' })).toHaveAttribute('aria-pressed', 'true')
      await expect(commentInput(page)).toBeFocused()
    })

    await test.step('keeps the reply form open when its comment is no longer among the most liked ones', async () => {
      const order = page.getByRole('group', { name: 'Sort comments' })
      // A toast stays as long as the pointer is on it.
      await page.mouse.move(0, 0)
      await order.getByRole('button', { name: 'Top' }).click()
      await expect(topLevelComments(page).nth(0)).toContainText('Earlier 19')
      const target = commentWithText(page, 'Middlemarch')
      await target.getByRole('button', { name: 'Reply', exact: true }).first().click()
      const reply = page.getByRole('textbox', { name: /^Reply to / })
      await reply.fill('Not finished')
      await sql`
        update public.comments set likes_count = 5
        where post_id = ${post.id} and parent_comment_id is null and content not like '%Middlemarch%'`
      const refetched = page.waitForResponse((response) => response.url().includes('sort=top'))
      await addComment(ada, post.id, 'Meanwhile')
      await refetched
      await expect(target.first()).toBeVisible()
      await expect(topLevelComments(page).nth(0)).toContainText('Earlier 19')
      await expect(topLevelComments(page).nth(1)).toContainText('Middlemarch')
      await expect(reply).toBeFocused()
      await expect(reply).toHaveValue('Not finished')
      await reply.press('Escape')
      await expect(target).toHaveCount(0)
      await sql`
        delete from public.comments where post_id = ${post.id} and content = 'Meanwhile'`
      await order.getByRole('button', { name: 'Newest' }).click()
    })

    await test.step('asks a visitor to sign in before writing a comment', async () => {
      // Without the session cookies, Bo is a visitor whose browser has cached the app's files.
      await bo.context.clearCookies()
      // The toast disappears after half a second, when the browser opens the sign-in page.
      const toasts = await recordToasts(page)
      await page.goto(`/post/${post.id}`)
      await expect(commentWithText(page, 'Middlemarch')).toBeVisible()
      await page.getByRole('button', { name: 'Write a comment…' }).click()
      await expect(page).toHaveURL(new RegExp(`/login\\?next=%2Fpost%2F${post.id}`))
      await page.goBack()
      const replyButtons = commentWithText(page, 'Middlemarch').getByRole('button', {
        name: 'Reply',
        exact: true,
      })
      await replyButtons.last().click()
      await expect(page).toHaveURL(/\/login/)
      expect(toasts.texts).toEqual([
        expect.stringContaining('Please log in to post a comment.'),
        expect.stringContaining('Please log in to post a reply.'),
      ])
    })

    await test.step('lets the author of the post delete a comment with its replies', async () => {
      const remove = commentWithText(adaPage, 'Middlemarch').getByRole('button', { name: 'Delete' }).first()
      const confirm = adaPage.getByRole('alertdialog').getByRole('button', { name: 'Delete' })
      await failNextRequest(adaPage, '**/api/comments/*')
      await remove.click()
      await confirm.click()
      await expect(adaPage.getByText("Couldn't delete the comment. Try again.")).toBeVisible()
      await expect(commentCount(adaPage)).toHaveAccessibleName('Comment, 26 comments')
      await remove.click()
      await confirm.click()
      await expect(adaPage.getByText('Comment deleted')).toBeVisible()
      // The toast does not cover the comment form.
      await commentInput(adaPage).click({ trial: true, timeout: 2_000 })
      await expect(adaPage.getByText('Middlemarch')).toHaveCount(0)
      await expect(adaPage.getByRole('region', { name: 'Comments', exact: true })).toBeFocused()
      await expect(commentCount(adaPage)).toHaveAccessibleName('Comment, 22 comments')
    })

    await test.step('keeps a deleted user’s comments, but not their name', async () => {
      await deleteUser(bo)
      await adaPage.goto(`/post/${post.id}`)
      await expect(commentWithText(adaPage, 'Earlier 1')).toContainText('Deleted user')
    })
    await deleteUser(ada)
  })

  test('shows the comments on a photo post beside the post on wide screens', async ({ browser }) => {
    const [lena, omar] = await Promise.all([
      createSignedInUser(browser, 'Lena Frame'),
      createSignedInUser(browser, 'Omar Lens'),
    ])
    const imageUrl = await uploadPicture(lena, pngFile('gate.png', createPng({ width: 64, height: 48 })))
    const post = await publish(lena, { content: 'The old gate', imageUrl })
    await sql`
      insert into public.comments (post_id, author_id, content, created_at)
      select ${post.id}, ${lena.id}, 'Earlier ' || n, now() - n * interval '1 hour'
      from generate_series(1, 15) n`
    const [target] = await sql<{ id: string }[]>`
      select id from public.comments where post_id = ${post.id} and content = 'Earlier 12'`
    const page = await omar.context.newPage()
    const pane = page.getByRole('complementary').getByRole('region', { name: 'Comments', exact: true })
    const columnBox = () => page.getByRole('main').boundingBox()

    await test.step('scrolls to the comment in the URL and leaves the post where it is', async () => {
      await page.goto('/')
      await expect(page.getByRole('article').first()).toBeVisible()
      const feedBox = await columnBox()
      await page.goto(`/post/${post.id}#comment-${target?.id}`)
      await expect(pane.getByText('Earlier 12')).toBeInViewport()
      await expect(pane.getByRole('listitem').filter({ hasText: 'Earlier 12' })).toBeFocused()
      expect(await page.evaluate(() => window.scrollY)).toBe(0)
      // The main column has the same position and width as on the home feed.
      const box = await columnBox()
      expect([box?.x, box?.width]).toEqual([feedBox?.x, feedBox?.width])
    })

    await test.step('restores the scroll position of the comments after Back', async () => {
      const last = pane.getByRole('listitem').filter({ hasText: 'Earlier 15' })
      await last.getByRole('link', { name: 'Lena Frame' }).first().click()
      await expect(page).toHaveURL(/\/profile/)
      await page.goBack()
      await expect(last).toBeInViewport()
    })

    await test.step('focuses the form with a shortcut and shows the new comment', async () => {
      await page.getByRole('heading', { name: 'Post', level: 1 }).click()
      await page.keyboard.press('r')
      await expect(commentInput(page)).toBeFocused()
      await page.keyboard.type('Still painted green?')
      await page.keyboard.press('Enter')
      await expect(pane.getByText('Still painted green?')).toBeInViewport()
      await expect(commentInput(page)).toBeFocused()
    })
    await Promise.all([deleteUser(lena), deleteUser(omar)])
  })

  test('shows the comment form in place of the bottom bar on phones', async ({ browser }) => {
    const [ivo, kaya] = await Promise.all([
      createSignedInUser(browser, 'Ivo Marsh', { viewport: phoneViewport, hasTouch: true }),
      createSignedInUser(browser, 'Kaya Lind'),
    ])
    const links = Array.from({ length: 20 }, (_, index) => `example.com/${index}`)
    const post = await publish(kaya, {
      content: `Small screens\n\n${links.map((link) => `https://${link}`).join('\n\n')}`,
    })
    for (const content of ['First here', ...Array.from({ length: 8 }, (_, index) => `Later ${index + 1}`)])
      await addComment(kaya, post.id, content)
    const page = await ivo.context.newPage()
    await page.goto(`/post/${post.id}`)
    const input = commentInput(page)
    const send = page.getByRole('button', { name: 'Comment', exact: true })

    await test.step('shows the form at the bottom edge, without the navigation', async () => {
      await expect(input).toBeInViewport({ ratio: 1 })
      expect((await input.boundingBox())?.y).toBeGreaterThan(phoneViewport.height - 80)
      await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
      await expect(send).toBeDisabled()
      await expectAccessible(page)
    })

    /** Checks that an element is completely visible above the comment form. */
    const expectUncovered = async (element: Locator) => {
      await expect(element).toBeInViewport({ ratio: 1 })
      const [box, inputBox] = [await element.boundingBox(), await input.boundingBox()]
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(inputBox?.y ?? 0)
    }

    await test.step('shows the newest comment above the form until the comments are in view', async () => {
      const newestComment = page.getByRole('button', { name: /^Kaya Lind: Later 8.*Show all 9 comments$/ })
      await expectUncovered(newestComment)
      await input.focus()
      await expect(newestComment).toBeHidden()
      await input.blur()
      const [box, rowBox] = [await newestComment.boundingBox(), await commentCount(page).boundingBox()]
      expect((rowBox?.y ?? 0) + (rowBox?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0)
      await newestComment.tap()
      await expect(newestComment).toHaveCount(0)
      await expect(page.getByRole('region', { name: 'Comments', exact: true })).toBeFocused()
      await expectUncovered(commentWithText(page, 'Later 8'))
    })

    await test.step('does not cover a focused element', async () => {
      for (const name of links) {
        const link = page.getByRole('link', { name, exact: true })
        await link.focus()
        const [box, rowBox] = [await link.boundingBox(), await commentCount(page).boundingBox()]
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(rowBox?.y ?? 0)
      }
      for (const content of ['Later 4', 'Later 1', 'First here']) {
        const reply = commentWithText(page, content).getByRole('button', { name: 'Reply', exact: true })
        await reply.focus()
        await expectUncovered(reply)
      }
    })

    await test.step('replaces the comment form with the reply form, shows the new reply and keeps the comment’s draft', async () => {
      await input.fill('Not sent yet')
      const replyButton = commentWithText(page, 'First here').getByRole('button', {
        name: 'Reply',
        exact: true,
      })
      await replyButton.tap()
      const reply = page.getByRole('textbox', { name: 'Reply to Kaya Lind' })
      await expect(reply).toBeFocused()
      await expect(page.getByText('Replying to Kaya Lind')).toBeVisible()
      await expect(input).toBeHidden()
      await reply.fill('Second then')
      await page.getByRole('button', { name: 'Reply', exact: true }).first().tap()
      await expect(reply).toHaveCount(0)
      await expectUncovered(commentWithText(page, 'First here').getByText('Second then'))
      await expect(input).toHaveValue('Not sent yet')
    })

    await test.step('closes the reply form when the reply is cancelled or the comment button is tapped', async () => {
      const replyButton = commentWithText(page, 'First here')
        .getByRole('button', { name: 'Reply', exact: true })
        .first()
      await replyButton.tap()
      await page.getByRole('button', { name: 'Cancel' }).tap()
      await expect(replyButton).toBeFocused()
      await replyButton.tap()
      await commentCount(page).tap()
      await expect(input).toBeFocused()
      await send.tap()
      await expect(commentWithText(page, 'Not sent yet')).toBeVisible()
      await expect(input).toHaveValue('')
    })
    await Promise.all([deleteUser(ivo), deleteUser(kaya)])
  })
})

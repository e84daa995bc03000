import { expect, type Locator, type Page, test } from 'playwright/test'
import { findAxeViolations } from './support/accessibility.ts'
import { publish } from './support/content.ts'
import { phoneViewport, postWithText } from './support/page.ts'
import { createSignedInUser, createUserOnHomeFeed, deleteUser } from './support/users.ts'

/** Returns the coordinates of an element's center. */
async function centerOf(element: Locator): Promise<{ x: number; y: number }> {
  const box = await element.boundingBox()
  if (!box) throw new Error('The element is not visible.')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Checks that the comment box has focus and is completely visible: no bar covers it. */
async function expectCommentBox(page: Page): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Write a comment' })
  await expect(box).toBeFocused()
  await expect(box).toBeInViewport({ ratio: 1 })
  await expect
    .poll(() =>
      box.evaluate((element) => {
        const { left, width, top, bottom } = element.getBoundingClientRect()
        const isOnTop = (y: number) => document.elementFromPoint(left + width / 2, y) === element
        return isOnTop(top + 4) && isOnTop(bottom - 4)
      }),
    )
    .toBe(true)
}

test.describe('A post in a list', () => {
  test('opens when its text is clicked, but not when text is selected or a control is clicked', async ({
    browser,
  }) => {
    const iris = await createUserOnHomeFeed(browser, 'Iris Vane')
    const { page } = iris
    const text = 'A long walk along the river, and then #tea at the mill.'
    const post = await publish(iris, { content: text })
    await page.reload()
    const card = postWithText(page, 'A long walk')
    const paragraph = card.getByText('A long walk')

    await test.step('does not open while text is being selected, or on the click that clears the selection', async () => {
      const box = await paragraph.boundingBox()
      if (!box) throw new Error('The text is not visible.')
      await page.mouse.move(box.x + 4, box.y + 10)
      await page.mouse.down()
      await page.mouse.move(box.x + 120, box.y + 10, { steps: 4 })
      await page.mouse.up()
      expect(await page.evaluate(() => getSelection()?.toString())).toMatch(/long/)
      await page.mouse.click(box.x + 300, box.y + 10)
      await expect(page).toHaveURL('/')
    })

    await test.step('does not open when its controls and links are clicked', async () => {
      await card.getByRole('button', { name: /^Like/ }).click()
      await expect(card.getByRole('button', { name: 'Like, 1 like' })).toBeVisible()
      await card.getByRole('button', { name: 'More about this post' }).click()
      await page.getByRole('menuitem', { name: 'Copy link' }).press('Escape')
      await card.getByRole('button', { name: /^Comment/ }).click()
      await page.getByText('No comments yet').click()
      await expect(page).toHaveURL('/')
      await card.getByRole('link', { name: '#tea' }).click()
      await expect(page).toHaveURL('/topic/tea')
      await page.goBack()
    })

    await test.step('opens on a click, and in a new tab on a Ctrl+click', async () => {
      const opened = page.context().waitForEvent('page')
      await paragraph.click({ modifiers: ['ControlOrMeta'] })
      const tab = await opened
      await expect(tab).toHaveURL(`/post/${post.id}`)
      await tab.close()
      await expect(page).toHaveURL('/')
      await paragraph.click()
      await expect(page).toHaveURL(`/post/${post.id}`)
      // Below the post, there is only the full date.
      await expect(page.getByRole('article').getByText(/^\w+ \d+, \d+ at \d+:\d+ [AP]M$/)).toBeVisible()
      await expect(page.getByRole('article').getByText('Just now')).toHaveCount(1)
    })

    await test.step('shows the author next to the opened post, with a follow button for other users', async () => {
      const author = page
        .getByRole('complementary', { name: 'More' })
        .getByRole('region', { name: 'Iris Vane' })
      await expect(author.getByRole('link')).toHaveAttribute('href', `/profile/${iris.account.username}`)
      await expect(author.getByRole('button')).toHaveCount(0)
      const reader = await createSignedInUser(browser, 'Ron Reader')
      const readerPage = await reader.context.newPage()
      await readerPage.goto(`/post/${post.id}`)
      await readerPage.getByRole('button', { name: 'Follow: Iris Vane' }).click()
      await expect(readerPage.getByRole('button', { name: 'Following: Iris Vane. Unfollow' })).toBeVisible()
      await deleteUser(reader)
    })
    await deleteUser(iris)
  })

  test('can be liked, saved, commented on and opened by keyboard', async ({ browser }) => {
    const otis = await createUserOnHomeFeed(browser, 'Otis Bell')
    const { page } = otis
    await publish(otis, { content: 'Keys only, no mouse.' })
    await page.reload()
    const card = postWithText(page, 'Keys only')
    await expect(card).toBeVisible()
    await page.keyboard.press('j')
    await expect(card).toBeFocused()

    await test.step('lists the keyboard shortcuts', async () => {
      await page.keyboard.press('?')
      const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      for (const name of ['Open post', 'Like post', 'Save post', 'Repost or quote post', 'Comment on post'])
        await expect(list.getByText(name)).toBeVisible()
      // The post's shortcuts do not work while the dialog is open.
      await page.keyboard.press('l')
      await page.keyboard.press('Escape')
      await expect(list).toBeHidden()
      await expect(card.getByRole('button', { name: 'Like, 0 likes' })).toBeVisible()
      await expect(card).toBeFocused()
    })

    await page.keyboard.press('l')
    await expect(card.getByRole('button', { name: 'Like, 1 like' })).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.press('s')
    await expect(card.getByRole('button', { name: 'Saved' })).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.press('t')
    await expect(page.getByRole('menuitem', { name: 'Repost', exact: true })).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(card.getByRole('button', { name: 'Reposted, 1 repost' })).toBeFocused()
    await page.keyboard.press('r')
    await expectCommentBox(page)
    await page.keyboard.type('lstr')
    await expect(page.getByRole('textbox', { name: 'Write a comment' })).toHaveValue('lstr')
    await card.focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/post\//)

    await test.step('handles the shortcuts on the post’s own page even if the post is not focused', async () => {
      // The feed also has a "Comments" heading, so only the "Post" heading shows that the post's page is open.
      await expect(page.getByRole('heading', { name: 'Post', level: 1 })).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Comments' })).toBeVisible()
      await page.keyboard.press('l')
      await expect(page.getByRole('button', { name: 'Like, 0 likes' })).toBeVisible()
      await page.keyboard.press('r')
      await expectCommentBox(page)
    })
    await deleteUser(otis)
  })

  test('has large touch targets for names and times', async ({ browser }) => {
    const lark = await createUserOnHomeFeed(browser, 'Lark', { viewport: phoneViewport, hasTouch: true })
    const { page } = lark
    await publish(lark, { content: 'Small words, large targets.' })
    await page.reload()
    const card = postWithText(page, 'Small words')
    await expect(card).toBeVisible()
    const targets = [
      page.getByRole('banner').getByRole('link', { name: /home/ }),
      card.getByRole('link', { name: 'Lark', exact: true }),
      card.getByRole('link', { name: /now|ago/i }),
    ]
    for (const target of targets) {
      const box = await target.boundingBox()
      expect(box?.height).toBeGreaterThanOrEqual(44)
      expect(box?.width).toBeGreaterThanOrEqual(32)
    }
    expect(await findAxeViolations(page, 'target-size')).toEqual([])
    await deleteUser(lark)
  })
})

test.describe('The comment button on a phone', () => {
  test('focuses the comment box and scrolls it above the bottom bar', async ({ browser }) => {
    const wren = await createSignedInUser(browser, 'Wren Hale', { viewport: phoneViewport, hasTouch: true })
    const lines = Array.from({ length: 12 }, (_, line) => `Line ${line} of a tall post.`).join('\n\n')
    const post = await publish(wren, { content: lines })
    const page = await wren.context.newPage()
    await page.goto('/')
    const comment = postWithText(page, 'Line 0').getByRole('button', { name: /^Comment, / })
    await comment.tap()
    await expectCommentBox(page)
    const { y: barY } = await centerOf(page.getByRole('navigation', { name: 'Main' }))
    const { y: boxY } = await centerOf(page.getByRole('textbox', { name: 'Write a comment' }))
    expect(boxY).toBeLessThan(barY - 30)
    // A second tap closes the comments.
    await comment.tap()
    await expect(page.getByRole('textbox', { name: 'Write a comment' })).toHaveCount(0)

    await page.goto(`/post/${post.id}`)
    await page.evaluate(() => window.scrollTo(0, 0))
    await page.getByRole('button', { name: /^Comment, / }).tap()
    await expectCommentBox(page)
    await deleteUser(wren)
  })
})

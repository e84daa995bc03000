import { Post } from '@contract/post.ts'
import { expect, test } from 'playwright/test'
import { findAxeViolations } from './support/accessibility.ts'
import { horizontalOverflow, phoneViewport, pickFromMenu, postWithText } from './support/page.ts'
import { createUserOnHomeFeed, deleteUser } from './support/users.ts'

test('A quote embeds a post, opens it, and notifies its author', async ({ browser }) => {
  const ada = await createUserOnHomeFeed(browser, 'Ada Quoted')
  const ben = await createUserOnHomeFeed(browser, 'Ben Quoting')
  const { page } = ben
  const text = `The tide table of ${ada.account.username}`
  const original = Post.parse(
    await (await ada.context.request.post('/api/posts', { data: { content: text } })).json(),
  )
  const quoteText = `Pinned to my door by ${ben.account.username}`
  const quote = postWithText(page, quoteText)
  const openComposer = async () => {
    await page.goto(`/post/${original.id}`)
    await page.getByRole('button', { name: 'Share this post' }).click()
    await pickFromMenu(page, 'Quote post')
    await expect(page.getByRole('dialog').getByRole('group', { name: 'Quoted post' })).toContainText(text)
  }

  await test.step('shows the quoted post in the composer, where it can be removed', async () => {
    await openComposer()
    await page.getByRole('button', { name: 'Remove quoted post' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(text)).toHaveCount(0)
    await expect(dialog.getByRole('textbox')).toBeFocused()
  })

  await test.step('keeps the quoted post in the draft after a reload', async () => {
    await openComposer()
    await page.getByRole('dialog').getByRole('textbox').fill(quoteText)
    await page.goto('/')
    const draft = page.getByRole('form', { name: 'New post' })
    await expect(draft.getByRole('group', { name: 'Quoted post' })).toContainText(text)
    await expect(draft.getByRole('textbox')).toHaveValue(quoteText)
    await draft.getByRole('button', { name: 'Post', exact: true }).click()
    await expect(quote.getByRole('link', { name: 'Quoted post:' })).toContainText(text)
  })

  await test.step('opens the quoted post, also on a phone', async () => {
    expect(await findAxeViolations(page)).toEqual([])
    await page.setViewportSize(phoneViewport)
    expect(await horizontalOverflow(page)).toBe(0)
    await quote.getByRole('link', { name: 'Quoted post:' }).click()
    await expect(page).toHaveURL(`/post/${original.id}`)
  })

  await test.step('notifies the quoted author', async () => {
    await ada.page.goto('/notifications')
    await ada.page.getByRole('link', { name: 'Ben Quoting quoted your post' }).click()
    await expect(postWithText(ada.page, quoteText)).toContainText(text)
  })

  await test.step('shows nothing of the quoted post once it is deleted', async () => {
    await ada.context.request.delete(`/api/posts/${original.id}`)
    await page.goto('/')
    await expect(quote.getByText('This post is not available.')).toBeVisible()
    await expect(quote.getByText(text)).toHaveCount(0)
  })

  await deleteUser(ada)
  await deleteUser(ben)
})

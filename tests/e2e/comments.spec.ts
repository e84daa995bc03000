import { Post } from '@contract/post.ts'
import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './axe.ts'
import { arrive, forget, sql } from './support.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Write a comment' })
const rowOf = (page: Page, text: string | RegExp) =>
  page.getByRole('listitem').filter({ hasText: text }).first()
/** The button below a post that tells how many comments it has. */
const counter = (page: Page) => page.getByRole('button', { name: /^Comment, \d+ comments?$/ })

test('a post is talked about: comments, replies, failures, deletions, visitors', async ({ browser }) => {
  const [ada, bo] = await Promise.all([arrive(browser, 'Ada Quill'), arrive(browser, 'Bo Reed')])
  const told = await ada.page.request.post('/api/posts', {
    data: { content: 'What did you read this week?' },
  })
  const post = Post.parse(await told.json())
  const { page } = bo

  await test.step('Nobody has said anything: Bo is invited to', async () => {
    await page.goto(`/post/${post.id}`)
    await expect(page.getByText('No comments yet')).toBeVisible()
    await expect(page.getByText('0/500')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeDisabled()
  })

  await test.step('What fails is counted no longer, and his words stay', async () => {
    let fail = () => {}
    const held = new Promise<void>((resolve) => {
      fail = resolve
    })
    await page.route(
      '**/comments',
      async (route) => {
        await held
        await route.abort()
      },
      { times: 1 },
    )
    await box(page).fill('  All of #Middlemarch, see https://example.com/m  ')
    await box(page).press('Enter')
    await expect(counter(page)).toHaveAccessibleName('Comment, 1 comment')
    fail()
    await expect(page.getByText('Failed to post comment. Please try again.')).toBeVisible()
    await expect(counter(page)).toHaveAccessibleName('Comment, 0 comments')
    await expect(box(page)).toHaveValue('  All of #Middlemarch, see https://example.com/m  ')
    await page.reload()
    await expect(box(page)).toHaveValue(/Middlemarch/)
  })

  await test.step('Two presses store one comment; Shift and Enter start a line', async () => {
    await page.getByRole('button', { name: 'Comment', exact: true }).dblclick()
    await expect(page.getByText('Comment added')).toBeVisible()
    await expect(box(page)).toHaveValue('')
    await expect(counter(page)).toHaveAccessibleName('Comment, 1 comment')
    const row = rowOf(page, 'Middlemarch')
    await expect(row.getByRole('link', { name: '#Middlemarch' })).toHaveAttribute(
      'href',
      '/topic/middlemarch',
    )
    await expect(row.getByText('Just now')).toBeVisible()
    const stored = await sql`select from public.comments where post_id = ${post.id}`
    expect(stored.count).toBe(1)
    await box(page).pressSequentially('One')
    await box(page).press('Shift+Enter')
    await expect(box(page)).toHaveValue('One\n')
    await box(page).fill('x'.repeat(501))
    await expect(page.getByText('501/500')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeDisabled()
    await box(page).fill('')
  })

  await test.step('Ada answers under the card, in one reply box at a time', async () => {
    await sql`
      insert into public.comments (post_id, author_id, content, created_at)
      select ${post.id}, (select id from public.profiles where username = ${bo.who.username}), 'Earlier ' || n,
             now() - n * interval '1 hour'
      from generate_series(1, 21) n`
    await ada.page.goto(`/profile/${ada.who.username}`)
    const open = counter(ada.page)
    await expect(open).toHaveAccessibleName('Comment, 22 comments')
    await open.click()
    await expect(open).toHaveAttribute('aria-expanded', 'true')
    const rows = ada.page.getByRole('list', { name: 'Comments' }).getByRole('listitem')
    await expect(rows).toHaveCount(20)
    await expect(rows.nth(1)).toContainText('1h ago')
    await ada.page.getByRole('button', { name: 'Show more comments' }).click()
    await expect(rows).toHaveCount(22)

    await rowOf(ada.page, 'Earlier 1').getByRole('button', { name: 'Reply', exact: true }).click()
    await rowOf(ada.page, 'Middlemarch').getByRole('button', { name: 'Reply', exact: true }).click()
    const reply = ada.page.getByRole('textbox', { name: 'Reply to Bo Reed' })
    await expect(reply).toHaveCount(1)
    await expect(reply).toBeFocused()
    await reply.fill('All of it? In a week?')
    await reply.press('Enter')
    const thread = rowOf(ada.page, 'Middlemarch')
    await expect(thread.getByText('All of it? In a week?')).toBeVisible()
    await expect(open).toHaveAccessibleName('Comment, 23 comments')
    await expect(reply).toHaveCount(0)
    await thread.getByRole('button', { name: 'Hide replies' }).click()
    await expect(thread.getByText('All of it? In a week?')).toBeHidden()
    await expect(thread.getByRole('button', { name: 'View 1 reply' })).toBeVisible()
    await expectAccessible(ada.page)
  })

  await test.step('An address can name one comment', async () => {
    const [named] = await sql<{ id: string }[]>`
      select id from public.comments where post_id = ${post.id} and content = 'Earlier 19'`
    await page.goto(`/post/${post.id}#comment-${named?.id}`)
    await page.reload()
    const row = rowOf(page, 'Earlier 19')
    await expect(row).toHaveAttribute('aria-current', 'true')
    await expect(row).toBeInViewport()
    await rowOf(page, 'Middlemarch').getByRole('button', { name: 'View 1 reply' }).click()
    const reply = rowOf(page, 'Middlemarch').getByRole('listitem')
    await expect(reply).toContainText('Ada Quill')
    await expect(reply.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  })

  await test.step('A visitor reads all of it and is asked to log in for more', async () => {
    const visitor = await browser.newContext()
    const guest = await visitor.newPage()
    await guest.goto(`/post/${post.id}`)
    await expect(rowOf(guest, 'Middlemarch')).toBeVisible()
    await guest.getByRole('button', { name: 'Write a comment...' }).click()
    await expect(guest.getByText('Please log in to post a comment.')).toBeVisible()
    await expect(guest).toHaveURL(new RegExp(`/login\\?next=%2Fpost%2F${post.id}`))
    await guest.goBack()
    await rowOf(guest, 'Middlemarch').getByRole('button', { name: 'Reply', exact: true }).click()
    await expect(guest.getByText('Please log in to post a reply.')).toBeVisible()
    await expect(guest).toHaveURL(/\/login/)
    await visitor.close()
  })

  await test.step('Ada deletes what stands under her post, with the replies', async () => {
    const remove = rowOf(ada.page, 'Middlemarch').getByRole('button', { name: 'Delete' }).first()
    const confirm = ada.page.getByRole('alertdialog').getByRole('button', { name: 'Delete' })
    await ada.page.route('**/api/comments/*', (route) => route.fulfill({ status: 500, body: '' }), {
      times: 1,
    })
    await remove.click()
    await confirm.click()
    await expect(ada.page.getByText('Failed to delete comment. Please try again.')).toBeVisible()
    await expect(counter(ada.page)).toHaveAccessibleName('Comment, 23 comments')
    await remove.click()
    await confirm.click()
    await expect(ada.page.getByText('Comment deleted')).toBeVisible()
    await expect(ada.page.getByText('Middlemarch')).toHaveCount(0)
    await expect(counter(ada.page)).toHaveAccessibleName('Comment, 21 comments')
  })

  await test.step('Of who is gone the words stay, without a name', async () => {
    await forget(bo)
    await ada.page.goto(`/post/${post.id}`)
    await expect(rowOf(ada.page, 'Earlier 1')).toContainText('Deleted user')
  })
  await forget(ada)
})

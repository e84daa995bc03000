import { Post } from '@contract/post.ts'
import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './axe.ts'
import { forget, join, sql } from './support.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Write a comment' })
const rowOf = (page: Page, text: string | RegExp) =>
  page.getByRole('listitem').filter({ hasText: text }).first()
/** The comments, without the replies to them. */
const rowsOf = (page: Page) => page.getByRole('list', { name: 'Comments' }).locator('> li')
/** The button below a post that tells how many comments it has. */
const counter = (page: Page) => page.getByRole('button', { name: /^Comment, \d+ comments?$/ })

test('a post is talked about: comments, replies, failures, deletions, visitors', async ({ browser }) => {
  const [ada, bo] = await Promise.all([join(browser, 'Ada Quill'), join(browser, 'Bo Reed')])
  const told = await ada.context.request.post('/api/posts', {
    data: { content: 'What did you read this week?' },
  })
  const post = Post.parse(await told.json())
  const [page, adas] = await Promise.all([bo.context.newPage(), ada.context.newPage()])
  /** Bo's comments of so many hours ago. */
  const earlier = (from: number, to: number) => sql`
    insert into public.comments (post_id, author_id, content, created_at)
    select ${post.id}, (select id from public.profiles where username = ${bo.who.username}), 'Earlier ' || n,
           now() - n * interval '1 hour'
    from generate_series(${from}::int, ${to}::int) n`

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
  })

  await test.step('Another tab shows them too, and what it adds comes back', async () => {
    const tab = await bo.context.newPage()
    await tab.goto(`/post/${post.id}`)
    await expect(box(tab)).toHaveValue(/Middlemarch/)
    await box(tab).fill('All of #Middlemarch, twice, see https://example.com/m')
    await expect(box(page)).toHaveValue(/twice/)
    await tab.close()
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
    await earlier(1, 1)
    await adas.goto(`/profile/${ada.who.username}`)
    const open = counter(adas)
    await expect(open).toHaveAccessibleName('Comment, 2 comments')
    await open.click()
    await expect(open).toHaveAttribute('aria-expanded', 'true')
    await expect(rowsOf(adas).nth(1)).toContainText('1h ago')

    await rowOf(adas, 'Earlier 1').getByRole('button', { name: 'Reply', exact: true }).click()
    await rowOf(adas, 'Middlemarch').getByRole('button', { name: 'Reply', exact: true }).click()
    const reply = adas.getByRole('textbox', { name: 'Reply to Bo Reed' })
    await expect(reply).toHaveCount(1)
    await expect(reply).toBeFocused()
    await reply.fill('All of it? In a week?')
    await reply.press('Enter')
    const thread = rowOf(adas, 'Middlemarch')
    await expect(thread.getByText('All of it? In a week?')).toBeVisible()
    await expect(open).toHaveAccessibleName('Comment, 3 comments')
    await expect(reply).toHaveCount(0)
    await expect(thread.getByRole('button', { name: 'Reply', exact: true })).toBeFocused()
    await thread.getByRole('button', { name: 'Hide replies' }).click()
    await expect(thread.getByText('All of it? In a week?')).toBeHidden()
    await expect(thread.getByRole('button', { name: 'View 1 reply' })).toBeVisible()
    await expectAccessible(adas)
  })

  await test.step('Long talk comes in pages, and an address can name one comment', async () => {
    await earlier(2, 21)
    const [named] = await sql<{ id: string }[]>`
      select id from public.comments where post_id = ${post.id} and content = 'Earlier 19'`
    await page.goto(`/post/${post.id}#comment-${named?.id}`)
    await page.reload()
    const row = rowOf(page, 'Earlier 19')
    await expect(row).toHaveAttribute('aria-current', 'true')
    await expect(row).toBeInViewport()
    await expect(rowsOf(page)).toHaveCount(20)
    await page.getByRole('button', { name: 'Show more comments' }).click()
    await expect(rowsOf(page)).toHaveCount(22)
    await rowOf(page, 'Middlemarch').getByRole('button', { name: 'View 1 reply' }).click()
    const reply = rowOf(page, 'Middlemarch').getByRole('listitem')
    await expect(reply).toContainText('Ada Quill')
    await expect(reply.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  })

  await test.step('A visitor reads all of it and is asked to log in for more', async () => {
    // Bo's browser once more, which has the app's files.
    await bo.context.clearCookies()
    const guest = page
    await guest.goto(`/post/${post.id}`)
    await expect(rowOf(guest, 'Middlemarch')).toBeVisible()
    await guest.getByRole('button', { name: 'Write a comment...' }).click()
    await expect(guest.getByText('Please log in to post a comment.')).toBeVisible()
    await expect(guest).toHaveURL(new RegExp(`/login\\?next=%2Fpost%2F${post.id}`))
    await guest.goBack()
    await rowOf(guest, 'Middlemarch').getByRole('button', { name: 'Reply', exact: true }).click()
    await expect(guest.getByText('Please log in to post a reply.')).toBeVisible()
    await expect(guest).toHaveURL(/\/login/)
  })

  await test.step('Ada deletes what stands under her post, with the replies', async () => {
    const remove = rowOf(adas, 'Middlemarch').getByRole('button', { name: 'Delete' }).first()
    const confirm = adas.getByRole('alertdialog').getByRole('button', { name: 'Delete' })
    await adas.route('**/api/comments/*', (route) => route.fulfill({ status: 500, body: '' }), {
      times: 1,
    })
    await remove.click()
    await confirm.click()
    await expect(adas.getByText('Failed to delete comment. Please try again.')).toBeVisible()
    await expect(counter(adas)).toHaveAccessibleName('Comment, 3 comments')
    await remove.click()
    await confirm.click()
    await expect(adas.getByText('Comment deleted')).toBeVisible()
    await expect(adas.getByText('Middlemarch')).toHaveCount(0)
    await expect(counter(adas)).toHaveAccessibleName('Comment, 1 comment')
  })

  await test.step('Of who is gone the words stay, without a name', async () => {
    await forget(bo)
    await adas.goto(`/post/${post.id}`)
    await expect(rowOf(adas, 'Earlier 1')).toContainText('Deleted user')
  })
  await forget(ada)
})

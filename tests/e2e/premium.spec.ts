import { readFileSync } from 'node:fs'
import { ImageUpload } from '@contract/media.ts'
import { Post } from '@contract/post.ts'
import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './axe.ts'
import { expectToastInSight, forget, join, pickFromMenu, sql } from './support.ts'

const secret = 'The whole set, from the first chord to the last bow.'
const teaser = 'Backstage, and what nobody saw.'
const card = (page: Page) => page.getByRole('article').filter({ hasText: 'Vera Stone' })
const unlock = (page: Page) => page.getByRole('button', { name: /^Unlock for/ })
const pay = (page: Page) => page.getByRole('dialog').getByRole('button', { name: /^Pay/ })

test('a premium post is unlocked once, at the price of the moment, in every place it is shown', async ({
  browser,
}) => {
  const [vera, ned] = await Promise.all([join(browser, 'Vera Stone'), join(browser, 'Ned Park')])
  await sql`update public.profiles set is_creator = true where username = ${vera.who.username}`
  const { request } = vera.context
  const buffer = readFileSync(new URL('../../web/public/social-preview.png', import.meta.url))
  const image = { name: 'set.png', mimeType: 'image/png', buffer }
  const sent = await request.post('/api/upload', { multipart: { image } })
  const { imageUrl } = ImageUpload.parse(await sent.json())
  const data = {
    content: secret,
    teaser,
    isPremium: true,
    premiumPrice: 12.5,
    imageUrl,
    altText: 'The stage',
  }
  const post = Post.parse(await (await request.post('/api/posts', { data })).json())
  const profile = `/profile/${vera.who.username}`
  const [page, veras] = await Promise.all([ned.context.newPage(), vera.context.newPage()])

  await test.step('Vera sees her own open, with its price', async () => {
    await veras.goto(profile)
    await expect(card(veras).getByText('PREMIUM $12.50')).toBeVisible()
    await expect(card(veras).getByText(secret)).toBeVisible()
    await expect(card(veras).getByRole('img', { name: 'The stage' })).toBeVisible()
    await expect(unlock(veras)).toHaveCount(0)
  })

  await test.step('A visitor sees the teaser and the price, nothing paid, and is led to the sign-in page', async () => {
    const visitor = await browser.newContext()
    const guest = await visitor.newPage()
    await guest.goto(`/post/${post.id}`)
    await expect(guest.getByText(teaser)).toBeVisible()
    await expect(guest.getByText('Unlock the post to read and write comments.')).toBeVisible()
    expect(await guest.content()).not.toContain('chord')
    expect(await guest.content()).not.toContain(imageUrl)
    await guest.getByRole('button', { name: 'Unlock for $12.50' }).click()
    await expect(guest).toHaveURL(new RegExp(`/login\\?next=%2Fpost%2F${post.id}`))
    await visitor.close()
  })

  const second = await ned.context.newPage()
  const frame = card(page).locator('[data-frame]')
  let before = { width: 0, height: 0 }
  await test.step('Ned has it locked in two tabs', async () => {
    await Promise.all([page.goto(profile), second.goto(`/post/${post.id}`)])
    await expect(unlock(second)).toHaveText('Unlock for $12.50')
    // A tab behind another one draws nothing.
    await page.bringToFront()
    await expect(card(page).getByText(teaser)).toBeVisible()
    const comments = card(page).getByRole('button', { name: 'Comment, 0 comments' })
    await expect(comments).toHaveAttribute('aria-disabled', 'true')
    await comments.click({ force: true })
    await expect(card(page).getByRole('region', { name: 'Comments' })).toHaveCount(0)
    before = (await frame.boundingBox()) ?? before
    expect(before.width / before.height).toBeCloseTo(1200 / 630, 1)
  })

  await test.step('There is nothing to pay before it is known how', async () => {
    await page.route('**/api/config', (route) => route.abort())
    await page.reload()
    await unlock(page).click()
    const dialog = page.getByRole('dialog', { name: 'Unlock this post' })
    await expect(dialog.getByText('How payments are made did not load.')).toBeVisible()
    await expect(pay(page)).toBeDisabled()
    await expectAccessible(page)
    await page.unroute('**/api/config')
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await expect(dialog.getByText('This is a test payment: no money moves.')).toBeVisible()
    await expect(pay(page)).toBeEnabled()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })

  await test.step('Vera raises the price while he makes up his mind: he is asked again', async () => {
    await unlock(page).click()
    const dialog = page.getByRole('dialog', { name: 'Unlock this post' })
    await expect(dialog).toContainText('A premium picture by Vera Stone.')
    await expect(dialog).toContainText('This is a test payment: no money moves.')
    await expectAccessible(page)
    await card(veras).getByRole('button', { name: 'More about this post' }).click()
    await pickFromMenu(veras, 'Edit post')
    await veras.getByLabel('Price in US dollars').fill('15')
    await veras.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await expect(card(veras).getByText('PREMIUM $15.00')).toBeVisible()
    await expect(card(veras).getByText('edited')).toBeVisible()
    await pay(page).click()
    await expect(dialog.getByText('The price has changed: it is $15.00 now. Nothing was paid.')).toBeVisible()
    await expect(pay(page)).toHaveText('Pay $15.00')
  })

  await test.step('A payment that fails says so; two presses pay once', async () => {
    await page.route('**/unlock', (route) => route.fulfill({ status: 503, body: '' }), { times: 1 })
    const window = page.viewportSize()
    await page.setViewportSize({ width: 390, height: 844 })
    await pay(page).click()
    await expect(page.getByText('Payment Failed')).toBeVisible()
    await expectToastInSight(page, 'Failed to unlock premium content. Please try again.', pay(page))
    if (window) await page.setViewportSize(window)
    await pay(page).dblclick()
    await expect(page.getByText('Content Unlocked!')).toBeVisible()
    await expect(card(page).getByText(secret)).toBeVisible()
    await expect(card(page).getByRole('img', { name: 'The stage' })).toBeVisible()
    await expect(card(page).getByText(teaser)).toHaveCount(0)
    await expect(card(page)).toBeFocused()
    const after = await frame.boundingBox()
    expect(after?.width).toBeCloseTo(before.width, 0)
    expect(after?.height).toBeCloseTo(before.height, 0)
  })

  await test.step('The other tab, which asks with the old price, gets it without paying again', async () => {
    await second.bringToFront()
    await unlock(second).click()
    await pay(second).click()
    await expect(second.getByText(secret)).toBeVisible()
    await expect(second.getByText('No comments yet')).toBeVisible()
    const paid =
      await sql`select amount_cents from public.payments where post_id = ${post.id} and state = 'paid'`
    expect(paid.map((payment) => payment.amount_cents)).toEqual([1500])
    expect((await sql`select from public.unlocks where post_id = ${post.id}`).count).toBe(1)
  })

  await test.step('It opens large and closes by Escape, is open to talk about, and can be handed on', async () => {
    await page.bringToFront()
    await card(page).getByRole('button', { name: 'Open picture: The stage' }).click()
    const large = page.getByRole('dialog', { name: 'Picture: The stage' })
    await expect(large.getByRole('img')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(large).toHaveCount(0)
    await card(page).getByRole('button', { name: 'Comment, 0 comments' }).click()
    await expect(card(page).getByText('No comments yet')).toBeVisible()
    await ned.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await card(page).getByRole('button', { name: 'More about this post' }).click()
    await pickFromMenu(page, 'Copy link')
    await expect(page.getByText('Link copied')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(new RegExp(`/post/${post.id}$`))
  })

  await test.step('What Vera deletes is gone for who paid too', async () => {
    await card(veras).getByRole('button', { name: 'More about this post' }).click()
    await pickFromMenu(veras, 'Delete post')
    const confirm = veras.getByRole('alertdialog').getByRole('button', { name: 'Delete' })
    await veras.route('**/api/posts/*', (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })
    await confirm.click()
    await expect(veras.getByText('Failed to delete post. Please try again.')).toBeVisible()
    await card(veras).getByRole('button', { name: 'More about this post' }).click()
    await pickFromMenu(veras, 'Delete post')
    await confirm.click()
    await expect(veras.getByText('Post Deleted')).toBeVisible()
    await expect(card(veras)).toHaveCount(0)
    await card(page).getByRole('button', { name: /^Like/ }).click()
    await expect(page.getByText('This post is gone.')).toBeVisible()
    await expect(card(page)).toHaveCount(0)
    await second.bringToFront()
    await second.getByRole('textbox', { name: 'Write a comment' }).fill('Is it gone?')
    await second.keyboard.press('Enter')
    await expect(second.getByText('Post not found')).toBeVisible()
  })
  await forget(ned)
  await forget(vera)
})

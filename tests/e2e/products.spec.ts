import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './axe.ts'
import { arrive, forget, pickFromMenu, sql, watchErrors } from './support.ts'

const form = (page: Page) => page.getByRole('dialog', { name: 'Add Product' })
const post = (page: Page) => form(page).getByRole('button', { name: 'Post Product' })
const field = (page: Page, name: string) => form(page).getByLabel(name, { exact: true })
/** The post that offers it. */
const card = (page: Page, name: string) =>
  page.getByRole('article').filter({ has: page.getByRole('group', { name: `Product: ${name}` }) })

const openForm = async (page: Page) => {
  await page.getByRole('button', { name: 'Add Product' }).filter({ visible: true }).click()
  await expect(field(page, 'Product name')).toBeFocused()
}

/** A small picture, as a file that is chosen. */
const picture = async (page: Page) => ({
  name: 'mug.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    await page.evaluate(() => {
      const canvas = document.createElement('canvas')
      canvas.width = 320
      canvas.height = 240
      const context = canvas.getContext('2d')
      if (!context) throw new Error('This browser does not draw.')
      context.fillStyle = '#345'
      context.fillRect(0, 0, 320, 240)
      context.fillStyle = '#e96'
      context.fillRect(100, 60, 120, 130)
      return canvas.toDataURL('image/png').split(',')[1] ?? ''
    }),
    'base64',
  ),
})

test('a product is asked for what it needs, posted once and shown as a card everywhere', async ({
  browser,
}) => {
  const ada = await arrive(browser, 'Ada Sells')
  const { page, who } = ada
  await openForm(page)
  await post(page).click()
  const toast = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Dismiss' }) })
  await expect(toast).toContainText('Please fill in all required fields.')
  await expect(field(page, 'Product name')).toBeFocused()
  await expectAccessible(page)
  const name = `Stage mug ${who.username.slice(-6)}`
  await field(page, 'Product name').fill(name)
  await field(page, 'Price in US dollars').fill('24,5')
  await field(page, 'Category (optional)').fill('Home')
  await field(page, 'Store URL').fill('javascript:alert(1)')
  await field(page, 'Description').fill('Fired twice, by hand. #mugs')
  await post(page).click()
  await expect(toast).toContainText('Please enter a valid store URL.')
  await expect(field(page, 'Store URL')).toBeFocused()
  await expect(field(page, 'Store URL')).toHaveAttribute('aria-invalid', 'true')
  await field(page, 'Store URL').fill('store.example/mugs')
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    form(page).getByRole('button', { name: 'Add an image (optional)' }).click(),
  ])
  await chooser.setFiles(await picture(page))
  await expect(form(page).getByText('The image is uploaded.')).toBeAttached()
  await page.keyboard.press('Tab')
  await expect(form(page).getByRole('button', { name: 'Remove image' })).toBeFocused()
  await field(page, 'Alt text (optional)').fill('A mug')

  // Closed by accident, or refused by the server: what was typed is still there.
  await page.keyboard.press('Escape')
  await expect(form(page)).toBeHidden()
  await page.route('**/api/products', (route) => route.fulfill({ status: 503, body: '{}' }), { times: 1 })
  await openForm(page)
  await expect(field(page, 'Description')).toHaveValue('Fired twice, by hand. #mugs')
  await post(page).click()
  await expect(toast).toContainText('Failed to post product. Please try again.')
  await expect(field(page, 'Product name')).toHaveValue(name)
  await expect(form(page).getByRole('img', { name: 'A mug' })).toBeVisible()
  await expectAccessible(page)

  const seen = watchErrors(page)
  await post(page).dblclick()
  await expect(page.getByText('Product Posted!')).toBeVisible()
  await expect(form(page)).toBeHidden()
  // On top of the feed at once, and once.
  const shown = card(page, name)
  await expect(page.getByRole('article').first()).toContainText(name)
  await expect(shown).toHaveCount(1)
  for (const text of ['$24.50', 'Home', 'Fired twice, by hand.', 'store.example'])
    await expect(shown.getByText(text, { exact: false }).first()).toBeVisible()
  await expect(shown.getByRole('img', { name: 'A mug' })).toBeVisible()
  const store = shown.getByRole('link', { name: /^Visit Store/ })
  await expect(store).toHaveAttribute('href', 'https://store.example/mugs')
  await expect(store).toHaveAttribute('target', '_blank')
  await expect(store).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc')
  await expectAccessible(page)
  expect(
    await sql`select from public.posts p join public.profiles u on u.id = p.author_id
              where u.username = ${who.username}`,
  ).toHaveLength(1)

  // Any post can be liked, saved and talked about, and so can this.
  await shown.getByRole('button', { name: /^Like/ }).click()
  await shown.getByRole('button', { name: /^Save/ }).click()

  await shown.getByRole('button', { name: 'More about this post' }).click()
  await pickFromMenu(page, 'Edit post')
  const edit = page.getByRole('dialog', { name: 'Edit product' })
  await edit.getByLabel('Price in US dollars').fill('')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit.getByText('Please fill in all required fields.')).toBeVisible()
  await expect(edit.getByLabel('Price in US dollars')).toBeFocused()
  await expectAccessible(page)
  await edit.getByLabel('Price in US dollars').fill('20')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(shown.getByText('$20.00')).toBeVisible()

  for (const address of ['/saved', `/profile/${who.username}`, '/topic/mugs']) {
    await page.goto(address)
    await expect(card(page, name).getByText('$20.00')).toBeVisible()
  }
  expect(seen.errors).toEqual([])

  // Visitors see it too, on a phone.
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const visitor = await phone.newPage()
  await visitor.goto(`/profile/${who.username}`)
  await expect(card(visitor, name).getByRole('link', { name: /^Visit Store/ })).toBeVisible()
  await expectAccessible(visitor)
  await phone.close()

  await page.goto('/')
  await card(page, name).getByRole('button', { name: 'More about this post' }).click()
  await pickFromMenu(page, 'Delete post')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Post Deleted')).toBeVisible()
  await expect(card(page, name)).toHaveCount(0)
  await forget(ada)
})

import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { chooseFiles, drawGradientPng, pngFile } from './support/files.ts'
import { collectPageErrors, phoneViewport, pickFromMenu } from './support/page.ts'
import { createUserOnHomeFeed, deleteUser, sql } from './support/users.ts'

const productForm = (page: Page) => page.getByRole('dialog', { name: 'Add Product' })
const postButton = (page: Page) => productForm(page).getByRole('button', { name: 'Post product' })
const field = (page: Page, name: string) => productForm(page).getByLabel(name, { exact: true })
/** Returns the post that shows a product. */
const productCard = (page: Page, name: string) =>
  page.getByRole('article').filter({ has: page.getByRole('group', { name: `Product: ${name}` }) })

async function openProductForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add Product' }).filter({ visible: true }).click()
  await expect(field(page, 'Product name')).toBeFocused()
}

test.describe('Products', () => {
  test('validates the form, posts a product once and shows the product as a card everywhere', async ({
    browser,
  }) => {
    const ada = await createUserOnHomeFeed(browser, 'Ada Sells')
    const { page, account } = ada
    // Safari 16 lacks this function.
    await page.evaluate(() => Reflect.deleteProperty(URL, 'canParse'))
    await openProductForm(page)
    await postButton(page).click()
    const toast = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Dismiss' }) })
    await expect(toast).toContainText('Please fill in all required fields.')
    await expect(field(page, 'Product name')).toBeFocused()
    await expectAccessible(page)
    const name = `Stage mug ${account.username.slice(-6)}`
    await field(page, 'Product name').fill(name)
    await field(page, 'Price in US dollars').fill('24,5')
    await field(page, 'Category (optional)').fill('Home')
    await field(page, 'Store URL').fill('javascript:alert(1)')
    await field(page, 'Description').fill('Fired twice, by hand. #mugs')
    await postButton(page).click()
    await expect(toast).toContainText('Please enter a valid store URL.')
    await expect(field(page, 'Store URL')).toBeFocused()
    await expect(field(page, 'Store URL')).toHaveAttribute('aria-invalid', 'true')
    await field(page, 'Store URL').fill('store.example/mugs')
    // A large file that cannot be compressed is removed, because it would be rejected again.
    const header = (await drawGradientPng(page, 20)).subarray(0, 40)
    const broken = Buffer.concat([header, Buffer.alloc(1024 * 1024)])
    await chooseFiles(productForm(page), /Add an image \(optional\)/, pngFile('broken.png', broken))
    await expect(toast).toContainText('Failed to process the image.')
    await expect(productForm(page).getByRole('button', { name: 'Try again' })).toBeHidden()
    await chooseFiles(
      productForm(page),
      /Add an image \(optional\)/,
      pngFile('mug.png', await drawGradientPng(page, 20)),
    )
    await expect(productForm(page).getByText('Image uploaded')).toBeAttached()
    await page.keyboard.press('Tab')
    await expect(productForm(page).getByRole('button', { name: 'Remove image' })).toBeFocused()
    await field(page, 'Alt text (optional)').fill('A mug')

    // The form keeps its input when it is closed and when a request fails.
    await page.keyboard.press('Escape')
    await expect(productForm(page)).toBeHidden()
    await page.route('**/api/products', (route) => route.fulfill({ status: 503, body: '{}' }), { times: 1 })
    await openProductForm(page)
    await expect(field(page, 'Description')).toHaveValue('Fired twice, by hand. #mugs')
    await postButton(page).click()
    await expect(toast).toContainText("Couldn't post the product. Try again.")
    await expect(field(page, 'Product name')).toHaveValue(name)
    await expect(productForm(page).getByRole('img', { name: 'A mug' })).toBeVisible()
    await expectAccessible(page)

    const collected = collectPageErrors(page)
    await postButton(page).dblclick()
    await expect(page.getByText('Product Posted!')).toBeVisible()
    await expect(productForm(page)).toBeHidden()
    // The feed shows the product once, at the top.
    const card = productCard(page, name)
    await expect(page.getByRole('article').first()).toContainText(name)
    await expect(card).toHaveCount(1)
    for (const text of ['$24.50', 'Home', 'Fired twice, by hand.', 'store.example'])
      await expect(card.getByText(text, { exact: false }).first()).toBeVisible()
    await expect(card.getByRole('img', { name: 'A mug' })).toBeVisible()
    const store = card.getByRole('link', { name: /^Visit store/ })
    await expect(store).toHaveAttribute('href', 'https://store.example/mugs')
    await expect(store).toHaveAttribute('target', '_blank')
    await expect(store).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc')
    await expectAccessible(page)
    expect(await sql`select from public.posts where author_id = ${ada.id}`).toHaveLength(1)

    // A product can be liked and saved like any post.
    await card.getByRole('button', { name: /^Like/ }).click()
    await card.getByRole('button', { name: /^Save/ }).click()

    await card.getByRole('button', { name: 'More about this post' }).click()
    await pickFromMenu(page, 'Edit post')
    const edit = page.getByRole('dialog', { name: 'Edit product' })
    await edit.getByLabel('Price in US dollars').fill('')
    await edit.getByRole('button', { name: 'Save' }).click()
    await expect(edit.getByText('Please fill in all required fields.')).toBeVisible()
    await expect(edit.getByLabel('Price in US dollars')).toBeFocused()
    await expectAccessible(page)
    await edit.getByLabel('Price in US dollars').fill('20')
    await edit.getByRole('button', { name: 'Save' }).click()
    await expect(card.getByText('$20.00')).toBeVisible()

    for (const path of ['/saved', `/profile/${account.username}`, '/topic/mugs']) {
      await page.goto(path)
      await expect(productCard(page, name).getByText('$20.00')).toBeVisible()
    }
    expect(collected.errors).toEqual([])

    // Visitors see the product too, here on a phone.
    const phone = await browser.newContext({ viewport: phoneViewport, hasTouch: true })
    const visitorPage = await phone.newPage()
    await visitorPage.goto(`/profile/${account.username}`)
    await expect(productCard(visitorPage, name).getByRole('link', { name: /^Visit store/ })).toBeVisible()
    await expectAccessible(visitorPage)
    await phone.close()

    await page.goto('/')
    await productCard(page, name).getByRole('button', { name: 'More about this post' }).click()
    await pickFromMenu(page, 'Delete post')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(page.getByText('Post Deleted')).toBeVisible()
    await expect(productCard(page, name)).toHaveCount(0)
    await deleteUser(ada)
  })
})

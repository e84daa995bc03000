import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, type Locator, type Page, test } from 'playwright/test'
import { mp4 } from '../support/videos.ts'
import { expectAccessible } from './axe.ts'
import { clip, hand, png, type TestFile } from './files.ts'
import { expectToastInSight, forget, join, pickFromMenu, sql, watchErrors } from './support.ts'

const textOf = (root: Page | Locator) => root.getByRole('textbox', { name: "What's on your mind?" })
const post = (root: Page | Locator) => root.getByRole('button', { name: 'Post', exact: true })
/** Where a signed upload is sent. */
const place = '**/storage/v1/object/upload/**'
/** The post that says so; others post meanwhile. */
const saying = (page: Page, words: string) => page.getByRole('article').filter({ hasText: words })

/** A noisy PNG of so many pixels a side, which no encoder makes small. */
async function noise(page: Page, side: number): Promise<TestFile> {
  const base64 = await page.evaluate((side) => {
    const canvas = document.createElement('canvas')
    canvas.width = side
    canvas.height = side
    const context = canvas.getContext('2d')
    const pixels = context?.createImageData(side, side)
    if (!context || !pixels) throw new Error('This browser does not draw.')
    for (let at = 0; at < pixels.data.length; at += 1)
      pixels.data[at] = at % 4 === 3 ? 255 : Math.random() * 256
    context.putImageData(pixels, 0, 0)
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  }, side)
  return png('noise.png', Buffer.from(base64, 'base64'))
}

test('a creator posts words, pictures and a video, free and for money', async ({ browser }, testInfo) => {
  const vera = await join(browser, 'Vera Lind')
  const { who } = vera
  const isAuthors = sql`p.author_id = (select id from auth.users where email = ${who.email})`
  await sql`update public.profiles set is_creator = true
    where id = (select id from auth.users where email = ${who.email})`
  const page = await vera.context.newPage()
  await page.goto('/')
  const watched = watchErrors(page)
  const text = textOf(page)
  const image = page.getByRole('group', { name: 'Image', exact: true })
  const video = page.getByRole('group', { name: 'Video', exact: true })
  const files = page.locator('input[type=file]')
  const done = page.getByText('Post created successfully!')
  const dismiss = page.getByRole('button', { name: 'Dismiss' })

  await test.step('Nothing is no post; words with an emoji are, once', async () => {
    await post(page).click()
    await expect(
      page.getByText('Please enter some content or add an image/video for your post.'),
    ).toBeVisible()
    await expect(text).toBeFocused()
    await text.fill('Opening night ')
    await page.getByRole('button', { name: 'Add an emoji' }).click()
    await expect(page.getByRole('dialog').getByRole('button')).toHaveCount(20)
    await page.getByRole('button', { name: 'rocket' }).click()
    await expect(text).toHaveValue('Opening night 🚀')
    await expect(text).toBeFocused()
    await post(page).dblclick()
    await expect(done).toBeVisible()
    await expect(saying(page, 'Opening night 🚀')).toBeVisible()
    await expect(text).toHaveValue('')
    expect(await sql`select 1 from public.posts p where ${isAuthors}`).toHaveLength(1)
  })

  await test.step('A file that lies about its type is refused', async () => {
    const lie = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<svg onload="alert(1)"/>') }
    await files.first().setInputFiles(lie)
    await expect(page.getByText('Invalid file type')).toBeVisible()
    await expect(page.getByText('Please select a JPG, PNG, or GIF image.')).toBeVisible()
    await expect(image).toBeHidden()
    const sound = { name: 'clip.mp4', mimeType: 'video/mp4', buffer: Buffer.from('ID3 not a film at all') }
    await files.nth(1).setInputFiles(sound)
    await expect(page.getByText('Please select an MP4, WebM or QuickTime video.')).toBeVisible()
  })

  await test.step('So is a video that is too large', async () => {
    const long = testInfo.outputPath('long.mp4')
    writeFileSync(long, mp4())
    truncateSync(long, 100 * 1024 * 1024 + 1)
    await files.nth(1).setInputFiles(long)
    await expect(page.getByText('File too large')).toBeVisible()
    await expect(page.getByText('Video size must be less than 100MB.')).toBeVisible()
    await expect(video).toBeHidden()
    rmSync(long)
  })

  await test.step('A large picture that is dropped is made smaller and told in words', async () => {
    const large = await noise(page, 700)
    expect(large.buffer.length).toBeGreaterThan(1024 * 1024)
    await hand(text, 'dragenter', large)
    await expect(page.getByText('Drop an image or a video here')).toBeVisible()
    const sent: number[] = []
    await page.route('**/api/upload', (route) => {
      sent.push(route.request().postDataBuffer()?.length ?? 0)
      return route.continue()
    })
    await hand(text, 'drop', large)
    await expect(page.getByText('Optimizing image')).toBeVisible()
    await expect(page.getByText('Compressing large image for better performance...')).toBeVisible()
    await expect(page.getByText('Drop an image or a video here')).toBeHidden()
    await image.getByLabel('Alt text').fill('Grey snow')
    await expect(image.getByRole('button', { name: 'Remove image' })).toBeVisible()
    await page.unroute('**/api/upload')
    expect(sent).toEqual([expect.any(Number)])
    expect(sent[0]).toBeGreaterThan(50 * 1024)
    expect(sent[0]).toBeLessThan(large.buffer.length / 2)
    // A page that comes later finds what is written, and both show the same from then on.
    await text.fill('From the stage')
    const tab = await vera.context.newPage()
    await tab.goto('/')
    await expect(textOf(tab)).toHaveValue('From the stage')
    await expect(tab.getByRole('img', { name: 'Grey snow' })).toBeVisible()
    await textOf(tab).fill('From the stage, twice')
    await expect(text).toHaveValue('From the stage, twice')
    await tab.close()
    await post(page).click()
    await expect(done).toBeVisible()
    await dismiss.click()
    await expect(saying(page, 'From the stage, twice').getByRole('img', { name: 'Grey snow' })).toBeVisible()
    await expect(image).toBeHidden()
  })

  const film = { name: 'film.webm', mimeType: 'video/webm', buffer: await clip(page) }

  await test.step('A pasted picture gives way to a video, whose upload can be cancelled', async () => {
    await hand(text, 'paste', await noise(page, 40))
    await expect(image.getByRole('button', { name: 'Remove image' })).toBeVisible()
    // Never answered.
    await page.route(place, () => undefined)
    await files.nth(1).setInputFiles(film)
    await expect(image).toBeHidden()
    await expect(video.getByRole('progressbar', { name: 'Video upload' })).toBeVisible()
    await video.getByRole('button', { name: 'Cancel' }).click()
    await expect(video).toBeHidden()
    await expect(text).toBeFocused()
    await page.unroute(place)
  })

  await test.step('A video outlives a lost connection, and the post waits for it', async () => {
    let attempts = 0
    await page.route(place, async (route) => {
      attempts += 1
      await (attempts === 1 ? route.abort('connectionreset') : route.continue())
    })
    await files.nth(1).setInputFiles(film)
    await text.fill('The whole show')
    await page.getByRole('switch', { name: 'Premium' }).click()
    const price = page.getByLabel('Price in US dollars')
    await expect(price).toHaveValue('10.00')
    await price.fill('12.50')
    await page.getByLabel('Teaser').fill('Forty minutes of thunder')
    await post(page).click()
    await expect(done).toBeVisible()
    expect(attempts).toBe(2)
    await expect(saying(page, 'The whole show').locator('video')).toBeAttached()
    await page.unroute(place)
    const rows = await sql`
      select p.content, p.teaser, p.premium_price::float as price, p.media_type, c.content as sold,
        c.poster_id is not null as has_still
      from public.posts p join public.premium_contents c on c.post_id = p.id
      where ${isAuthors}`
    expect(rows).toEqual([
      {
        content: '',
        teaser: 'Forty minutes of thunder',
        price: 12.5,
        media_type: 'video',
        sold: 'The whole show',
        has_still: true,
      },
    ])
  })

  await test.step('Create New Post opens over any screen, and gives the focus back', async () => {
    await page.setViewportSize({ width: 1280, height: 900 })
    const action = page.getByRole('button', { name: 'Create New Post' })
    await action.click()
    const dialog = page.getByRole('dialog', { name: 'Create New Post' })
    await expect(textOf(dialog)).toBeFocused()
    await textOf(dialog).fill('Written in between')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(action).toBeFocused()
    await expect(text).toHaveValue('Written in between')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Saved' }).click()
    await expect(page.getByRole('heading', { name: 'Saved Posts', exact: true })).toBeVisible()
    await page.keyboard.press('n')
    await expect(textOf(dialog)).toHaveValue('Written in between')
    // With all that can stand in it, it fits the smallest screens.
    const premium = dialog.getByRole('switch', { name: 'Premium' })
    const price = dialog.getByLabel('Price in US dollars')
    await premium.click()
    await textOf(dialog).fill('x'.repeat(4600))
    await expect(dialog.getByText('400 left')).toBeVisible()
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
      await post(dialog).click({ trial: true })
      await premium.click({ trial: true })
    }
    await textOf(dialog).fill('Written in between')
    await price.fill('0.99')
    await post(dialog).click()
    await expect(dialog.getByText('Please enter a price between $1.00 and $999.99.')).toBeVisible()
    await expect(price).toBeFocused()
    await expectAccessible(page)
    await premium.click()
    // A refusal loses nothing.
    await page.route('**/api/posts', (route) => route.abort())
    await post(dialog).click()
    await expectToastInSight(page, 'Failed to create post. Please try again.', post(dialog))
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.unroute('**/api/posts')
    await expect(textOf(dialog)).toHaveValue('Written in between')
    await textOf(dialog).press('Control+Enter')
    await expect(done).toBeVisible()
    await expect(dialog).toBeHidden()
  })

  await test.step('What was posted can be changed', async () => {
    await page.goto(`/profile/${who.username}`)
    await saying(page, 'Written in between').getByRole('button', { name: 'More about this post' }).click()
    await pickFromMenu(page, 'Edit post')
    const dialog = page.getByRole('dialog', { name: 'Edit post' })
    await dialog.getByLabel('Text').fill('Written and mended')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(saying(page, 'Written and mended')).toBeVisible()
    await expect(dialog).toBeHidden()
  })

  await test.step('What is deleted leaves the focus at the post after it', async () => {
    await saying(page, 'Written and mended').getByRole('button', { name: 'More about this post' }).click()
    await pickFromMenu(page, 'Delete post')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(saying(page, 'Written and mended')).toHaveCount(0)
    await expect(saying(page, 'The whole show')).toBeFocused()
  })

  await test.step('An edit of what was deleted meanwhile says that it is gone', async () => {
    const late = saying(page, 'The whole show')
    await late.getByRole('button', { name: 'More about this post' }).click()
    await pickFromMenu(page, 'Edit post')
    const dialog = page.getByRole('dialog', { name: 'Edit post' })
    await dialog.getByLabel('Text for those who pay').fill('The whole show, and more')
    const [row] = await sql<
      { id: string }[]
    >`select p.id from public.posts p where ${isAuthors} and p.is_premium`
    expect((await vera.context.request.delete(`/api/posts/${row?.id}`)).status()).toBe(204)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('This post is gone.')).toBeVisible()
    await expect(dialog).toBeHidden()
    await expect(late).toHaveCount(0)
  })

  const lost = ['net::ERR_CONNECTION_RESET', 'net::ERR_FAILED', '404']
  expect(watched.errors.filter((error) => !lost.some((one) => error.includes(one)))).toEqual([])
  await forget(vera)
})

import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, type Locator, type Page, test } from 'playwright/test'
import { createMp4 } from '../support/media-files.ts'
import { expectAccessible } from './support/accessibility.ts'
import { dispatchFileEvent, pngFile, recordWebm, type TestFile } from './support/files.ts'
import { collectPageErrors, pickFromMenu, postWithText } from './support/page.ts'
import { expectToastUnobstructed } from './support/toasts.ts'
import { createSignedInUser, deleteUser, promoteToCreator, sql } from './support/users.ts'

const textInput = (root: Page | Locator) => root.getByRole('textbox', { name: "What's on your mind?" })
const postButton = (root: Page | Locator) => root.getByRole('button', { name: 'Post', exact: true })
/** The URL pattern of signed uploads. */
const signedUploadUrl = '**/storage/v1/object/upload/**'

/** Draws a square PNG of random pixels, which PNG cannot compress. `side` is in pixels. */
async function drawNoisePng(page: Page, side: number): Promise<TestFile> {
  const base64 = await page.evaluate((side) => {
    const canvas = document.createElement('canvas')
    canvas.width = side
    canvas.height = side
    const context = canvas.getContext('2d')
    const pixels = context?.createImageData(side, side)
    if (!context || !pixels) throw new Error('This browser has no 2D canvas.')
    for (let index = 0; index < pixels.data.length; index += 1)
      pixels.data[index] = index % 4 === 3 ? 255 : Math.random() * 256
    context.putImageData(pixels, 0, 0)
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  }, side)
  return pngFile('noise.png', Buffer.from(base64, 'base64'))
}

test.describe('Post composer', () => {
  test('publishes, edits and deletes posts with text, images and videos, free and premium', async ({
    browser,
  }, testInfo) => {
    const vera = await createSignedInUser(browser, 'Vera Lind')
    await promoteToCreator(vera)
    const page = await vera.context.newPage()
    await page.goto('/')
    const collected = collectPageErrors(page)
    const text = textInput(page)
    const image = page.getByRole('group', { name: 'Image', exact: true })
    const video = page.getByRole('group', { name: 'Video', exact: true })
    const fileInputs = page.locator('input[type=file]')
    const successToast = page.getByText('Post created successfully!')
    const dismiss = page.getByRole('button', { name: 'Dismiss' })

    await test.step('rejects an empty post and publishes text with an emoji once', async () => {
      await expect(postButton(page)).toBeHidden()
      await text.click()
      await postButton(page).click()
      await expect(
        page.getByText('Please enter some content or add an image/video for your post.'),
      ).toBeVisible()
      await expect(text).toBeFocused()
      await text.fill('Opening night ')
      await page.route('**/assets/EmojiGrid-*.js', (route) => route.fulfill({ status: 503 }))
      await page.getByRole('button', { name: 'Add an emoji' }).click()
      const emojis = page.getByRole('dialog', { name: 'Emoji' })
      await expect(emojis.getByRole('alert')).toContainText("Couldn't load this")
      await page.unroute('**/assets/EmojiGrid-*.js')
      // Discards the errors that the failed requests caused.
      collected.errors.splice(0)
      await emojis.getByRole('button', { name: 'Try again' }).click()
      await expect(emojis.getByRole('button')).toHaveCount(20)
      await expect(emojis.getByRole('button', { name: 'grinning' })).toBeFocused()
      await page.getByRole('button', { name: 'rocket' }).click()
      await expect(text).toHaveValue('Opening night 🚀')
      await expect(text).toBeFocused()
      // The toast disappears after six seconds, so the wait for it starts before the clicks.
      await Promise.all([expect(successToast).toBeVisible(), postButton(page).dblclick()])
      await expect(postWithText(page, 'Opening night 🚀')).toBeVisible()
      await expect(text).toHaveValue('')
      expect(await sql`select 1 from public.posts p where p.author_id = ${vera.id}`).toHaveLength(1)
    })

    await test.step('publishes an image that is still being checked when the user clicks Post', async () => {
      await page.route('**/assets/accept-media-*.js', async (route) => {
        await page.waitForTimeout(1_000)
        await route.continue()
      })
      const photo = await drawNoisePng(page, 40)
      await text.fill('Curtain')
      await fileInputs.first().setInputFiles(photo)
      await postButton(page).click()
      await expect(postWithText(page, 'Curtain')).toBeVisible()
      const posts =
        await sql`select media_type from public.posts where author_id = ${vera.id} and media_id is not null`
      expect(posts).toEqual([{ media_type: 'image' }])
    })

    await test.step('stays open after an image that was added to the collapsed composer is published', async () => {
      await page.goto('/')
      await expect(postButton(page)).toBeHidden()
      await fileInputs.first().setInputFiles(await drawNoisePng(page, 40))
      await expect(image).toBeVisible()
      await postButton(page).focus()
      await page.keyboard.press('Enter')
      await expect(successToast.first()).toBeVisible()
      await expect(image).toBeHidden()
      await expect(postButton(page)).toBeEnabled()
    })

    await test.step('rejects files whose content does not match their type', async () => {
      const fakeJpeg = {
        name: 'photo.jpg',
        mimeType: 'image/jpeg',
        buffer: Buffer.from('<svg onload="alert(1)"/>'),
      }
      await fileInputs.first().setInputFiles(fakeJpeg)
      await expect(page.getByText('Invalid file type')).toBeVisible()
      await expect(page.getByText('Please select a JPG, PNG, or GIF image.')).toBeVisible()
      await expect(image).toBeHidden()
      const fakeMp4 = {
        name: 'clip.mp4',
        mimeType: 'video/mp4',
        buffer: Buffer.from('ID3 not a film at all'),
      }
      await fileInputs.nth(1).setInputFiles(fakeMp4)
      await expect(page.getByText('Please select an MP4, WebM or QuickTime video.')).toBeVisible()
    })

    await test.step('rejects a video that is too large', async () => {
      const path = testInfo.outputPath('long.mp4')
      writeFileSync(path, createMp4())
      truncateSync(path, 100 * 1024 * 1024 + 1)
      await fileInputs.nth(1).setInputFiles(path)
      await expect(page.getByText('File too large')).toBeVisible()
      await expect(page.getByText('Video size must be less than 100MB.')).toBeVisible()
      await expect(video).toBeHidden()
      rmSync(path)
    })

    await test.step('compresses a dropped image, stores its alt text and shares the draft between tabs', async () => {
      const large = await drawNoisePng(page, 700)
      expect(large.buffer.length).toBeGreaterThan(1024 * 1024)
      await dispatchFileEvent(text, 'dragenter', large)
      await expect(page.getByText('Drop an image or a video here')).toBeVisible()
      const uploadSizes: number[] = []
      await page.route('**/api/upload', (route) => {
        uploadSizes.push(route.request().postDataBuffer()?.length ?? 0)
        return route.continue()
      })
      await dispatchFileEvent(text, 'drop', large)
      await expect(page.getByText('Optimizing image')).toBeVisible()
      await expect(page.getByText('Compressing large image for better performance...')).toBeVisible()
      await expect(page.getByText('Drop an image or a video here')).toBeHidden()
      await image.getByLabel('Alt text').fill('Grey snow')
      await expect(image.getByRole('button', { name: 'Remove image' })).toBeVisible()
      await page.unroute('**/api/upload')
      expect(uploadSizes).toEqual([expect.any(Number)])
      expect(uploadSizes[0]).toBeGreaterThan(50 * 1024)
      expect(uploadSizes[0]).toBeLessThan(large.buffer.length / 2)
      // A page that is opened later shows the draft, and both pages stay in sync.
      await text.fill('From the stage')
      const otherTab = await vera.context.newPage()
      await otherTab.goto('/')
      await expect(textInput(otherTab)).toHaveValue('From the stage')
      await expect(otherTab.getByRole('img', { name: 'Grey snow' })).toBeVisible()
      await textInput(otherTab).fill('From the stage, twice')
      await expect(text).toHaveValue('From the stage, twice')
      await otherTab.close()
      await postButton(page).click()
      await expect(successToast).toBeVisible()
      await dismiss.click()
      await expect(
        postWithText(page, 'From the stage, twice').getByRole('img', { name: 'Grey snow' }),
      ).toBeVisible()
      await expect(image).toBeHidden()
    })

    const webm = { name: 'film.webm', mimeType: 'video/webm', buffer: await recordWebm(page) }

    await test.step('replaces a pasted image with a video, whose upload can be cancelled', async () => {
      await dispatchFileEvent(text, 'paste', await drawNoisePng(page, 40))
      await expect(image.getByRole('button', { name: 'Remove image' })).toBeVisible()
      // The upload never gets a response.
      await page.route(signedUploadUrl, () => undefined)
      await fileInputs.nth(1).setInputFiles(webm)
      await expect(image).toBeHidden()
      await expect(video.getByRole('progressbar', { name: 'Video upload' })).toBeVisible()
      await video.getByRole('button', { name: 'Cancel' }).click()
      await expect(video).toBeHidden()
      await expect(text).toBeFocused()
      await page.unroute(signedUploadUrl)
    })

    await test.step('reports a server error promptly and does not call it a lost connection', async () => {
      await page.route(signedUploadUrl, (route) => route.fulfill({ status: 500, json: {} }))
      await fileInputs.nth(1).setInputFiles(webm)
      await expect(page.getByText('Failed to upload media. Please try again.')).toBeVisible()
      await expect(page.getByText('Connection lost')).toBeHidden()
      await video.getByRole('button', { name: 'Remove' }).click()
      await page.unroute(signedUploadUrl)
    })

    await test.step('retries an interrupted video upload and publishes the premium post after the upload', async () => {
      let attempts = 0
      await page.route(signedUploadUrl, async (route) => {
        attempts += 1
        await (attempts === 1 ? route.abort('connectionreset') : route.continue())
      })
      await fileInputs.nth(1).setInputFiles(webm)
      await text.fill('The whole show')
      await page.getByRole('switch', { name: 'Premium' }).click()
      const price = page.getByLabel('Price in US dollars')
      await expect(price).toHaveValue('10.00')
      await price.fill('12.50')
      await page.getByLabel('Teaser').fill('Forty minutes of thunder')
      await postButton(page).click()
      await expect(successToast).toBeVisible()
      expect(attempts).toBe(2)
      await expect(postWithText(page, 'The whole show').locator('video')).toBeAttached()
      await page.unroute(signedUploadUrl)
      const rows = await sql`
        select p.content, p.teaser, p.premium_price::float as price, p.media_type, c.content as premium_content,
          c.poster_id is not null as has_poster
        from public.posts p join public.premium_contents c on c.post_id = p.id
        where p.author_id = ${vera.id}`
      expect(rows).toEqual([
        {
          content: '',
          teaser: 'Forty minutes of thunder',
          price: 12.5,
          media_type: 'video',
          premium_content: 'The whole show',
          has_poster: true,
        },
      ])
    })

    await test.step('opens in a dialog on any page, fits a phone and returns the focus', async () => {
      await page.setViewportSize({ width: 1280, height: 900 })
      const createButton = page.getByRole('button', { name: 'Create New Post' })
      await createButton.click()
      const dialog = page.getByRole('dialog', { name: 'Create New Post' })
      await expect(textInput(dialog)).toBeFocused()
      await textInput(dialog).fill('Written in between')
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(createButton).toBeFocused()
      await expect(text).toHaveValue('Written in between')
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Saved' }).click()
      await expect(page.getByRole('heading', { name: 'Saved Posts', exact: true })).toBeVisible()
      await page.keyboard.press('n')
      await expect(textInput(dialog)).toHaveValue('Written in between')
      // The dialog with all its fields fits the smallest screens.
      const premium = dialog.getByRole('switch', { name: 'Premium' })
      const price = dialog.getByLabel('Price in US dollars')
      await premium.click()
      await textInput(dialog).fill('x'.repeat(4600))
      await expect(dialog.getByText('400 left')).toBeVisible()
      for (const width of [320, 390]) {
        await page.setViewportSize({ width, height: 844 })
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
        expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
        await postButton(dialog).click({ trial: true })
        await premium.click({ trial: true })
      }
      await textInput(dialog).fill('Written in between')
      await price.fill('0.99')
      await postButton(dialog).click()
      await expect(dialog.getByText('Please enter a price between $1.00 and $999.99.')).toBeVisible()
      await expect(price).toBeFocused()
      await expectAccessible(page)
      await premium.click()
      // The dialog keeps its input when the request fails.
      await page.route('**/api/posts', (route) => route.abort())
      await postButton(dialog).click()
      await expectToastUnobstructed(page, 'Failed to create post. Please try again.', postButton(dialog))
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.unroute('**/api/posts')
      await expect(textInput(dialog)).toHaveValue('Written in between')
      await textInput(dialog).press('Control+Enter')
      await expect(successToast).toBeVisible()
      await expect(dialog).toBeHidden()
    })

    await test.step('edits a post', async () => {
      await page.goto(`/profile/${vera.account.username}`)
      await postWithText(page, 'Written in between')
        .getByRole('button', { name: 'More about this post' })
        .click()
      await pickFromMenu(page, 'Edit post')
      const dialog = page.getByRole('dialog', { name: 'Edit post' })
      await dialog.getByLabel('Text').fill('Written and edited')
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(postWithText(page, 'Written and edited')).toBeVisible()
      await expect(dialog).toBeHidden()
    })

    await test.step('focuses the next post after deleting one', async () => {
      await postWithText(page, 'Written and edited')
        .getByRole('button', { name: 'More about this post' })
        .click()
      await pickFromMenu(page, 'Delete post')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await expect(postWithText(page, 'Written and edited')).toHaveCount(0)
      await expect(postWithText(page, 'The whole show')).toBeFocused()
    })

    await test.step('says that a post was deleted during the edit', async () => {
      const deletedPost = postWithText(page, 'The whole show')
      await deletedPost.getByRole('button', { name: 'More about this post' }).click()
      await pickFromMenu(page, 'Edit post')
      const dialog = page.getByRole('dialog', { name: 'Edit post' })
      await dialog.getByLabel('Premium text').fill('The whole show, and more')
      const [row] = await sql<
        { id: string }[]
      >`select p.id from public.posts p where p.author_id = ${vera.id} and p.is_premium`
      expect((await vera.context.request.delete(`/api/posts/${row?.id}`)).status()).toBe(204)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('This post is no longer available')).toBeVisible()
      await expect(dialog).toBeHidden()
      await expect(deletedPost).toHaveCount(0)
    })

    const expectedErrors = ['net::ERR_CONNECTION_RESET', 'net::ERR_FAILED', '404', '500']
    expect(
      collected.errors.filter((error) => !expectedErrors.some((expected) => error.includes(expected))),
    ).toEqual([])
    await deleteUser(vera)
  })
})

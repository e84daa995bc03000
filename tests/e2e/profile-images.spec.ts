import { expect, type Locator, type Page, test } from 'playwright/test'
import { createJpegWithMetadata } from '../support/media-files.ts'
import { expectAccessible } from './support/accessibility.ts'
import { accountMenuButton } from './support/auth-forms.ts'
import { chooseFiles, pngFile } from './support/files.ts'
import { collectPageErrors } from './support/page.ts'
import { abortNextRequest } from './support/requests.ts'
import { createSignedInUser, deleteUser, sql } from './support/users.ts'

const photoFile = (buffer: Buffer) => pngFile('photo.png', buffer)

/**
 * Draws a PNG whose pixels encode their position: red increases to the right and green downwards. `noisy` adds random
 * blue, which makes the file large.
 */
async function drawPositionPng(page: Page, width: number, height: number, noisy = false): Promise<Buffer> {
  const base64 = await page.evaluate(
    ({ width, height, noisy }) => {
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width, height })
      const context = canvas.getContext('2d')
      const pixels = context?.createImageData(width, height)
      if (!context || !pixels) throw new Error('This browser has no 2D canvas.')
      for (let index = 0; index < width * height; index += 1) {
        const [x, y] = [index % width, Math.floor(index / width)]
        const blue = noisy ? Math.random() * 255 : 0
        pixels.data.set([(x / width) * 255, (y / height) * 255, blue, 255], index * 4)
      }
      context.putImageData(pixels, 0, 0)
      return canvas.toDataURL('image/png').split(',')[1] ?? ''
    },
    { width, height, noisy },
  )
  return Buffer.from(base64, 'base64')
}

/**
 * Returns the type and size of a stored image, and its red and green values at the center, at the left edge and at the
 * right edge.
 */
function readStoredImage(page: Page, url: string) {
  return page.evaluate(async (url) => {
    const response = await fetch(url, { cache: 'no-store' })
    const image = await createImageBitmap(await response.blob())
    const { width, height } = image
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width, height })
    const context = canvas.getContext('2d')
    if (!context) throw new Error('This browser has no 2D canvas.')
    context.drawImage(image, 0, 0)
    const colorAt = (x: number, y: number) => {
      const [red = 0, green = 0] = context.getImageData(Math.floor(x), Math.floor(y), 1, 1).data
      return { red, green }
    }
    return {
      type: response.headers.get('content-type'),
      size: [width, height],
      middle: colorAt(width / 2, height / 2),
      left: colorAt(1, height / 2),
      right: colorAt(width - 2, height / 2),
    }
  }, url)
}

/** Checks a color channel of a JPEG, which may differ a little from the original. */
const expectChannel = (value: number, expected: number) => expect(Math.abs(value - expected)).toBeLessThan(4)

test.describe('Profile images', () => {
  test('crops a profile photo, resizes a background and updates both everywhere', async ({ browser }) => {
    const vera = await createSignedInUser(browser, 'Vera Lind')
    const { context } = vera
    const page = await context.newPage()
    const collected = collectPageErrors(page)
    const readStoredUrl = async (column: 'profile_image_url' | 'background_image_url') => {
      const [row] = await sql<{ url: string | null }[]>`
        select case when ${column} = 'profile_image_url' then p.profile_image_url else d.background_image_url end as url
        from public.profiles p join public.profile_details d on d.user_id = p.id
        where p.id = ${vera.id}`
      return row?.url ?? ''
    }
    await page.goto('/settings/profile')
    const dialog = page.getByRole('dialog', { name: 'Crop your photo' })
    const cropArea = dialog.getByRole('application')
    const save = dialog.getByRole('button', { name: 'Save photo' })
    const waitForEditor = () => expect(save).toBeEnabled()

    // A second page shows the user's own post in the home feed.
    const feedPage = await context.newPage()
    const collectedInFeed = collectPageErrors(feedPage)
    await feedPage.goto('/')
    await feedPage.getByRole('textbox', { name: "What's on your mind?" }).fill('Waiting for the light.')
    await feedPage.getByRole('button', { name: 'Post', exact: true }).click()
    const avatars = [
      accountMenuButton(page).locator('img'),
      page.getByRole('group', { name: 'Profile photo' }).getByRole('img').locator('img'),
      accountMenuButton(feedPage).locator('img'),
      feedPage.getByRole('article').filter({ hasText: 'Waiting for the light.' }).locator('img'),
    ]
    const expectImageEverywhere = async (images: Locator[], url: string) => {
      expect(url).not.toBe('')
      for (const image of images) await expect(image.first()).toHaveAttribute('src', url)
    }

    await test.step('rejects files that are too large or whose content is not an image', async () => {
      await chooseFiles(
        page,
        'Change photo',
        photoFile(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
      )
      await expect(page.getByText('Invalid file type')).toBeVisible()
      await expect(page.getByText('Please select a JPG, PNG or GIF image.')).toBeVisible()
      const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
      await chooseFiles(
        page,
        'Change photo',
        photoFile(Buffer.concat([pngSignature, Buffer.alloc(5 * 1024 * 1024)])),
      )
      await expect(page.getByText('Please select an image smaller than 5MB.')).toBeVisible()
      await chooseFiles(page, 'Change photo', photoFile(Buffer.concat([pngSignature, Buffer.alloc(100)])))
      await expect(page.getByText('Failed to process the image. Please try a different image.')).toBeVisible()
      await expect(dialog).toBeHidden()
    })

    // The crop area shows 450 pixels of the image in 320 pixels of the page.
    const photo = photoFile(await drawPositionPng(page, 1000, 500))
    const imagePixelsPerPagePixel = 450 / 320

    await test.step('moves the crop with the mouse and stays open when the upload fails', async () => {
      await chooseFiles(page, 'Change photo', photo)
      await waitForEditor()
      await expectAccessible(page)
      const box = await cropArea.boundingBox()
      if (!box) throw new Error('The crop area is not rendered.')
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      await page.mouse.move(x, y)
      await page.mouse.down()
      // The drag starts at the position of the first move.
      for (const deltaX of [1, 40, 101]) await page.mouse.move(x + deltaX, y)
      await page.mouse.up()
      await abortNextRequest(page, '**/api/upload/profile-image')
      await save.click()
      await expect(page.getByText('Failed to upload image. Please try again.')).toBeVisible()
      await save.click()
      await expect(page.getByText('Profile image updated successfully!')).toBeVisible()
      await expect(dialog).toBeHidden()
      const url = await readStoredUrl('profile_image_url')
      const image = await readStoredImage(page, url)
      expect([image.type, image.size]).toEqual(['image/jpeg', [450, 450]])
      expectChannel(image.middle.red, ((500 - 100 * imagePixelsPerPagePixel) / 1000) * 255)
      expectChannel(image.middle.green, 127.5)
      expectChannel(image.right.red - image.left.red, (450 / 1000) * 255)
      await expectImageEverywhere(avatars, url)
    })

    await test.step('moves the crop with the keyboard and cancels with Escape', async () => {
      await chooseFiles(page, 'Change photo', photo)
      await waitForEditor()
      await expect(cropArea).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(page.getByRole('button', { name: 'Change photo' })).toBeFocused()

      await chooseFiles(page, 'Change photo', photo)
      await waitForEditor()
      await expect(cropArea).toBeFocused()
      await page.keyboard.press('Control+ArrowLeft')
      for (let step = 0; step < 4; step += 1) await page.keyboard.press('Shift+ArrowLeft')
      for (let step = 0; step < 10; step += 1) await page.keyboard.press('ArrowUp')
      await save.focus()
      await page.keyboard.press('Enter')
      await expect(page.getByText('Profile image updated successfully!')).toBeVisible()
      await expect(dialog).toBeHidden()
      const url = await readStoredUrl('profile_image_url')
      const { middle } = await readStoredImage(page, url)
      expectChannel(middle.red, ((500 + 140 * imagePixelsPerPagePixel) / 1000) * 255)
      expectChannel(middle.green, ((250 + 10 * imagePixelsPerPagePixel) / 500) * 255)
      await expectImageEverywhere(avatars, url)
    })

    await test.step('applies the EXIF orientation before rotating the photo', async () => {
      // In the correct orientation, red is above blue.
      await chooseFiles(page, 'Change photo', photoFile(createJpegWithMetadata()))
      await waitForEditor()
      await dialog.getByRole('button', { name: 'Rotate' }).click()
      await save.click()
      await expect(dialog).toBeHidden()
      const { right, left } = await readStoredImage(page, await readStoredUrl('profile_image_url'))
      expect(right.red).toBeGreaterThan(180)
      expect(left.red).toBeLessThan(80)
    })

    await test.step('compresses a large background and shows a preview before the upload', async () => {
      const large = await drawPositionPng(page, 1300, 700, true)
      expect(large.length).toBeGreaterThan(1024 * 1024)
      await chooseFiles(page, 'Change background', photoFile(large))
      await expect(page.getByText('Compressing large image for better performance...')).toBeVisible()
      await expect(page.getByRole('img', { name: 'Preview of your background image' })).toBeVisible()
      expect(await readStoredUrl('background_image_url')).toBe('')
      await page.getByRole('button', { name: 'Upload', exact: true }).click()
      await expect(page.getByText('Background image uploaded successfully!')).toBeVisible()
      const url = await readStoredUrl('background_image_url')
      const { size, type } = await readStoredImage(page, url)
      expect([size, type]).toEqual([[1200, 400], 'image/jpeg'])
      await expectImageEverywhere(
        [page.getByRole('img', { name: 'Your background image' }).locator('img')],
        url,
      )
    })

    await test.step('previews the cover photo on the profile before the upload', async () => {
      await feedPage.goto(`/profile/${vera.account.username}`)
      const preview = feedPage.getByRole('img', { name: 'Preview of your cover photo' })
      const before = await readStoredUrl('background_image_url')
      await expect(feedPage.locator(`img[src="${before}"]`)).toBeVisible()
      const small = photoFile(await drawPositionPng(page, 900, 300))
      const selectCover = async () => {
        await feedPage.getByRole('button', { name: 'Edit cover photo' }).click()
        const fileChooser = feedPage.waitForEvent('filechooser')
        await feedPage.getByRole('menuitem', { name: 'Edit cover photo' }).click()
        await (await fileChooser).setFiles(small)
        await expect(preview).toBeVisible()
      }
      await selectCover()
      await feedPage.getByRole('button', { name: 'Cancel' }).click()
      await expect(preview).toBeHidden()
      await selectCover()
      await feedPage.getByRole('button', { name: 'Upload', exact: true }).click()
      await expect(feedPage.getByText('Background updated')).toBeVisible()
      await expect(preview).toBeHidden()
      const after = await readStoredUrl('background_image_url')
      expect(after).not.toBe(before)
      await expect(feedPage.locator(`img[src="${after}"]`)).toBeVisible()
      await expectImageEverywhere(
        [page.getByRole('img', { name: 'Your background image' }).locator('img')],
        after,
      )
    })

    await test.step('removes the profile photo', async () => {
      await page.getByRole('group', { name: 'Profile photo' }).getByRole('button', { name: 'Remove' }).click()
      await expect(page.getByText('Profile image removed')).toBeVisible()
      for (const avatar of avatars.slice(0, 2)) await expect(avatar).toHaveCount(0)
      expect(await readStoredUrl('profile_image_url')).toBe('')
    })

    // The request that the test aborts logs ERR_FAILED. A page logs a 404 if another test runs the `media` job and the
    // job deletes a replaced image while the page is still loading it.
    expect(
      [...collected.errors, ...collectedInFeed.errors].filter(
        (text) => !/ERR_FAILED|status of 404/.test(text),
      ),
    ).toEqual([])
    await deleteUser(vera)
  })
})

import { expect, type Locator, type Page, test } from 'playwright/test'
import { talkativeJpeg } from '../support/pictures.ts'
import { expectAccessible } from './axe.ts'
import { choose, png } from './files.ts'
import { forget, join, sql, watchErrors } from './support.ts'

const file = (buffer: Buffer) => png('photo.png', buffer)

/** A PNG whose red says how far to the right a pixel is, and whose green how far down; noisy, it is large. */
async function chart(page: Page, width: number, height: number, noisy = false): Promise<Buffer> {
  const base64 = await page.evaluate(
    ({ width, height, noisy }) => {
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width, height })
      const context = canvas.getContext('2d')
      const pixels = context?.createImageData(width, height)
      if (!context || !pixels) throw new Error('This browser does not draw.')
      for (let at = 0; at < width * height; at += 1) {
        const [x, y] = [at % width, Math.floor(at / width)]
        const blue = noisy ? Math.random() * 255 : 0
        pixels.data.set([(x / width) * 255, (y / height) * 255, blue, 255], at * 4)
      }
      context.putImageData(pixels, 0, 0)
      return canvas.toDataURL('image/png').split(',')[1] ?? ''
    },
    { width, height, noisy },
  )
  return Buffer.from(base64, 'base64')
}

/** The size of a stored picture, and the red and green of its middle and of the middles of its edges. */
function look(page: Page, address: string) {
  return page.evaluate(async (address) => {
    const answer = await fetch(address, { cache: 'no-store' })
    const picture = await createImageBitmap(await answer.blob())
    const { width, height } = picture
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width, height })
    const context = canvas.getContext('2d')
    if (!context) throw new Error('This browser does not draw.')
    context.drawImage(picture, 0, 0)
    const at = (x: number, y: number) => {
      const [red = 0, green = 0] = context.getImageData(Math.floor(x), Math.floor(y), 1, 1).data
      return { red, green }
    }
    return {
      type: answer.headers.get('content-type'),
      size: [width, height],
      middle: at(width / 2, height / 2),
      left: at(1, height / 2),
      right: at(width - 2, height / 2),
    }
  }, address)
}

/** How far two tones of a JPEG may be apart that should be the same. */
const near = (tone: number, expected: number) => expect(Math.abs(tone - expected)).toBeLessThan(4)

test('a profile photo is cropped and a cover made smaller, and both are seen everywhere at once', async ({
  browser,
}) => {
  const vera = await join(browser, 'Vera Lind')
  const { who, context } = vera
  const page = await context.newPage()
  const watched = watchErrors(page)
  const stored = async (column: 'profile_image_url' | 'background_image_url') => {
    const [row] = await sql<{ address: string | null }[]>`
      select case when ${column} = 'profile_image_url' then p.profile_image_url else d.background_image_url end as address
      from public.profiles p join public.profile_details d on d.user_id = p.id
      where p.username = ${who.username}`
    return row?.address ?? ''
  }
  await page.goto('/settings?tab=profile')
  const dialog = page.getByRole('dialog', { name: 'Crop your photo' })
  const area = dialog.getByRole('application')
  const save = dialog.getByRole('button', { name: 'Save photo' })
  const ready = () => expect(save).toBeEnabled()

  // Her own post, on another page of hers.
  const second = await context.newPage()
  const watchedToo = watchErrors(second)
  await second.goto('/')
  await second.getByRole('textbox', { name: "What's on your mind?" }).fill('Waiting for the light.')
  await second.getByRole('button', { name: 'Post', exact: true }).click()
  const faces = [
    page.getByRole('button', { name: /^Account of/ }).locator('img'),
    page.getByRole('group', { name: 'Profile photo' }).getByRole('img').locator('img'),
    second.getByRole('button', { name: /^Account of/ }).locator('img'),
    second.getByRole('article').filter({ hasText: 'Waiting for the light.' }).locator('img'),
  ]
  const seenEverywhere = async (places: Locator[], address: string) => {
    expect(address).not.toBe('')
    for (const place of places) await expect(place.first()).toHaveAttribute('src', address)
  }

  await test.step('What is no picture or too large is refused by its content', async () => {
    await choose(page, 'Change photo', file(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')))
    await expect(page.getByText('Invalid file type')).toBeVisible()
    await expect(page.getByText('Please select a JPG, PNG or GIF image.')).toBeVisible()
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    await choose(page, 'Change photo', file(Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)])))
    await expect(page.getByText('Please select an image smaller than 5MB.')).toBeVisible()
    await choose(page, 'Change photo', file(Buffer.concat([png, Buffer.alloc(100)])))
    await expect(page.getByText('Failed to process the image. Please try a different image.')).toBeVisible()
    await expect(dialog).toBeHidden()
  })

  // 450 of its pixels are kept, in 320 of the page.
  const picture = file(await chart(page, 1000, 500))
  const pixel = 450 / 320

  await test.step('Dragged by the mouse; what fails stays open', async () => {
    await choose(page, 'Change photo', picture)
    await ready()
    await expectAccessible(page)
    const box = await area.boundingBox()
    if (!box) throw new Error('The crop area is not drawn.')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    // Where it is when it first moves is where dragging begins.
    for (const by of [1, 40, 101]) await page.mouse.move(x + by, y)
    await page.mouse.up()
    await page.route('**/api/upload/profile-image', (route) => route.abort(), { times: 1 })
    await save.click()
    await expect(page.getByText('Failed to upload image. Please try again.')).toBeVisible()
    await save.click()
    await expect(page.getByText('Profile image updated successfully!')).toBeVisible()
    await expect(dialog).toBeHidden()
    const address = await stored('profile_image_url')
    const seen = await look(page, address)
    expect([seen.type, seen.size]).toEqual(['image/jpeg', [450, 450]])
    near(seen.middle.red, ((500 - 100 * pixel) / 1000) * 255)
    near(seen.middle.green, 127.5)
    near(seen.right.red - seen.left.red, (450 / 1000) * 255)
    await seenEverywhere(faces, address)
  })

  await test.step('Moved by the keyboard; Escape leaves it', async () => {
    await choose(page, 'Change photo', picture)
    await ready()
    await expect(area).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: 'Change photo' })).toBeFocused()

    await choose(page, 'Change photo', picture)
    await ready()
    await expect(area).toBeFocused()
    await page.keyboard.press('Control+ArrowLeft')
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('Shift+ArrowLeft')
    for (let step = 0; step < 10; step += 1) await page.keyboard.press('ArrowUp')
    await save.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Profile image updated successfully!')).toBeVisible()
    await expect(dialog).toBeHidden()
    const address = await stored('profile_image_url')
    const { middle } = await look(page, address)
    near(middle.red, ((500 + 140 * pixel) / 1000) * 255)
    near(middle.green, ((250 + 10 * pixel) / 500) * 255)
    await seenEverywhere(faces, address)
  })

  await test.step('A photo that lies on its side is set upright, then turned', async () => {
    // Upright, red lies above blue.
    await choose(page, 'Change photo', file(talkativeJpeg()))
    await ready()
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    await save.click()
    await expect(dialog).toBeHidden()
    const { right, left } = await look(page, await stored('profile_image_url'))
    expect(right.red).toBeGreaterThan(180)
    expect(left.red).toBeLessThan(80)
  })

  await test.step('A large background is made smaller, looked at, and sent', async () => {
    const large = await chart(page, 1300, 700, true)
    expect(large.length).toBeGreaterThan(1024 * 1024)
    await choose(page, 'Change background', file(large))
    await expect(page.getByText('Compressing large image for better performance...')).toBeVisible()
    await expect(page.getByRole('img', { name: 'Preview of your background image' })).toBeVisible()
    expect(await stored('background_image_url')).toBe('')
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await expect(page.getByText('Background image uploaded successfully!')).toBeVisible()
    const address = await stored('background_image_url')
    const { size, type } = await look(page, address)
    expect([size, type]).toEqual([[1200, 400], 'image/jpeg'])
    await seenEverywhere([page.getByRole('img', { name: 'Your background image' }).locator('img')], address)
  })

  await test.step('On the profile the cover is looked at in its place', async () => {
    await second.goto(`/profile/${who.username}`)
    const preview = second.getByRole('img', { name: 'Preview of your cover photo' })
    const before = await stored('background_image_url')
    await expect(second.locator(`img[src="${before}"]`)).toBeVisible()
    const small = file(await chart(page, 900, 300))
    await choose(second, 'Edit cover photo', small)
    await expect(preview).toBeVisible()
    await second.getByRole('button', { name: 'Cancel' }).click()
    await expect(preview).toBeHidden()
    await choose(second, 'Edit cover photo', small)
    await expect(preview).toBeVisible()
    await second.getByRole('button', { name: 'Upload', exact: true }).click()
    await expect(second.getByText('Background updated')).toBeVisible()
    await expect(preview).toBeHidden()
    const after = await stored('background_image_url')
    expect(after).not.toBe(before)
    await expect(second.locator(`img[src="${after}"]`)).toBeVisible()
    await seenEverywhere([page.getByRole('img', { name: 'Your background image' }).locator('img')], after)
  })

  await test.step('Taken away, both are gone', async () => {
    await page.getByRole('group', { name: 'Profile photo' }).getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('Profile image removed')).toBeVisible()
    for (const face of faces.slice(0, 2)) await expect(face).toHaveCount(0)
    expect(await stored('profile_image_url')).toBe('')
  })

  // The one that was cut off on purpose.
  expect([...watched.errors, ...watchedToo.errors].filter((text) => !text.includes('ERR_FAILED'))).toEqual([])
  await forget(vera)
})

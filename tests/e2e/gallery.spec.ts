import { type CDPSession, expect, type Page, test } from 'playwright/test'
import { violationsOf } from './axe.ts'
import { choose, clip, hand, png, type TestFile } from './files.ts'
import { expectToastInSight, forget, join, pickFromMenu, sql, watchErrors } from './support.ts'

/** A PNG of two colours. */
async function picture(page: Page, hue: number): Promise<Buffer> {
  const base64 = await page.evaluate((hue) => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 480, height: 320 })
    const context = canvas.getContext('2d')
    if (!context) throw new Error('This browser does not draw.')
    const sky = context.createLinearGradient(0, 0, 0, 320)
    sky.addColorStop(0, `hsl(${hue} 70% 60%)`)
    sky.addColorStop(1, `hsl(${hue + 60} 60% 30%)`)
    context.fillStyle = sky
    context.fillRect(0, 0, 480, 320)
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  }, hue)
  return Buffer.from(base64, 'base64')
}

/** Draws a finger over the middle of the page, by so many pixels to the right. */
async function swipe(session: CDPSession, by: number): Promise<void> {
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x, y: 400 }],
    })
  await touch('touchStart', 195)
  await touch('touchMove', 195 + by / 2)
  await touch('touchMove', 195 + by)
  await touch('touchEnd', 195 + by)
}

test('a gallery is filled, looked through, and an item deleted and brought back', async ({ browser }) => {
  const vera = await join(browser, 'Vera Lind')
  const page = await vera.context.newPage()
  const watched = watchErrors(page)
  await page.goto('/profile?tab=media')
  const [dusk, sea] = [await picture(page, 10), await picture(page, 200)]
  const dialog = page.getByRole('dialog', { name: 'Add media' })
  const grid = page.getByRole('list', { name: 'Your gallery' })
  const tiles = grid.getByRole('listitem')
  const row = (name: string) => dialog.getByRole('group', { name, exact: true })
  const add = (files: TestFile[]) => choose(dialog, /^Choose files/, files)

  await test.step('Up to four files are chosen at once; what is no picture or video is refused by name', async () => {
    await expect(page.getByText('Your gallery is empty')).toBeVisible()
    await page.getByRole('button', { name: 'Add media' }).click()
    await add([
      png('lie.png', Buffer.from('<!doctype html><script>alert(1)</script>')),
      png('large.png', Buffer.concat([dusk, Buffer.alloc(10 * 1024 * 1024)])),
      png('sunset.png', dusk),
      png('cut.png', sea),
      png('broken.png', dusk.subarray(0, 40)),
    ])
    await expect(dialog.getByText('lie.png: Only images and videos are allowed')).toBeVisible()
    await expect(dialog.getByText('large.png: File must be less than 10MB')).toBeVisible()
    await add([
      { name: 'waves.webm', mimeType: 'video/webm', buffer: await clip(page) },
      png('fifth.png', sea),
    ])
    await expect(dialog.getByText('You can add up to 4 files at a time.')).toBeVisible()
    await expect(dialog.getByRole('group')).toHaveCount(4)
    await row('sunset.png').getByLabel('Title').fill('Sunset over the bay')
    await row('sunset.png').getByLabel('Description').fill('The last light.\nFrom the pier.')
    await row('waves.webm').getByLabel('Title').fill('Waves')
    expect(await violationsOf(page)).toEqual([])
  })

  await test.step('Each arrives or fails by itself, and is tried again', async () => {
    const once = new Set(['cut.png', 'sunset.png'])
    await page.route('**/api/media-gallery', async (route) => {
      const body = route.request().postDataBuffer()?.toString('latin1') ?? ''
      const name = [...once].find((one) => body.includes(`filename="${one}"`))
      if (route.request().method() !== 'POST' || !name) return await route.fallback()
      once.delete(name)
      if (name === 'cut.png') return await route.abort('connectionreset')
      const json = { message: 'Too many requests.', code: 'rate_limited' }
      return await route.fulfill({ status: 429, json })
    })
    await dialog.getByRole('button', { name: 'Upload 4 files' }).click()
    await expect(row('waves.webm').getByText('Added to your gallery').first()).toBeVisible()
    await expect(row('cut.png').getByText('Added to your gallery').first()).toBeVisible()
    await expect(row('sunset.png').getByText('Upload failed. Too many requests.').first()).toBeVisible()
    await expect(
      row('broken.png').getByText('Upload failed. Failed to process the image').first(),
    ).toBeVisible()
    await row('sunset.png').getByRole('button', { name: 'Try again' }).click()
    await expect(row('sunset.png').getByText('Added to your gallery').first()).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
    await expect(dialog).toBeHidden()
    await expect(tiles).toHaveCount(3)
    await page.unroute('**/api/media-gallery')
  })

  await test.step('A file is dragged in; one chosen while it is sent stays, and another tab learns of what came', async () => {
    const tab = await vera.context.newPage()
    await tab.goto('/profile?tab=media')
    const elsewhere = tab.getByRole('list', { name: 'Your gallery' }).getByRole('listitem')
    await expect(elsewhere).toHaveCount(3)
    let letGo = () => {}
    const chosen = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/api/media-gallery', async (route) => {
      if (route.request().method() === 'POST') await chosen
      await route.fallback()
    })
    await hand(grid, 'dragenter', png('harbour.png', sea))
    await expect(page.getByText('Drop to add to your gallery')).toBeVisible()
    await hand(grid, 'drop', png('harbour.png', sea))
    await row('harbour.png').getByLabel('Title').fill('Harbour')
    await dialog.getByRole('button', { name: 'Upload 1 file' }).click()
    await add([png('pier.png', dusk)])
    await row('pier.png').getByLabel('Title').fill('Pier')
    letGo()
    await expect(row('harbour.png').getByText('Added to your gallery').first()).toBeVisible()
    await expect(page.locator('#toasts').getByText('Added to your gallery')).toBeVisible()
    await expect(row('pier.png').getByLabel('Title')).toHaveValue('Pier')
    await row('pier.png').getByRole('button', { name: 'Remove pier.png' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(dialog).toBeHidden()
    await expect(tiles).toHaveCount(4)
    await page.unroute('**/api/media-gallery')
    // As browsers tell when a tab comes to the front.
    await tab.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await expect(elsewhere).toHaveCount(4)
    await tab.close()
  })

  const open = page.getByRole('dialog', { name: /^(Picture|Video)/ })
  const tile = (name: string) => grid.getByRole('button', { name, exact: true })
  await test.step('It is looked through by keyboard, and the focus returns to what was seen', async () => {
    await tile('Picture: Harbour').focus()
    await page.keyboard.press('Enter')
    await expect(open.getByText('1 of 4', { exact: true })).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(open.getByRole('heading', { name: 'Sunset over the bay' })).toBeVisible()
    await expect(open.getByText('From the pier.')).toBeVisible()
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('End')
    await expect(open.getByText('4 of 4', { exact: true })).toBeVisible()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowLeft')
    await expect(open.getByText('1 of 4', { exact: true })).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Escape')
    await expect(open).toBeHidden()
    await expect(tile('Picture: Sunset over the bay')).toBeFocused()
  })

  await test.step('What is deleted can be brought back, and comes back by itself when that fails', async () => {
    await tile('Picture: Sunset over the bay').click()
    await open.getByRole('button', { name: 'Delete' }).click()
    await expect(open.getByText('2 of 3', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(open.getByText('3 of 4', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(tile('Picture: Sunset over the bay')).toBeVisible()

    await page.route('**/api/media-gallery/*', (route) => route.fulfill({ status: 500, json: {} }))
    await page.getByRole('button', { name: 'Options for Picture: Harbour' }).click()
    await pickFromMenu(page, 'Delete')
    await expect(page.getByText('Delete failed')).toBeVisible()
    await expect(tiles).toHaveCount(4)
    await page.unroute('**/api/media-gallery/*')
    await page.getByRole('button', { name: 'Options for Picture: Harbour' }).click()
    await pickFromMenu(page, 'Delete')
    await expect(page.getByText('Picture deleted')).toBeVisible()
    await page.reload()
    await expect(tiles).toHaveCount(3)
    expect(await violationsOf(page)).toEqual([])
  })

  await test.step('A visitor sees it on a phone, and nothing once it is for followers; nobody who is blocked does', async () => {
    const visitor = await browser.newContext({
      viewport: { width: 390, height: 800 },
      hasTouch: true,
      isMobile: true,
    })
    const phone = await visitor.newPage()
    await phone.goto(`/profile/${vera.who.username}?tab=media`)
    const shown = phone.getByRole('list', { name: /^Gallery of/ }).getByRole('listitem')
    await expect(shown).toHaveCount(3)
    await expect(phone.getByRole('button', { name: 'Add media' })).toHaveCount(0)
    await shown.first().getByRole('button').tap()
    const session = await visitor.newCDPSession(phone)
    await swipe(session, -160)
    await expect(phone.getByText('2 of 3', { exact: true })).toBeVisible()
    await swipe(session, 160)
    await expect(phone.getByText('1 of 3', { exact: true })).toBeVisible()
    await visitor.close()

    const ben = await join(browser, 'Ben Orr')
    const other = await ben.context.newPage()
    await other.goto(`/profile/${vera.who.username}?tab=media`)
    const seen = other.getByRole('list', { name: /^Gallery of/ }).getByRole('listitem')
    await expect(seen).toHaveCount(3)
    const [row] = await sql<{ address: string }[]>`
      select '/api/media/' || g.media_id as address from public.gallery_items g
      join public.profiles p on p.id = g.user_id where p.username = ${vera.who.username} and g.deleted_at is null`
    const address = row?.address ?? ''
    expect((await other.request.get(address)).status()).toBe(200)
    const { id } = (await (await other.request.get('/api/auth/user')).json()) as { id: string }
    expect((await vera.context.request.post(`/api/users/${id}/block`)).ok()).toBe(true)
    await other.reload()
    await expect(other.getByRole('heading', { name: /not found/i })).toBeVisible()
    expect((await other.request.get(address)).status()).toBe(404)
    await forget(ben)
  })

  await test.step('What is said leaves the buttons of a phone free; with the last item the focus goes to what adds others', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await tiles.first().getByRole('button').first().click()
    for (const left of [2, 1, 0]) {
      const remove = open.getByRole('button', { name: 'Delete' })
      await remove.click()
      if (left === 0) break
      await expect(open.getByText(`1 of ${left}`, { exact: true })).toBeVisible()
      await expectToastInSight(page, /(Picture|Video) deleted/, remove)
    }
    await expect(open).toBeHidden()
    await expect(page.getByRole('button', { name: 'Add media' })).toBeFocused()
  })
  expect(watched.errors.filter((error) => !/429|500|400|net::ERR/.test(error))).toEqual([])
  await forget(vera)
})

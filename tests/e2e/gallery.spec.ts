import { type CDPSession, expect, type Page, test } from 'playwright/test'
import { findAxeViolations } from './support/accessibility.ts'
import {
  chooseFiles,
  dispatchFileEvent,
  drawGradientPng,
  pngFile,
  recordWebm,
  type TestFile,
} from './support/files.ts'
import { collectPageErrors, pickFromMenu } from './support/page.ts'
import { createGate } from './support/requests.ts'
import { expectToastUnobstructed } from './support/toasts.ts'
import { createSignedInUser, deleteUser, sql } from './support/users.ts'

type Points = { x: number; y: number }[]

/** Moves one or two fingers over the page. Each step contains the positions of all fingers. */
async function gesture(session: CDPSession, ...steps: Points[]): Promise<void> {
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Points) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  for (const [index, points] of steps.entries()) await touch(index === 0 ? 'touchStart' : 'touchMove', points)
  await touch('touchEnd', [])
}

/** Swipes from the middle of the page by `dx` pixels to the right and `dy` pixels down. */
const swipe = (session: CDPSession, dx: number, dy = 0) =>
  gesture(session, ...[0, 0.5, 1].map((part) => [{ x: 195 + dx * part, y: 400 + dy * part }]))

/** Returns the scale of the image in the viewer. */
const zoomOf = (page: Page) =>
  page
    .getByRole('dialog')
    .getByRole('img')
    .evaluate((image) => new DOMMatrix(getComputedStyle(image).transform).a)

test.describe('Media gallery', () => {
  test('uploads, views, deletes and restores gallery items', async ({ browser }) => {
    const vera = await createSignedInUser(browser, 'Vera Lind')
    const page = await vera.context.newPage()
    const collected = collectPageErrors(page)
    await page.goto('/profile?tab=media')
    const [dusk, sea] = [await drawGradientPng(page, 10), await drawGradientPng(page, 200)]
    const dialog = page.getByRole('dialog', { name: 'Add media' })
    const grid = page.getByRole('list', { name: 'Your gallery' })
    const tiles = grid.getByRole('listitem')
    const row = (name: string) => dialog.getByRole('group', { name, exact: true })
    const add = (files: TestFile[]) => chooseFiles(dialog, /^Choose files/, files)

    await test.step('accepts up to four files and names the rejected files', async () => {
      await expect(page.getByText('Your gallery is empty')).toBeVisible()
      await page.getByRole('button', { name: 'Add media' }).click()
      await add([
        pngFile('lie.png', Buffer.from('<!doctype html><script>alert(1)</script>')),
        pngFile('large.png', Buffer.concat([dusk, Buffer.alloc(10 * 1024 * 1024)])),
        pngFile('sunset.png', dusk),
        pngFile('cut.png', sea),
        pngFile('broken.png', dusk.subarray(0, 40)),
      ])
      await expect(dialog.getByText('lie.png: Only images and videos are allowed')).toBeVisible()
      await expect(dialog.getByText('large.png: File must be less than 10MB')).toBeVisible()
      await add([
        { name: 'waves.webm', mimeType: 'video/webm', buffer: await recordWebm(page) },
        pngFile('fifth.png', sea),
      ])
      await expect(dialog.getByText('You can add up to 4 files at a time.')).toBeVisible()
      await expect(dialog.getByRole('group')).toHaveCount(4)
      await row('sunset.png').getByLabel('Title').fill('Sunset over the bay')
      await row('sunset.png').getByLabel('Description').fill('The last light.\nFrom the pier.')
      await row('waves.webm').getByLabel('Title').fill('Waves')
      expect(await findAxeViolations(page)).toEqual([])
    })

    await test.step('uploads each file separately, retries after a lost connection and lets the user retry a failed file', async () => {
      const failingOnce = new Set(['cut.png', 'sunset.png'])
      await page.route('**/api/media-gallery', async (route) => {
        const body = route.request().postDataBuffer()?.toString('latin1') ?? ''
        const name = [...failingOnce].find((file) => body.includes(`filename="${file}"`))
        if (route.request().method() !== 'POST' || !name) return await route.fallback()
        failingOnce.delete(name)
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

    await test.step('uploads a dropped file, keeps a file chosen during the upload and updates another tab', async () => {
      const otherTab = await vera.context.newPage()
      await otherTab.goto('/profile?tab=media')
      const otherTiles = otherTab.getByRole('list', { name: 'Your gallery' }).getByRole('listitem')
      await expect(otherTiles).toHaveCount(3)
      const gate = createGate()
      await page.route('**/api/media-gallery', async (route) => {
        if (route.request().method() === 'POST') await gate.opened
        await route.fallback()
      })
      await dispatchFileEvent(grid, 'dragenter', pngFile('harbour.png', sea))
      await expect(page.getByText('Drop to add to your gallery')).toBeVisible()
      await dispatchFileEvent(grid, 'drop', pngFile('harbour.png', sea))
      await row('harbour.png').getByLabel('Title').fill('Harbour')
      await dialog.getByRole('button', { name: 'Upload 1 file' }).click()
      await add([pngFile('pier.png', dusk)])
      await row('pier.png').getByLabel('Title').fill('Pier')
      gate.open()
      await expect(row('harbour.png').getByText('Added to your gallery').first()).toBeVisible()
      await expect(page.locator('#toasts').getByText('Added to your gallery')).toBeVisible()
      await expect(row('pier.png').getByLabel('Title')).toHaveValue('Pier')
      await row('pier.png').getByRole('button', { name: 'Remove pier.png' }).click()
      await dialog.getByRole('button', { name: 'Done' }).click()
      await expect(dialog).toBeHidden()
      await expect(tiles).toHaveCount(4)
      await page.unroute('**/api/media-gallery')
      // Browsers dispatch this event when a tab becomes visible.
      await otherTab.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
      await expect(otherTiles).toHaveCount(4)
      await otherTab.close()
    })

    const viewer = page.getByRole('dialog', { name: /^(Photo|Video)/ })
    const tile = (name: string) => grid.getByRole('button', { name, exact: true })
    await test.step('navigates and zooms in the viewer, and returns the focus to the item that was shown last', async () => {
      await tile('Photo: Harbour').focus()
      await page.keyboard.press('Enter')
      await expect(viewer.getByText('1 of 4', { exact: true })).toBeVisible()
      await page.keyboard.press('ArrowRight')
      await expect(viewer.getByRole('heading', { name: 'Sunset over the bay' })).toBeVisible()
      await expect(viewer.getByText('From the pier.')).toBeVisible()
      expect(await findAxeViolations(page)).toEqual([])
      // While the image is zoomed in, the arrow keys do not navigate.
      await viewer.getByRole('button', { name: 'Zoom in' }).click()
      await expect.poll(() => zoomOf(page)).toBe(2.5)
      await page.keyboard.press('ArrowRight')
      await expect(viewer.getByRole('heading', { name: 'Sunset over the bay' })).toBeVisible()
      await viewer.getByRole('button', { name: 'Zoom out' }).click()
      await expect.poll(() => zoomOf(page)).toBe(1)
      await viewer.getByRole('img').hover()
      await page.mouse.wheel(0, -300)
      await expect.poll(() => zoomOf(page)).toBeGreaterThan(1.5)
      await page.mouse.wheel(0, 900)
      await expect.poll(() => zoomOf(page)).toBe(1)
      const download = page.waitForEvent('download')
      await viewer.getByRole('link', { name: 'Download' }).click()
      await (await download).cancel()
      await page.keyboard.press('End')
      await expect(viewer.getByText('4 of 4', { exact: true })).toBeVisible()
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowLeft')
      await expect(viewer.getByText('1 of 4', { exact: true })).toBeVisible()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Escape')
      await expect(viewer).toBeHidden()
      await expect(tile('Photo: Sunset over the bay')).toBeFocused()
    })

    await test.step('restores a deleted item on request, or when deleting fails', async () => {
      await tile('Photo: Sunset over the bay').click()
      await viewer.getByRole('button', { name: 'Delete' }).click()
      await expect(viewer.getByText('2 of 3', { exact: true })).toBeVisible()
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(viewer.getByText('3 of 4', { exact: true })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(tile('Photo: Sunset over the bay')).toBeVisible()

      await page.route('**/api/media-gallery/*', (route) => route.fulfill({ status: 500, json: {} }))
      await page.getByRole('button', { name: 'Options for Photo: Harbour' }).click()
      await pickFromMenu(page, 'Delete')
      await expect(page.getByText('Delete failed')).toBeVisible()
      await expect(tiles).toHaveCount(4)
      await page.unroute('**/api/media-gallery/*')
      await page.getByRole('button', { name: 'Options for Photo: Harbour' }).click()
      await pickFromMenu(page, 'Delete')
      await expect(page.getByText('Photo deleted')).toBeVisible()
      await expect(tile('Photo: Sunset over the bay')).toBeFocused()
      await page.reload()
      await expect(tiles).toHaveCount(3)
      expect(await findAxeViolations(page)).toEqual([])
    })

    await test.step('shows the gallery to a visitor on a phone, but not to a blocked user', async () => {
      const visitor = await browser.newContext({
        viewport: { width: 390, height: 800 },
        hasTouch: true,
        isMobile: true,
      })
      const phone = await visitor.newPage()
      await phone.goto(`/profile/${vera.account.username}?tab=media`)
      const visitorTiles = phone.getByRole('list', { name: /^Gallery of/ }).getByRole('listitem')
      await expect(visitorTiles).toHaveCount(3)
      await expect(phone.getByRole('button', { name: 'Add media' })).toHaveCount(0)
      await visitorTiles.first().getByRole('button').tap()
      const session = await visitor.newCDPSession(phone)
      await swipe(session, -160)
      await expect(phone.getByText('2 of 3', { exact: true })).toBeVisible()
      await swipe(session, 160)
      await expect(phone.getByText('1 of 3', { exact: true })).toBeVisible()
      const photo = phone.getByRole('dialog', { name: /^Photo/ })
      for (let item = 1; (await photo.count()) === 0; item++) {
        await swipe(session, -160)
        await expect(phone.getByText(`${item + 1} of 3`, { exact: true })).toBeVisible()
      }
      await expect(photo.getByRole('link', { name: 'Download' })).toHaveCount(0)
      // A pinch zooms, and a swipe then moves the image instead of showing another one.
      await gesture(
        session,
        [
          { x: 160, y: 400 },
          { x: 230, y: 400 },
        ],
        [
          { x: 110, y: 400 },
          { x: 280, y: 400 },
        ],
      )
      await expect.poll(() => zoomOf(phone)).toBeGreaterThan(1.5)
      const name = await photo.getAttribute('aria-label')
      await swipe(session, -160)
      await expect(phone.getByRole('dialog', { name: name ?? '', exact: true })).toBeVisible()
      for (let tap = 0; tap < 2; tap++) await phone.touchscreen.tap(195, 400)
      await expect.poll(() => zoomOf(phone)).toBe(1)
      await swipe(session, 0, 200)
      await expect(phone.getByRole('dialog')).toHaveCount(0)
      await expect(visitorTiles.getByRole('button', { name: name ?? '', exact: true })).toBeFocused()
      await visitor.close()

      const ben = await createSignedInUser(browser, 'Ben Orr')
      const benPage = await ben.context.newPage()
      await benPage.goto(`/profile/${vera.account.username}?tab=media`)
      const benTiles = benPage.getByRole('list', { name: /^Gallery of/ }).getByRole('listitem')
      await expect(benTiles).toHaveCount(3)
      const [galleryItem] = await sql<{ url: string }[]>`
        select '/api/media/' || media_id as url from public.gallery_items
        where user_id = ${vera.id} and deleted_at is null`
      const url = galleryItem?.url ?? ''
      expect((await benPage.request.get(url)).status()).toBe(200)
      expect((await vera.context.request.post(`/api/users/${ben.id}/block`)).ok()).toBe(true)
      await benPage.reload()
      await expect(benPage.getByRole('heading', { name: /not found/i })).toBeVisible()
      expect((await benPage.request.get(url)).status()).toBe(404)
      await deleteUser(ben)
    })

    await test.step('does not cover buttons with toasts on a phone, and focuses “Add media” after the last item is deleted', async () => {
      await page.setViewportSize({ width: 390, height: 800 })
      await tiles.first().getByRole('button').first().click()
      for (const remaining of [2, 1, 0]) {
        const remove = viewer.getByRole('button', { name: 'Delete' })
        await remove.click()
        if (remaining === 0) break
        await expect(viewer.getByText(`1 of ${remaining}`, { exact: true })).toBeVisible()
        await expectToastUnobstructed(page, /(Photo|Video) deleted/, remove)
      }
      await expect(viewer).toBeHidden()
      await expect(page.getByRole('button', { name: 'Add media' })).toBeFocused()
    })
    expect(collected.errors.filter((error) => !/429|500|400|net::ERR/.test(error))).toEqual([])
    await deleteUser(vera)
  })
})

import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './axe.ts'
import { arrive, forget, join, logOut, watchErrors } from './support.ts'

// Two cameras that show a test picture; who may use them is each context's own affair.
test.use({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const args = [...(launchOptions.args ?? []), '--use-fake-device-for-media-stream=device-count=2']
      await use({ ...launchOptions, args })
    },
    { scope: 'worker' },
  ],
})

const allowed = { permissions: ['camera', 'microphone'] }

/** What a page has taken of cameras and microphones since it was opened; `wait` holds the next answer back. */
interface Watched {
  taken: MediaStreamTrack[]
  wait?: Promise<void> | undefined
  go?: () => void
}
declare global {
  interface Window {
    watched: Watched
  }
}

/** Watches every track that the page gets from now on, and counts in the browser's storage how many it stopped. */
async function watchTracks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.watched = { taken: [] }
    const media = navigator.mediaDevices
    const real = media.getUserMedia.bind(media)
    media.getUserMedia = async (wanted) => {
      const stream = await real(wanted)
      window.watched.taken.push(...stream.getTracks())
      await window.watched.wait
      return stream
    }
    const { stop } = MediaStreamTrack.prototype
    MediaStreamTrack.prototype.stop = function () {
      if (this.readyState === 'live') {
        localStorage.setItem('stopped', String(Number(localStorage.getItem('stopped')) + 1))
      }
      stop.call(this)
    }
  })
  await page.reload()
}

/** Kind and state of each track that the page ever got, the oldest first. */
const tracks = (page: Page) =>
  page.evaluate(() => window.watched.taken.map(({ kind, readyState }) => `${kind} ${readyState}`).sort())
const stillLive = async (page: Page) => (await tracks(page)).filter((track) => track.endsWith('live'))

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Go Live' })
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const control = (page: Page, name: string) => dialog(page).getByRole('switch', { name })

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Go Live' }).filter({ visible: true }).click()
  await expect(button(page, 'Start Live Stream')).toBeFocused()
}

async function goLive(page: Page): Promise<void> {
  await openDialog(page)
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByText('LIVE', { exact: true })).toBeVisible()
  await expect.poll(() => stillLive(page)).toEqual(['audio live', 'video live'])
}

/** All that was taken is given back. */
const expectNothingTaken = (page: Page) => expect.poll(() => stillLive(page)).toEqual([])

test('a stream shows the real camera, and gives it back however it ends', async ({ browser }) => {
  const ada = await arrive(browser, 'Ada Live', allowed)
  const { page } = ada
  const seen = watchErrors(page)
  await watchTracks(page)
  await openDialog(page)
  await expect(dialog(page)).toContainText('Preview: nobody sees this yet. Viewers are simulated.')
  // Nothing is asked for before somebody wants it.
  expect(await tracks(page)).toEqual([])
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Live Stream Started')).toBeVisible()
  const video = dialog(page).getByLabel('Your camera')
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.videoWidth)).toBe(1280)
  await expect(dialog(page).getByText('720p HD')).toBeVisible()
  await expect(button(page, 'End Stream')).toBeFocused()

  // The number of viewers is simulated: it begins between 5 and 24 and drifts.
  await page.evaluate(() => {
    Math.random = () => 0.999
  })
  const viewers = dialog(page).getByText(/^\d+ simulated viewers?$/)
  const count = async () => Number.parseInt((await viewers.textContent()) ?? '', 10)
  const first = await count()
  expect(first).toBeGreaterThanOrEqual(5)
  expect(first).toBeLessThanOrEqual(24 + 3)
  await expect.poll(count).toBeGreaterThan(first)
  await expect(dialog(page).getByText(/^0:0\d$/)).not.toHaveText('0:00')
  await expectAccessible(page)

  await button(page, 'End Stream').click()
  await expect(page.getByText('Live Stream Ended')).toBeVisible()
  await expect(dialog(page).getByText(/^It lasted \d+:\d\d\.$/)).toBeVisible()
  expect(await stillLive(page)).toEqual([])
  await expectAccessible(page)
  await button(page, 'Start again').click()
  await expect.poll(() => stillLive(page)).toHaveLength(2)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expectNothingTaken(page)

  const ways = {
    cross: () => button(page, 'Close').click(),
    backdrop: () => page.mouse.click(5, 400),
    // Another screen, by the browser's own button.
    back: () => page.goBack(),
  }
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Saved' }).click()
  await page.getByRole('heading', { name: 'Saved Posts' }).waitFor()
  for (const leave of Object.values(ways)) {
    await goLive(page)
    await leave()
    await expect(dialog(page)).toBeHidden()
    await expectNothingTaken(page)
  }
  await expect(page).toHaveURL('/')

  // What the browser gives once the dialog is closed is given back at once.
  await openDialog(page)
  await page.evaluate(() => {
    window.watched.wait = new Promise((resolve) => {
      window.watched.go = resolve
    })
  })
  await page.keyboard.press('Enter')
  await expect.poll(() => stillLive(page)).toHaveLength(2)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await page.evaluate(() => window.watched.go?.())
  await expectNothingTaken(page)
  await page.evaluate(() => {
    window.watched.wait = undefined
  })

  // So is what came before something went wrong.
  await openDialog(page)
  await page.evaluate(() => {
    const { getSettings } = MediaStreamTrack.prototype
    MediaStreamTrack.prototype.getSettings = () => {
      MediaStreamTrack.prototype.getSettings = getSettings
      throw new Error('broken')
    }
  })
  await page.keyboard.press('Enter')
  await expect(button(page, 'Try again')).toBeVisible()
  await expectNothingTaken(page)
  await page.keyboard.press('Escape')

  expect(seen.errors).toEqual([])

  // A page that is closed, and one that is signed out from another tab.
  const stopped = (from: Page) => from.evaluate(() => Number(localStorage.getItem('stopped')))
  const other = await ada.context.newPage()
  await other.goto('/')
  await goLive(page)
  const before = await stopped(other)
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => stopped(other)).toBe(before + 2)
  const third = await ada.context.newPage()
  await third.goto('/')
  await watchTracks(third)
  await goLive(third)
  await logOut(other)
  // The page is on its way to another one meanwhile.
  await expect(async () => expect(await stopped(third)).toBe(before + 4)).toPass()
  await forget(ada)
})

test('camera and microphone are switched, changed and lost while live', async ({ browser }) => {
  const ben = await arrive(browser, 'Ben Live', allowed)
  const { page } = ben
  await watchTracks(page)
  await goLive(page)
  await control(page, 'Camera').click()
  await expect(dialog(page).getByText('Your camera is off.')).toBeVisible()
  await expect(control(page, 'Camera')).toHaveAttribute('aria-checked', 'false')
  expect(await tracks(page)).toEqual(['audio live', 'video ended'])
  await control(page, 'Microphone').click()
  expect(await stillLive(page)).toEqual([])
  await expect(dialog(page).getByText('LIVE', { exact: true })).toBeVisible()
  await expectAccessible(page)
  for (const name of ['Camera', 'Microphone']) {
    await control(page, name).click()
    await expect(control(page, name)).toHaveAttribute('aria-checked', 'true')
  }
  await expect.poll(() => stillLive(page)).toEqual(['audio live', 'video live'])

  // Faster than a camera: only the last press counts, and nothing stays behind.
  for (let press = 0; press < 5; press += 1) await control(page, 'Camera').click()
  await expect(dialog(page).getByText('Your camera is off.')).toBeVisible()
  await expect.poll(() => stillLive(page)).toEqual(['audio live'])
  await control(page, 'Camera').click()
  await expect(dialog(page).getByLabel('Your camera')).toBeVisible()

  // Another camera, while live.
  const cameras = dialog(page).getByLabel('Camera in use')
  const inUse = () =>
    page.evaluate(() => {
      const live = window.watched.taken.filter(
        (track) => track.readyState === 'live' && track.kind === 'video',
      )
      return live.map((track) => track.label)
    })
  const [first] = await inUse()
  const options = await cameras.getByRole('option').allInnerTexts()
  expect(options.length).toBeGreaterThan(1)
  const another = options.find((name) => name !== first) ?? ''
  await cameras.selectOption({ label: another })
  await expect.poll(inUse).toEqual([another])
  await expect(cameras.locator('option:checked')).toHaveText(another)

  // Taken back by the browser, as when it is unplugged.
  await ben.context.clearPermissions()
  await expect(dialog(page).getByText('Your camera was disconnected.')).toBeVisible()
  await expect(control(page, 'Camera')).toHaveAttribute('aria-checked', 'false')
  await expect.poll(() => stillLive(page)).toEqual([])
  await control(page, 'Camera').click()
  await expect(page.getByText('The camera could not be switched on')).toBeVisible()
  await button(page, 'End Stream').click()
  await expect(page.getByText('Live Stream Ended')).toBeVisible()
  await forget(ben)
})

test('who does not allow the camera is told so, and can try again', async ({ browser }) => {
  // On a phone, where there is no rail.
  const eve = await join(browser, 'Eve Live', { viewport: { width: 390, height: 844 }, hasTouch: true })
  const page = await eve.context.newPage()
  await page.goto('/')
  await watchTracks(page)
  await openDialog(page)
  await button(page, 'Start Live Stream').click()
  const toast = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Dismiss' }) })
  await expect(toast).toContainText('Camera Access Denied')
  await expect(toast).toContainText('Please allow camera access to start your live stream.')
  await expect(dialog(page).getByRole('alert')).toContainText('Camera Access Denied')
  await expect(button(page, 'Try again')).toBeFocused()
  expect(await tracks(page)).toEqual([])
  await expectAccessible(page)
  await eve.context.grantPermissions(allowed.permissions)
  await button(page, 'Try again').click()
  await expect(dialog(page).getByText('LIVE', { exact: true })).toBeVisible()
  await expect.poll(() => stillLive(page)).toHaveLength(2)
  await expectAccessible(page)
  await forget(eve)
})

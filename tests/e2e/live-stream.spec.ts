import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { logOut } from './support/auth-forms.ts'
import { collectPageErrors, phoneViewport } from './support/page.ts'
import { createSignedInUser, createUserOnHomeFeed, deleteUser } from './support/users.ts'

// The browser has two fake cameras that show a test image. Each context has its own camera permissions.
test.use({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const args = [...(launchOptions.args ?? []), '--use-fake-device-for-media-stream=device-count=2']
      await use({ ...launchOptions, args })
    },
    { scope: 'worker' },
  ],
})

const cameraPermissions = { permissions: ['camera', 'microphone'] }

/** The state that `recordTracks` keeps in the page. */
interface TrackRecord {
  /** Every camera and microphone track that the page has received since it was loaded. */
  tracks: MediaStreamTrack[]
  /** While set, `getUserMedia` waits for this promise before it returns. */
  gate?: Promise<void> | undefined
  /** Resolves `gate`. */
  openGate?: () => void
}
declare global {
  interface Window {
    trackRecord: TrackRecord
  }
}

/**
 * Reloads the page and records every track that it receives. Also counts stopped tracks in localStorage, so that
 * another tab can read the number after the page is closed.
 */
async function recordTracks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.trackRecord = { tracks: [] }
    const media = navigator.mediaDevices
    const getUserMedia = media.getUserMedia.bind(media)
    media.getUserMedia = async (constraints) => {
      const stream = await getUserMedia(constraints)
      window.trackRecord.tracks.push(...stream.getTracks())
      await window.trackRecord.gate
      return stream
    }
    const { stop } = MediaStreamTrack.prototype
    MediaStreamTrack.prototype.stop = function () {
      if (this.readyState === 'live') {
        localStorage.setItem('stopped-tracks', String(Number(localStorage.getItem('stopped-tracks')) + 1))
      }
      stop.call(this)
    }
  })
  await page.reload()
}

/** Returns the kind and state of each track that the page has received, sorted. */
const getTracks = (page: Page) =>
  page.evaluate(() => window.trackRecord.tracks.map(({ kind, readyState }) => `${kind} ${readyState}`).sort())
const getLiveTracks = async (page: Page) => (await getTracks(page)).filter((track) => track.endsWith('live'))

const liveDialog = (page: Page) => page.getByRole('dialog', { name: 'Go Live' })
const dialogButton = (page: Page, name: string) => liveDialog(page).getByRole('button', { name, exact: true })
const deviceSwitch = (page: Page, name: string) => liveDialog(page).getByRole('switch', { name })

async function openLiveDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Go Live' }).filter({ visible: true }).click()
  await expect(dialogButton(page, 'Start live stream')).toBeFocused()
}

async function startStream(page: Page): Promise<void> {
  await openLiveDialog(page)
  await page.keyboard.press('Enter')
  await expect(liveDialog(page).getByText('LIVE', { exact: true })).toBeVisible()
  await expect.poll(() => getLiveTracks(page)).toEqual(['audio live', 'video live'])
}

/** Waits until the page has stopped every track. */
const expectTracksReleased = (page: Page) => expect.poll(() => getLiveTracks(page)).toEqual([])

test.describe('Live stream preview', () => {
  test('shows the camera, and releases it when the stream ends for any reason', async ({ browser }) => {
    const ada = await createUserOnHomeFeed(browser, 'Ada Live', cameraPermissions)
    const { page } = ada
    const collected = collectPageErrors(page)
    await recordTracks(page)
    await openLiveDialog(page)
    await expect(liveDialog(page)).toContainText(
      'Preview only. No one can see this; the viewer count is simulated.',
    )
    // Opening the dialog does not request the camera.
    expect(await getTracks(page)).toEqual([])
    await expectAccessible(page)
    // With this value, the simulated number of viewers starts at 15 and does not change.
    await page.evaluate(() => {
      Math.random = () => 0.5
    })
    await page.keyboard.press('Enter')
    await expect(page.getByText('Live Stream Started')).toBeVisible()
    const video = liveDialog(page).getByLabel('Your camera')
    await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.videoWidth)).toBe(1280)
    await expect(liveDialog(page).getByText('720p HD')).toBeVisible()
    await expect(dialogButton(page, 'End stream')).toBeFocused()

    const viewers = liveDialog(page).getByText(/^\d+ simulated viewers?$/)
    const countViewers = async () => Number.parseInt((await viewers.textContent()) ?? '', 10)
    expect(await countViewers()).toBe(15)
    await page.evaluate(() => {
      Math.random = () => 0.999
    })
    await expect.poll(countViewers).toBeGreaterThan(15)
    await expect(liveDialog(page).getByText(/^\d:\d\d$/)).not.toHaveText('0:00')
    await expectAccessible(page)

    await dialogButton(page, 'End stream').click()
    await expect(page.getByText('Live Stream Ended')).toBeVisible()
    await expect(liveDialog(page).getByText(/^Duration: \d+:\d\d$/)).toBeVisible()
    expect(await getLiveTracks(page)).toEqual([])
    await expectAccessible(page)
    await dialogButton(page, 'Start again').click()
    await expect.poll(() => getLiveTracks(page)).toHaveLength(2)
    await page.keyboard.press('Escape')
    await expect(liveDialog(page)).toBeHidden()
    await expectTracksReleased(page)

    const exits = {
      closeButton: () => dialogButton(page, 'Close').click(),
      backdrop: () => page.mouse.click(5, 400),
      browserBack: () => page.goBack(),
    }
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Saved' }).click()
    await page.getByRole('heading', { name: 'Saved Posts', exact: true }).waitFor()
    for (const leave of Object.values(exits)) {
      await startStream(page)
      await leave()
      await expect(liveDialog(page)).toBeHidden()
      await expectTracksReleased(page)
    }
    await expect(page).toHaveURL('/')

    // If the browser grants access to the camera only after the dialog has been closed, the camera is released.
    await openLiveDialog(page)
    await page.evaluate(() => {
      window.trackRecord.gate = new Promise((resolve) => {
        window.trackRecord.openGate = resolve
      })
    })
    await page.keyboard.press('Enter')
    await expect.poll(() => getLiveTracks(page)).toHaveLength(2)
    await page.keyboard.press('Escape')
    await expect(liveDialog(page)).toBeHidden()
    await page.evaluate(() => window.trackRecord.openGate?.())
    await expectTracksReleased(page)
    await page.evaluate(() => {
      window.trackRecord.gate = undefined
    })

    // The camera is also released if the stream fails to start.
    await openLiveDialog(page)
    await page.evaluate(() => {
      const { getSettings } = MediaStreamTrack.prototype
      MediaStreamTrack.prototype.getSettings = () => {
        MediaStreamTrack.prototype.getSettings = getSettings
        throw new Error('broken')
      }
    })
    await page.keyboard.press('Enter')
    await expect(dialogButton(page, 'Try again')).toBeVisible()
    await expectTracksReleased(page)
    await page.keyboard.press('Escape')

    expect(collected.errors).toEqual([])

    // Closing the page releases the camera too, and so does signing out in another tab.
    const countStoppedTracks = (from: Page) =>
      from.evaluate(() => Number(localStorage.getItem('stopped-tracks')))
    const otherTab = await ada.context.newPage()
    await otherTab.goto('/')
    await startStream(page)
    const before = await countStoppedTracks(otherTab)
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => countStoppedTracks(otherTab)).toBe(before + 2)
    const thirdTab = await ada.context.newPage()
    await thirdTab.goto('/')
    await recordTracks(thirdTab)
    await startStream(thirdTab)
    await logOut(otherTab)
    // The page navigates at the same time, which can interrupt the evaluation.
    await expect(async () => expect(await countStoppedTracks(thirdTab)).toBe(before + 4)).toPass()
    await deleteUser(ada)
  })

  test('switches camera and microphone on and off, changes the camera and handles a lost camera while live', async ({
    browser,
  }) => {
    const ben = await createUserOnHomeFeed(browser, 'Ben Live', cameraPermissions)
    const { page } = ben
    await recordTracks(page)
    await startStream(page)
    await deviceSwitch(page, 'Camera').click()
    await expect(liveDialog(page).getByText('Your camera is off.')).toBeVisible()
    await expect(deviceSwitch(page, 'Camera')).toHaveAttribute('aria-checked', 'false')
    expect(await getTracks(page)).toEqual(['audio live', 'video ended'])
    await deviceSwitch(page, 'Microphone').click()
    expect(await getLiveTracks(page)).toEqual([])
    await expect(liveDialog(page).getByText('LIVE', { exact: true })).toBeVisible()
    await expectAccessible(page)
    for (const name of ['Camera', 'Microphone']) {
      await deviceSwitch(page, name).click()
      await expect(deviceSwitch(page, name)).toHaveAttribute('aria-checked', 'true')
    }
    await expect.poll(() => getLiveTracks(page)).toEqual(['audio live', 'video live'])

    // If the user clicks faster than the camera responds, only the last click counts, and no video track stays live.
    for (let click = 0; click < 5; click += 1) await deviceSwitch(page, 'Camera').click()
    await expect(liveDialog(page).getByText('Your camera is off.')).toBeVisible()
    await expect.poll(() => getLiveTracks(page)).toEqual(['audio live'])
    await deviceSwitch(page, 'Camera').click()
    await expect(liveDialog(page).getByLabel('Your camera')).toBeVisible()

    const cameras = liveDialog(page).getByLabel('Camera in use')
    const getLiveCameras = () =>
      page.evaluate(() => {
        const liveTracks = window.trackRecord.tracks.filter(
          (track) => track.readyState === 'live' && track.kind === 'video',
        )
        return liveTracks.map((track) => track.label)
      })
    const [first] = await getLiveCameras()
    const options = await cameras.getByRole('option').allInnerTexts()
    expect(options.length).toBeGreaterThan(1)
    const otherCamera = options.find((name) => name !== first) ?? ''
    await cameras.selectOption({ label: otherCamera })
    await expect.poll(getLiveCameras).toEqual([otherCamera])
    await expect(cameras.locator('option:checked')).toHaveText(otherCamera)

    // Revoking the permissions ends the tracks, as unplugging the camera does.
    await ben.context.clearPermissions()
    await expect(liveDialog(page).getByText('Your camera was disconnected.')).toBeVisible()
    await expect(deviceSwitch(page, 'Camera')).toHaveAttribute('aria-checked', 'false')
    await expect.poll(() => getLiveTracks(page)).toEqual([])
    await deviceSwitch(page, 'Camera').click()
    await expect(page.getByText("Couldn't turn on the camera")).toBeVisible()
    await dialogButton(page, 'End stream').click()
    await expect(page.getByText('Live Stream Ended')).toBeVisible()
    await deleteUser(ben)
  })

  test('explains that camera access was denied, and lets the user try again', async ({ browser }) => {
    // Eve uses a phone, on which the right sidebar with its "Go Live" button is hidden.
    const eve = await createSignedInUser(browser, 'Eve Live', { viewport: phoneViewport, hasTouch: true })
    const page = await eve.context.newPage()
    await page.goto('/')
    await recordTracks(page)
    // On phones, the composer hides its buttons, including "Go Live", until it is clicked.
    await page.getByPlaceholder("What's on your mind?").click()
    await openLiveDialog(page)
    await dialogButton(page, 'Start live stream').click()
    const toast = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Dismiss' }) })
    await expect(toast).toContainText('Camera Access Denied')
    await expect(toast).toContainText('Please allow camera access to start your live stream.')
    await expect(liveDialog(page).getByRole('alert')).toContainText('Camera Access Denied')
    await expect(dialogButton(page, 'Try again')).toBeFocused()
    expect(await getTracks(page)).toEqual([])
    await expectAccessible(page)
    await eve.context.grantPermissions(cameraPermissions.permissions)
    await dialogButton(page, 'Try again').click()
    await expect(liveDialog(page).getByText('LIVE', { exact: true })).toBeVisible()
    await expect.poll(() => getLiveTracks(page)).toHaveLength(2)
    await expectAccessible(page)
    await deleteUser(eve)
  })
})

import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { messageInput, messageThread, sendChatMessage, storedMessages } from './support/conversation.ts'
import { collectPageErrors, phoneViewport } from './support/page.ts'
import { failNextRequest } from './support/requests.ts'
import { createSignedInUser } from './support/users.ts'

// The browser has a fake microphone that beeps. Each context has its own permissions.
test.use({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const args = [...(launchOptions.args ?? []), '--use-fake-device-for-media-stream']
      await use({ ...launchOptions, args })
    },
    { scope: 'worker' },
  ],
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const recordButton = (page: Page) => button(page, 'Record a voice message')
const timer = (page: Page) => page.getByRole('timer')

/** Records for at least this number of seconds. */
async function record(page: Page, seconds: number): Promise<void> {
  // Right after a message is sent, the app takes a click for the second click of a double click and ignores it, so the
  // test repeats the click.
  // On a busy machine, the recording may begin a while after the click.
  await expect(async () => {
    if (await recordButton(page).isVisible()) await recordButton(page).click()
    await expect(timer(page)).toBeVisible({ timeout: 5000 })
  }).toPass()
  // On a busy machine, the timer may skip a second.
  await expect(timer(page)).toHaveText(new RegExp(`^0:0[${seconds}-9]$`))
}

/** Sets whether voice messages play in a loop. A message in a loop does not end before it is checked. */
const setLoop = (page: Page, loop: boolean) =>
  page.locator('audio').evaluateAll((audios, isOn) => {
    for (const audio of audios) (audio as HTMLAudioElement).loop = isOn
  }, loop)

/** Returns the state of the last voice message's player. */
const player = (page: Page) =>
  page.evaluate(() => {
    const audio = [...document.querySelectorAll('audio')].at(-1)
    if (!audio) return null
    const isSeekable = audio.duration >= 3 && audio.seekable.length === 1 && audio.seekable.end(0) >= 3
    return { isPaused: audio.paused, isSeekable, rate: audio.playbackRate }
  })

test.describe('Voice messages', () => {
  test('are recorded, sent, received and played, and survive a failed upload', async ({ browser }) => {
    const [ana, ben] = await Promise.all([
      createSignedInUser(browser, 'Ana Voice', { permissions: ['microphone'] }),
      createSignedInUser(browser, 'Ben Voice', { viewport: phoneViewport }),
    ])
    const [anaPage, benPage] = [await ana.context.newPage(), await ben.context.newPage()]
    const collected = collectPageErrors(benPage)
    await anaPage.addInitScript(() => {
      const getUserMedia = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
      navigator.mediaDevices.getUserMedia = async (constraints) => {
        const stream = await getUserMedia(constraints)
        Object.assign(window, { lastTrack: stream.getTracks()[0] })
        return stream
      }
    })
    const microphone = () =>
      anaPage.evaluate(() => (window as { lastTrack?: MediaStreamTrack }).lastTrack?.readyState)
    await Promise.all([anaPage.goto(`/messages?user=${ben.id}`), benPage.goto(`/messages?user=${ana.id}`)])

    await test.step('hides the record button while there is text, and cancels a recording', async () => {
      await messageInput(anaPage).fill('Hello')
      await expect(recordButton(anaPage)).toBeHidden()
      await button(anaPage, 'Send').dblclick()
      await expect(storedMessages(anaPage)).toHaveCount(1)
      await expect(recordButton(anaPage)).toBeVisible()
      await record(anaPage, 1)
      await expect(messageInput(anaPage)).toBeHidden()
      expect(await microphone()).toBe('live')
      await expectAccessible(anaPage)
      await button(anaPage, 'Cancel').click()
      await expect(recordButton(anaPage)).toBeFocused()
      await expect.poll(microphone).toBe('ended')
      await expect(storedMessages(anaPage)).toHaveCount(1)
    })

    await test.step('asks before Escape or an edit discards a recording', async () => {
      const confirmation = anaPage.getByRole('alertdialog', { name: 'Discard this recording?' })
      const keep = async () => {
        await expect(confirmation.getByRole('button', { name: 'Keep recording' })).toBeFocused()
        await anaPage.keyboard.press('Escape')
        await expect(confirmation).toBeHidden()
        await expect(button(anaPage, 'Send voice message')).toBeFocused()
        expect(await microphone()).toBe('live')
      }
      const discard = async () => {
        await confirmation.getByRole('button', { name: 'Discard' }).click()
        await expect(confirmation).toBeHidden()
        await expect.poll(microphone).toBe('ended')
      }
      const chooseEdit = async () => {
        await storedMessages(anaPage).first().locator('[data-control]').press('Enter')
        await anaPage.getByRole('menuitem', { name: 'Edit' }).click()
      }
      await record(anaPage, 4)
      await anaPage.keyboard.press('Escape')
      await expectAccessible(anaPage)
      await keep()
      await anaPage.keyboard.press('Escape')
      await discard()
      await expect(recordButton(anaPage)).toBeFocused()

      await record(anaPage, 1)
      await chooseEdit()
      await keep()
      await chooseEdit()
      await discard()
      await expect(anaPage.getByRole('textbox', { name: 'Edit message' })).toBeFocused()
      await anaPage.keyboard.press('Escape')
      await expect(recordButton(anaPage)).toBeVisible()
    })

    await test.step('sends the message once after a failed upload, even if the button is clicked twice', async () => {
      await failNextRequest(anaPage, '**/api/upload-voice')
      await record(anaPage, 3)
      await button(anaPage, 'Send voice message').dblclick()
      await expect.poll(microphone).toBe('ended')
      await expect(storedMessages(anaPage)).toHaveCount(2)
      await expect(messageThread(benPage).getByRole('button', { name: 'Play voice message' })).toBeVisible()
      await expect(storedMessages(benPage)).toHaveCount(2)
    })

    await test.step('plays at different speeds and seeks with the keyboard', async () => {
      await expectAccessible(benPage)
      await setLoop(benPage, true)
      await button(benPage, 'Speed: 1×').click()
      await button(benPage, 'Play voice message').click()
      await expect.poll(() => player(benPage)).toEqual({ isPaused: false, isSeekable: true, rate: 1.5 })
      await button(benPage, 'Pause voice message').click()
      await setLoop(benPage, false)
      const position = benPage.getByRole('slider', { name: 'Position' })
      await position.press('Home')
      await position.press('ArrowRight')
      await expect(position).toHaveAttribute('aria-valuetext', /^0:01 of 0:0[3-9]$/)
      await button(benPage, 'Play voice message').click()
      // The position returns to the start when the message ends.
      await expect(position).toHaveAttribute('aria-valuetext', /^0:00 of/)
      await expect(button(benPage, 'Play voice message')).toBeVisible()
    })

    await test.step('plays one message at a time', async () => {
      await record(anaPage, 1)
      await anaPage.keyboard.press('Enter')
      await expect(storedMessages(benPage)).toHaveCount(3)
      await setLoop(benPage, true)
      const playing = () =>
        benPage
          .locator('audio')
          .evaluateAll((audios) => audios.map((audio) => !(audio as HTMLAudioElement).paused))
      await button(benPage, 'Play voice message').first().click()
      await expect.poll(playing).toEqual([true, false])
      await button(benPage, 'Play voice message').click()
      await expect.poll(playing).toEqual([false, true])
      await button(benPage, 'Pause voice message').click()
      await expect.poll(playing).toEqual([false, false])
    })

    await test.step('shows voice messages in the conversation list and in replies', async () => {
      await storedMessages(benPage).last().locator('[data-control]').press('Enter')
      await benPage.getByRole('menuitem', { name: 'Reply' }).click()
      await sendChatMessage(benPage, 'Got it')
      await expect(storedMessages(anaPage).last()).toContainText(/Voice message \(0:0[1-9]\)/)
      await record(anaPage, 1)
      await anaPage.keyboard.press('Enter')
      await benPage.goto('/messages')
      await expect(benPage.getByRole('button', { name: /Ana Voice/ })).toContainText(
        /Voice message \(0:0[1-9]\)/,
      )
    })
    expect(collected.errors).toEqual([])
  })

  test('explain why recording is not possible', async ({ browser }) => {
    const [ana, ben] = await Promise.all([
      createSignedInUser(browser, 'Ana Silent'),
      createSignedInUser(browser, 'Ben Silent'),
    ])
    const page = await ana.context.newPage()
    await page.goto(`/messages?user=${ben.id}`)
    const rejectWith = (name: string) =>
      page.evaluate((errorName) => {
        navigator.mediaDevices.getUserMedia = async () => {
          throw new DOMException('', errorName)
        }
      }, name)
    for (const [name, text] of [
      ['NotAllowedError', 'Allow microphone access in your browser.'],
      ['NotFoundError', 'No microphone was found. Connect one and try again.'],
    ] as const) {
      await rejectWith(name)
      await recordButton(page).click()
      await expect(page.getByText(text)).toBeVisible()
      await expect(recordButton(page)).toBeFocused()
    }
    await page.evaluate(() => Object.defineProperty(window, 'MediaRecorder', { value: undefined }))
    await recordButton(page).click()
    await expect(page.getByText("This browser can't record voice messages.")).toBeVisible()
  })

  test('end at the maximum length and can still be sent', async ({ browser }) => {
    const [ana, ben] = await Promise.all([
      createSignedInUser(browser, 'Ana Long', { permissions: ['microphone'] }),
      createSignedInUser(browser, 'Ben Long'),
    ])
    const page = await ana.context.newPage()
    await page.goto(`/messages?user=${ben.id}`)
    await record(page, 1)
    await page.evaluate(() => {
      const now = performance.now.bind(performance)
      performance.now = () => now() + 125_000
    })
    await expect(page.getByText('A voice message can be up to 2:00 long.')).toBeVisible()
    await expect(timer(page)).toHaveText('2:00')
    await button(page, 'Send voice message').click()
    await expect(storedMessages(page)).toHaveCount(1)
  })
})

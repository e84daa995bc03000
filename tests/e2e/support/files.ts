import type { Locator, Page } from 'playwright/test'

/** A file as Playwright passes it to a page. */
export interface TestFile {
  name: string
  mimeType: string
  buffer: Buffer
}

export const pngFile = (name: string, buffer: Buffer): TestFile => ({ name, mimeType: 'image/png', buffer })

/** Draws a gradient between two hues in the page, and returns it as a PNG. */
export async function drawGradientPng(page: Page, hue: number): Promise<Buffer> {
  const base64 = await page.evaluate((hue) => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 480, height: 320 })
    const context = canvas.getContext('2d')
    if (!context) throw new Error('This browser has no 2D canvas.')
    const gradient = context.createLinearGradient(0, 0, 0, 320)
    gradient.addColorStop(0, `hsl(${hue} 70% 60%)`)
    gradient.addColorStop(1, `hsl(${hue + 60} 60% 30%)`)
    context.fillStyle = gradient
    context.fillRect(0, 0, 480, 320)
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  }, hue)
  return Buffer.from(base64, 'base64')
}

/** Records a half-second WebM video in the page. */
export async function recordWebm(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 160, height: 120 })
    const context = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' })
    const chunks: Blob[] = []
    recorder.ondataavailable = ({ data }) => chunks.push(data)
    const stopped = new Promise((resolve) => {
      recorder.onstop = resolve
    })
    recorder.start()
    for (let frame = 0; frame < 10; frame += 1) {
      if (context) context.fillStyle = `hsl(${frame * 36} 80% 50%)`
      context?.fillRect(0, 0, 160, 120)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    recorder.stop()
    await stopped
    return btoa(String.fromCharCode(...new Uint8Array(await new Blob(chunks).arrayBuffer())))
  })
  return Buffer.from(base64, 'base64')
}

/** Dispatches a file event on an element, as the browser does when the user drags, drops or pastes a file there. */
export function dispatchFileEvent(
  target: Locator,
  event: 'dragenter' | 'drop' | 'paste',
  { name, mimeType, buffer }: TestFile,
): Promise<void> {
  return target.evaluate(
    (element, { event, name, mimeType, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([bytes], name, { type: mimeType }))
      const options = { bubbles: true, cancelable: true }
      element.dispatchEvent(
        event === 'paste'
          ? new ClipboardEvent(event, { ...options, clipboardData: data })
          : new DragEvent(event, { ...options, dataTransfer: data }),
      )
    },
    { event, name, mimeType, base64: buffer.toString('base64') },
  )
}

/** Clicks a button that opens a file chooser, and selects files. If `button` is a string, it must be the whole name. */
export async function chooseFiles(
  root: Page | Locator,
  button: string | RegExp,
  files: TestFile | TestFile[],
): Promise<void> {
  const page = 'page' in root ? root.page() : root
  const fileChooser = page.waitForEvent('filechooser')
  await root.getByRole('button', { name: button, exact: typeof button === 'string' }).click()
  // Sending a 10 MB file to the browser takes a long time on a busy machine.
  await (await fileChooser).setFiles(files, { timeout: 60_000 })
}

import type { Locator, Page } from 'playwright/test'

/** A file as Playwright hands it to a page. */
export interface TestFile {
  name: string
  mimeType: string
  buffer: Buffer
}

export const png = (name: string, buffer: Buffer): TestFile => ({ name, mimeType: 'image/png', buffer })

/** A WebM of half a second, recorded by the page. */
export async function clip(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 160, height: 120 })
    const context = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
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
    return btoa(String.fromCharCode(...new Uint8Array(await new Blob(parts).arrayBuffer())))
  })
  return Buffer.from(base64, 'base64')
}

/** Hands a file to an element by an event, as dragging or pasting it does. */
export function hand(
  target: Locator,
  event: 'dragenter' | 'drop' | 'paste',
  { name, mimeType, buffer }: TestFile,
): Promise<void> {
  return target.evaluate(
    (element, { event, name, mimeType, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([bytes], name, { type: mimeType }))
      const all = { bubbles: true, cancelable: true }
      element.dispatchEvent(
        event === 'paste'
          ? new ClipboardEvent(event, { ...all, clipboardData: data })
          : new DragEvent(event, { ...all, dataTransfer: data }),
      )
    },
    { event, name, mimeType, base64: buffer.toString('base64') },
  )
}

/** Presses a button that asks for files, by all of its name or what fits it, and gives it some. */
export async function choose(
  root: Page | Locator,
  button: string | RegExp,
  files: TestFile | TestFile[],
): Promise<void> {
  const page = 'page' in root ? root.page() : root
  const asked = page.waitForEvent('filechooser')
  await root.getByRole('button', { name: button, exact: typeof button === 'string' }).click()
  await (await asked).setFiles(files)
}

import { expect, type Locator, type Page } from 'playwright/test'

/**
 * Checks that nothing covers a toast's center, that no dialog hides the toast, and that the toast does not cover
 * `control`.
 */
export async function expectToastUnobstructed(
  page: Page,
  text: string | RegExp,
  control: Locator,
): Promise<void> {
  const controlHandle = await control.elementHandle()
  const inspectToast = () =>
    page.getByText(text).evaluate((message, control) => {
      const toast = message.closest('[role=alert], [role=status]')
      const { left, right, top, bottom } = (toast ?? message).getBoundingClientRect()
      const topmost = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      const controlBox = control?.getBoundingClientRect()
      return {
        onTop: toast?.contains(topmost) === true,
        hidden: message.closest('[aria-hidden=true], [inert]') !== null,
        coversControl:
          !controlBox ||
          (controlBox.left < right &&
            controlBox.right > left &&
            controlBox.top < bottom &&
            controlBox.bottom > top),
      }
    }, controlHandle)
  await expect.poll(inspectToast).toEqual({ onTop: true, hidden: false, coversControl: false })
}

/** The toasts that a page has shown. */
interface ToastRecord {
  /** The text of each toast, oldest first. */
  texts: string[]
  /** The largest number of toasts that were visible at the same time. */
  maxVisible: number
}

/** Starts recording a page's toasts at its next navigation. */
export async function recordToasts(page: Page): Promise<ToastRecord> {
  const record: ToastRecord = { texts: [], maxVisible: 0 }
  await page.exposeFunction('recordToast', (text: string, visible: number) => {
    record.texts.push(text)
    record.maxVisible = Math.max(record.maxVisible, visible)
  })
  await page.addInitScript(() => {
    const { recordToast } = window as unknown as { recordToast: (text: string, visible: number) => void }
    const known = new WeakSet<Element>()
    new MutationObserver(() => {
      const dismissButtons = [...document.querySelectorAll('button[aria-label="Dismiss"]')]
      const toasts = dismissButtons.flatMap((button) => button.parentElement ?? [])
      for (const toast of toasts) {
        if (known.has(toast)) continue
        known.add(toast)
        recordToast(toast.textContent, toasts.length)
      }
    }).observe(document, { subtree: true, childList: true })
  })
  return record
}

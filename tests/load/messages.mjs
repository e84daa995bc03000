/** @typedef {import('./people.mjs').Person} Person */

/** Milliseconds without a single further message on the screen after which those that are missing count as lost. */
const patience = 30_000
const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * From the key that sends a message in one page to its bubble being painted in another, both in a real browser with
 * the conversation open.
 *
 * @param {import('playwright').Browser} browser
 * @param {string} origin
 * @param {Person} sender
 * @param {Person} receiver
 * @param {{ count: number, perSecond: number }} pace
 * @returns {Promise<number[]>} milliseconds
 */
export async function timeToScreen(browser, origin, sender, receiver, { count, perSecond }) {
  const contexts = [await browser.newContext(), await browser.newContext()]
  try {
    const [from, to] = await Promise.all([
      openConversation(contexts[0], origin, sender, receiver),
      openConversation(contexts[1], origin, receiver, sender),
    ])
    await from.evaluate(noteKeys)
    await to.evaluate(noteBubbles)
    const box = from.getByRole('textbox', { name: 'Type a message' })
    for (let index = 0; index < count; index++) {
      const next = performance.now() + 1000 / perSecond
      await box.fill(`Load ${index}.`)
      await box.press('Enter')
      await pause(Math.max(0, next - performance.now()))
    }
    for (let before = -1, drawn = 0; drawn < count; ) {
      if (drawn === before) throw new Error(`${drawn} of ${count} messages came to the other’s screen.`)
      before = drawn
      await to
        .waitForFunction((known) => window.painted.length > known, before, { timeout: patience })
        .catch(() => undefined)
      drawn = await to.evaluate(() => window.painted.length)
    }
    const sent = await from.evaluate(() => window.sent)
    const painted = await to.evaluate(() => window.painted)
    return painted.map(({ index, at }) => at - (sent[index] ?? Number.NaN))
  } finally {
    for (const context of contexts) await context.close()
  }
}

/**
 * @param {import('playwright').BrowserContext | undefined} context
 * @param {string} origin
 * @param {Person} person
 * @param {Person} other
 */
async function openConversation(context, origin, person, other) {
  if (!context) throw new Error('The browser gave no window.')
  const page = await context.newPage()
  await page.goto(`${origin}/login`)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL(`${origin}/`)
  await page.goto(`${origin}/messages?user=${other.id}`)
  await page.getByRole('textbox', { name: 'Type a message' }).waitFor()
  // The channels are joined a moment after the page shows the thread.
  await pause(2000)
  return page
}

/** In the sender's page: notes when each message is sent off. */
function noteKeys() {
  /** @type {number[]} */
  window.sent = []
  const note = (/** @type {KeyboardEvent} */ event) => {
    const { target } = event
    if (event.key !== 'Enter' || !(target instanceof HTMLTextAreaElement)) return
    const index = /^Load (\d+)\.$/.exec(target.value)?.[1]
    if (index) window.sent[Number(index)] = performance.timeOrigin + performance.now()
  }
  document.addEventListener('keydown', note, { capture: true })
}

/** In the receiver's page: notes when each bubble has been painted, which is once the frame it came in is over. */
function noteBubbles() {
  const seen = new Set()
  /** @type {{ index: number, at: number }[]} */
  window.painted = []
  const look = () => {
    for (const bubble of document.querySelectorAll('[data-message]')) {
      const index = /^Load (\d+)\.$/.exec(bubble.textContent ?? '')?.[1]
      if (index === undefined || seen.has(index)) continue
      seen.add(index)
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () =>
          window.painted.push({ index: Number(index), at: performance.timeOrigin + performance.now() })
        port2.postMessage(null)
      })
    }
  }
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
  look()
}

import { setTimeout as sleep } from 'node:timers/promises'

/** @typedef {import('./api-client.mjs').RegisteredUser} RegisteredUser */

/** The measurement fails if no further message appears on the screen within this time. */
const timeoutMs = 30_000

/**
 * Measures the time from the key press that sends a message in one page until the message's bubble is painted in
 * another. Both pages run in a real browser with the conversation open.
 *
 * @param {import('playwright').Browser} browser
 * @param {string} origin
 * @param {RegisteredUser} sender
 * @param {RegisteredUser} receiver
 * @param {{ count: number, perSecond: number }} pace
 * @returns {Promise<number[]>} milliseconds
 */
export async function measureTimeToScreen(browser, origin, sender, receiver, { count, perSecond }) {
  const contexts = [await browser.newContext(), await browser.newContext()]
  try {
    const [senderPage, receiverPage] = await Promise.all([
      openConversation(contexts[0], origin, sender, receiver),
      openConversation(contexts[1], origin, receiver, sender),
    ])
    await senderPage.evaluate(recordKeys)
    await receiverPage.evaluate(recordBubbles)
    const box = senderPage.getByRole('textbox', { name: 'Type a message' })
    for (let index = 0; index < count; index++) {
      const next = performance.now() + 1000 / perSecond
      await box.fill(`Load ${index}.`)
      await box.press('Enter')
      await sleep(Math.max(0, next - performance.now()))
    }
    for (let previous = -1, painted = 0; painted < count; ) {
      if (painted === previous)
        throw new Error(`${painted} of ${count} messages reached the receiver’s screen.`)
      previous = painted
      await receiverPage
        .waitForFunction((previousCount) => window.painted.length > previousCount, previous, {
          timeout: timeoutMs,
        })
        .catch(() => undefined)
      painted = await receiverPage.evaluate(() => window.painted.length)
    }
    const sent = await senderPage.evaluate(() => window.sent)
    const painted = await receiverPage.evaluate(() => window.painted)
    return painted.map(({ index, at }) => at - (sent[index] ?? Number.NaN))
  } finally {
    for (const context of contexts) await context.close()
  }
}

/**
 * Signs in and opens a conversation.
 *
 * @param {import('playwright').BrowserContext | undefined} context
 * @param {string} origin
 * @param {RegisteredUser} user
 * @param {RegisteredUser} partner
 */
async function openConversation(context, origin, user, partner) {
  if (!context) throw new Error('The browser has no context.')
  const page = await context.newPage()
  await page.goto(`${origin}/login`)
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL(`${origin}/`)
  await page.goto(`${origin}/messages?user=${partner.id}`)
  await page.getByRole('textbox', { name: 'Type a message' }).waitFor()
  // The page joins its channels shortly after it shows the messages.
  await sleep(2000)
  return page
}

/** Runs in the sender's page: records when the key that sends each message is pressed. */
function recordKeys() {
  /** @type {number[]} */
  window.sent = []
  const record = (/** @type {KeyboardEvent} */ event) => {
    const { target } = event
    if (event.key !== 'Enter' || !(target instanceof HTMLTextAreaElement)) return
    const index = /^Load (\d+)\.$/.exec(target.value)?.[1]
    if (index) window.sent[Number(index)] = performance.timeOrigin + performance.now()
  }
  document.addEventListener('keydown', record, { capture: true })
}

/** Runs in the receiver's page: records when each bubble has been painted, at the end of its animation frame. */
function recordBubbles() {
  const seen = new Set()
  /** @type {{ index: number, at: number }[]} */
  window.painted = []
  const recordNewBubbles = () => {
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
  new MutationObserver(recordNewBubbles).observe(document.body, {
    childList: true,
    subtree: true,
    characterData: true,
  })
  recordNewBubbles()
}

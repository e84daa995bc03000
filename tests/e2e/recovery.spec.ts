import { expect, type Page, test, type WebSocketRoute } from 'playwright/test'
import postgres from 'postgres'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { discard, killStack, type Stack, startStack, temporaryFolder } from '../support/own-stack.ts'
import { arrive, type Member, openConversation, say, thread } from './support.ts'

/** What the stack went through must be nobody else's: these journeys have one of their own. */
let dataDir: string
let stack: Stack
let baseURL: string

test.describe.configure({ mode: 'serial', timeout: 180_000 })

test.beforeAll(async () => {
  dataDir = temporaryFolder()
  stack = startStack(dataDir, await freePort())
  baseURL = (await stack.ready()).apiUrl
})
test.afterAll(() => discard(stack, dataDir))

const notice = /^The server cannot be reached|^Live updates are paused/

/** The numbers of the messages that are drawn, from top to bottom. */
const numbersShown = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('[data-message]')].flatMap((bubble) => {
      const number = /^Number (\d+)\./.exec(bubble.textContent ?? '')?.[1]
      return number ? [Number(number)] : []
    }),
  )

const isGrowing = (numbers: number[]) =>
  numbers.every((one, at) => at === 0 || one > (numbers[at - 1] ?? one))

/** Cuts somebody's socket: the page is told that it closed, or it is dead without a word. */
async function cuts(page: Page) {
  let open: { route: WebSocketRoute; dead: boolean } | undefined
  await page.routeWebSocket(/\/realtime\/v1\/websocket/, (route) => {
    const server = route.connectToServer()
    const socket = { route, dead: false }
    open = socket
    route.onMessage((message) => socket.dead || server.send(message))
    server.onMessage((message) => socket.dead || route.send(message))
  })
  return {
    close: () => open?.route.close({ code: 4000 }),
    goSilent: () => {
      if (open) open.dead = true
    },
  }
}

/** Scrolls from the end to the first message: every number that was drawn, and whether they always were in order. */
const readUpwards = (page: Page) =>
  thread(page).evaluate(async (element) => {
    const numbers = new Set<number>()
    let inOrder = true
    for (;;) {
      let last = 0
      for (const bubble of element.querySelectorAll('[data-message]')) {
        const number = Number(/^Number (\d+)\./.exec(bubble.textContent ?? '')?.[1])
        if (number <= last) inOrder = false
        last = number
        numbers.add(number)
      }
      if (numbers.has(1)) return { numbers: [...numbers], inOrder }
      element.scrollBy(0, -300)
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20)))
    }
  })

async function idOf(sql: postgres.Sql, who: Member): Promise<string> {
  const [row] = await sql<{ id: string }[]>`select id from public.profiles where username = ${who.username}`
  return row?.id ?? ''
}

test('of a thousand messages, each arrives once and in order though the connection is cut ten times', async ({
  browser,
}) => {
  const [ana, ben] = [
    await arrive(browser, 'Ana Moreau', { baseURL }),
    await arrive(browser, 'Ben Okoye', { baseURL }),
  ]
  const cut = await cuts(ben.page)
  const { databaseUrl } = await stack.ready()
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  const [from, to] = [await idOf(sql, ana.who), await idOf(sql, ben.who)]
  // A caller of the API may not write as fast: these pass the same triggers.
  const write = async (first: number, last: number) => {
    for (let number = first; number <= last; number += 10) {
      await sql`insert into public.messages (sender_id, receiver_id, content)
                select ${from}::uuid, ${to}::uuid, 'Number ' || n || '.'
                from generate_series(${number}::int, ${Math.min(number + 9, last)}::int) as n order by n`
    }
  }
  await write(1, 1)
  await openConversation(ben.page, ana.who)
  await expect(thread(ben.page).getByText('Number 1.', { exact: true })).toBeVisible()

  for (let round = 1; round <= 10; round += 1) {
    const before = (round - 1) * 100
    await write(before + 2, before + 40)
    if (round % 2) cut.close()
    else cut.goSilent()
    await write(before + 41, before + 90)
    // Another network is what a page hears of a silent death; of a closed socket it hears at once.
    if (round % 2 === 0) await ben.page.evaluate(() => window.dispatchEvent(new Event('online')))
    await write(before + 91, Math.min(before + 101, 1000))
    const latest = thread(ben.page).getByText(`Number ${Math.min(before + 101, 1000)}.`, { exact: true })
    await expect(latest).toBeVisible({ timeout: 30_000 })
    expect(isGrowing(await numbersShown(ben.page))).toBe(true)
  }
  await sql.end()

  const seen = await readUpwards(ben.page)
  expect(seen.inOrder).toBe(true)
  expect(seen.numbers.sort((one, other) => one - other)).toEqual(
    Array.from({ length: 1000 }, (_, at) => at + 1),
  )
  await ana.context.close()
  await ben.context.close()
})

test('a killed stack, a cut network and a slow one lose nothing and double nothing, in both tabs of the receiver', async ({
  browser,
}) => {
  const ana = await arrive(browser, 'Ana Weiss', { baseURL })
  const ben = await arrive(browser, 'Ben Sato', { baseURL })
  const second = await ben.context.newPage()
  const tabs = [ben.page, second]
  await openConversation(ana.page, ben.who)
  for (const tab of tabs) await openConversation(tab, ana.who)
  const arrives = async (text: string) => {
    for (const tab of tabs) {
      const bubble = thread(tab).getByText(text, { exact: true })
      await expect(bubble).toBeVisible({ timeout: 40_000 })
      await expect(bubble).toHaveCount(1)
    }
  }

  await say(ana.page, 'Before the cut')
  await arrives('Before the cut')

  await test.step('The stack is killed and started', async () => {
    await killStack(stack)
    await say(ana.page, 'Into the dark')
    await expect(ana.page.getByText(notice)).toBeVisible()
    await expect(thread(ana.page).getByText('Into the dark')).toBeVisible()
    stack = startStack(dataDir, stack.port)
    await stack.ready()
    await arrives('Into the dark')
    await expect(thread(ana.page).getByText('Into the dark')).toHaveCount(1)
    await expect(ana.page.getByText(notice)).toBeHidden({
      timeout: 20_000,
    })
  })

  await test.step('The receiver’s network is cut', async () => {
    await ben.context.setOffline(true)
    await say(ana.page, 'While you were away')
    await say(ana.page, 'And once more')
    await expect(thread(ana.page).getByText('And once more')).toBeVisible()
    await ben.context.setOffline(false)
    await arrives('While you were away')
    await arrives('And once more')
  })

  await test.step('Both networks are slow', async () => {
    for (const page of [ana.page, ...tabs]) {
      const devtools = await page.context().newCDPSession(page)
      const slow = { offline: false, latency: 400, downloadThroughput: 20_000, uploadThroughput: 10_000 }
      await devtools.send('Network.emulateNetworkConditions', slow)
    }
    for (const text of ['Slow one', 'Slow two', 'Slow three']) await say(ana.page, text)
    for (const text of ['Slow one', 'Slow two', 'Slow three']) await arrives(text)
    await say(second, 'Received')
    await expect(thread(ana.page).getByText('Received')).toBeVisible({ timeout: 20_000 })
    await expect(thread(ben.page).getByText('Received')).toHaveCount(1)
  })
  await ana.context.close()
  await ben.context.close()
})

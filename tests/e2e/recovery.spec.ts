import { type BrowserContext, expect, type Page, test, type WebSocketRoute } from 'playwright/test'
import postgres from 'postgres'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { discard, killStack, type Stack, startStack, temporaryFolder } from '../support/own-stack.ts'
import { join, type Member, say, thread } from './support.ts'

/** What the stack went through must be nobody else's: these journeys have one of their own, and its two people. */
let dataDir: string
let stack: Stack
let sql: postgres.Sql
let ana: Person
let ben: Person

interface Person {
  id: string
  context: BrowserContext
}

test.describe.configure({ mode: 'serial', timeout: 180_000, retries: 0 })

test.beforeAll(async ({ browser }) => {
  dataDir = temporaryFolder()
  stack = startStack(dataDir, await freePort())
  const { apiUrl, databaseUrl } = await stack.ready()
  sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  const come = async (fullName: string): Promise<Person> => {
    const { context, who } = await join(browser, fullName, { baseURL: apiUrl })
    return { context, id: await idOf(who) }
  }
  ;[ana, ben] = await Promise.all([come('Ana Moreau'), come('Ben Okoye')])
})
test.afterAll(async () => {
  await Promise.all([ana, ben].map((person) => person?.context.close()))
  await sql?.end()
  await discard(stack, dataDir)
})

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
function cuts() {
  let open: { route: WebSocketRoute; dead: boolean } | undefined
  const prepare = (page: Page) =>
    page.routeWebSocket(/\/realtime\/v1\/websocket/, (route) => {
      const server = route.connectToServer()
      const socket = { route, dead: false }
      open = socket
      route.onMessage((message) => socket.dead || server.send(message))
      server.onMessage((message) => socket.dead || route.send(message))
    })
  return {
    prepare,
    close: () => open?.route.close({ code: 4000 }),
    goSilent: () => {
      if (open) open.dead = true
    },
  }
}

/**
 * Scrolls from the end to the first message: every number that was drawn, and whether they always were in order. Each
 * step goes as far up as messages are drawn; those above are drawn next.
 */
const readUpwards = (page: Page) =>
  thread(page).evaluate(async (element) => {
    const numbers = new Set<number>()
    let inOrder = true
    for (;;) {
      let last = 0
      const bubbles = element.querySelectorAll('[data-message]')
      for (const bubble of bubbles) {
        const number = Number(/^Number (\d+)\./.exec(bubble.textContent ?? '')?.[1])
        if (number <= last) inOrder = false
        last = number
        numbers.add(number)
      }
      if (numbers.has(1)) return { numbers: [...numbers], inOrder }
      bubbles[0]?.scrollIntoView({ block: 'start', behavior: 'instant' })
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    }
  })

async function idOf(who: Member): Promise<string> {
  const [row] = await sql<{ id: string }[]>`select id from public.profiles where username = ${who.username}`
  return row?.id ?? ''
}

/** A page of somebody's, with the conversation with the other open. */
async function openThread(person: Person, other: Person, prepare?: (page: Page) => Promise<void>) {
  const page = await person.context.newPage()
  await prepare?.(page)
  await page.goto(`/messages?user=${other.id}`)
  await expect(page.getByPlaceholder('Type a message...')).toBeVisible()
  return page
}

test('of a thousand messages, each arrives once and in order though the connection is cut ten times', async () => {
  const cut = cuts()
  // A caller of the API may not write as fast: these pass the same triggers, and say that they were not written in
  // one minute, whose messages would be drawn as one.
  const write = async (first: number, last: number) => {
    for (let number = first; number <= last; number += 10) {
      await sql`insert into public.messages (sender_id, receiver_id, content, created_at)
                select ${ana.id}::uuid, ${ben.id}::uuid, 'Number ' || n || '.',
                       clock_timestamp() - (1000 - n) * interval '3 seconds'
                from generate_series(${number}::int, ${Math.min(number + 9, last)}::int) as n order by n`
    }
  }
  await write(1, 1)
  const page = await openThread(ben, ana, cut.prepare)
  await expect(thread(page).getByText('Number 1.', { exact: true })).toBeVisible()

  for (let round = 1; round <= 10; round += 1) {
    const before = (round - 1) * 100
    await write(before + 2, before + 40)
    if (round % 2) cut.close()
    else cut.goSilent()
    await write(before + 41, before + 90)
    // Another network is what a page hears of a silent death; of a closed socket it hears at once.
    if (round % 2 === 0) await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await write(before + 91, Math.min(before + 101, 1000))
    const latest = thread(page).getByText(`Number ${Math.min(before + 101, 1000)}.`, { exact: true })
    await expect(latest).toBeVisible({ timeout: 30_000 })
    expect(isGrowing(await numbersShown(page))).toBe(true)
  }

  const seen = await readUpwards(page)
  expect(seen.inOrder).toBe(true)
  expect(seen.numbers.sort((one, other) => one - other)).toEqual(
    Array.from({ length: 1000 }, (_, at) => at + 1),
  )
  await page.close()
})

test('a killed stack, a cut network and a slow one lose nothing and double nothing, in both tabs of the receiver', async () => {
  const [sender, first, second] = await Promise.all([
    openThread(ana, ben),
    openThread(ben, ana),
    openThread(ben, ana),
  ])
  const tabs = [first, second]
  const arrives = async (text: string) => {
    for (const tab of tabs) {
      const bubble = thread(tab).getByText(text, { exact: true })
      await expect(bubble).toBeVisible({ timeout: 40_000 })
      await expect(bubble).toHaveCount(1)
    }
  }

  await say(sender, 'Before the cut')
  await arrives('Before the cut')

  await test.step('The stack is killed and started', async () => {
    await killStack(stack)
    await say(sender, 'Into the dark')
    await expect(sender.getByText(notice)).toBeVisible()
    await expect(thread(sender).getByText('Into the dark')).toBeVisible()
    stack = startStack(dataDir, stack.port)
    await stack.ready()
    await arrives('Into the dark')
    await expect(thread(sender).getByText('Into the dark')).toHaveCount(1)
    await expect(sender.getByText(notice)).toBeHidden({
      timeout: 20_000,
    })
  })

  await test.step('The receiver’s network is cut', async () => {
    await ben.context.setOffline(true)
    await say(sender, 'While you were away')
    await say(sender, 'And once more')
    await expect(thread(sender).getByText('And once more')).toBeVisible()
    await ben.context.setOffline(false)
    await arrives('While you were away')
    await arrives('And once more')
  })

  await test.step('Both networks are slow', async () => {
    for (const page of [sender, ...tabs]) {
      const devtools = await page.context().newCDPSession(page)
      const slow = { offline: false, latency: 400, downloadThroughput: 20_000, uploadThroughput: 10_000 }
      await devtools.send('Network.emulateNetworkConditions', slow)
    }
    for (const text of ['Slow one', 'Slow two', 'Slow three']) await say(sender, text)
    for (const text of ['Slow one', 'Slow two', 'Slow three']) await arrives(text)
    await say(second, 'Received')
    await expect(thread(sender).getByText('Received')).toBeVisible({ timeout: 20_000 })
    await expect(thread(first).getByText('Received')).toHaveCount(1)
  })
})

import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page, test } from 'playwright/test'
import { arrive, forget, sql, watchErrors } from './support.ts'

const mark = randomUUID().slice(0, 6)
const long = `Wolfeschlegelsteinhausenbergerdorff${'welche'.repeat(7)}`
const rlo = '\u202E'
const pdi = '\u2069'

/** People whose names and words run in other directions, or try to turn around what stands beside them. */
const people = {
  arabic: {
    name: 'محمد بن علي الخوارزمي',
    text: `كتبت هذا: 3 مرات (قديم) مع @noormakes و https://example.com/a?b=1`,
  },
  hebrew: { name: 'נועה כהן!', text: 'שלום לכולם, 12:30 מחר?\nSecond line, in English.' },
  cjk: { name: '山田太郎', text: '漢字かな'.repeat(60) },
  emoji: { name: '👩‍🚀 🏳️‍🌈', text: '👨‍👩‍👧‍👦👍🏽' },
  long: { name: long, text: 'x'.repeat(400) },
  // Such a name is refused today; it may be from before.
  turned: {
    name: `${rlo}evil${pdi}${rlo} name`,
    text: `${rlo}txet denrut https://example.com/${rlo}gpj.exe`,
  },
}
type Who = keyof typeof people
const names = Object.keys(people) as Who[]
const usernameOf = (who: Who) => `w${mark}_${who}`
/** A name as it is shown: as much as the column holds, and no control of direction. */
const shownName = (who: Who) => people[who].name.replaceAll(rlo, '').replaceAll(pdi, '').slice(0, 80)
const ids: Record<string, string> = {}

test.beforeAll(async () => {
  for (const who of names) {
    const { text } = people[who]
    const id = randomUUID()
    ids[who] = id
    const data = {
      username: usernameOf(who),
      full_name: 'To Be',
      phone_number: '+1 555 0100 200',
      adult_confirmed: true,
    }
    await sql`
      insert into auth.users (id, email, created_at, raw_user_meta_data)
      values (${id}, ${`${usernameOf(who)}@example.test`}, now(), ${sql.json(data)})`
    await sql`insert into public.posts (author_id, content) values (${id}, ${text})`
    await sql`update public.profile_details set bio = ${text} where user_id = ${id}`
  }
  await sql.begin(async (tx) => {
    // Around the rules of today.
    await tx`set local session_replication_role = replica`
    for (const who of names) {
      await tx`update public.profiles set full_name = ${people[who].name.slice(0, 80)} where id = ${ids[who] ?? ''}`
    }
  })
})

test.afterAll(async () => {
  await sql`delete from auth.users where id = any(${Object.values(ids)}::uuid[])`
})

/** A post's first line, from left to right: who, the handle, when. */
async function lineOf(page: Page, who: Who) {
  const post = page
    .getByRole('article')
    .filter({ hasText: `@${usernameOf(who)}` })
    .first()
  await post.scrollIntoViewIfNeeded()
  const boxes = [
    post.getByRole('link', { name: shownName(who), exact: true }),
    post.getByText(`@${usernameOf(who)}`),
    post.getByRole('link', { name: /ago|Just now/ }),
  ].map((element) => element.boundingBox())
  return (await Promise.all(boxes)).map((box) => ({
    left: box?.x ?? 0,
    right: (box?.x ?? 0) + (box?.width ?? 0),
  }))
}

/** Where in its box a text stands: pixels to its left, and whether its first letters can be seen. */
async function placeOf(element: Locator): Promise<{ left: number; startShown: boolean }> {
  return await element.evaluate((box) => {
    const text = box.firstChild
    if (!text) throw new Error('There is no text.')
    const all = document.createRange()
    all.selectNodeContents(text)
    const start = document.createRange()
    start.setStart(text, 0)
    start.setEnd(text, 3)
    const [outer, inner, first] = [box, all, start].map((one) => one.getBoundingClientRect())
    if (!outer || !inner || !first) throw new Error('There is no place.')
    return {
      left: Math.round(inner.left - outer.left),
      startShown: first.left >= outer.left - 1 && first.right <= outer.right + 1,
    }
  })
}

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

/** The page's title, whatever of the reader's is unread: that is counted before it. */
const expectTitle = (page: Page, title: string) =>
  expect.poll(async () => (await page.title()).replace(/^\(\d+\) /, '')).toBe(title)

test('names and words of every script stand where they should and turn nothing around', async ({
  browser,
}) => {
  const uma = await arrive(browser, 'Uma Lind')
  const { page } = uma
  const watched = watchErrors(page)
  const [viewer] = await sql<
    { id: string }[]
  >`select id from public.profiles where username = ${uma.who.username}`
  const me = viewer?.id ?? ''
  for (const who of names) {
    await sql`insert into public.messages (sender_id, receiver_id, content) values (${ids[who] ?? ''}, ${me}, ${people[who].text})`
  }

  await test.step('In the feed each line is name, handle, time, from the left', async () => {
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/')
      await expect(page.getByRole('article').filter({ hasText: 'denrut' })).toBeVisible()
      expect(await overflow(page), `feed ${width}`).toBeLessThanOrEqual(0)
      // The narrow line has no room for the handle.
      for (const who of width < 480 ? [] : names) {
        const [name, handle, when] = await lineOf(page, who)
        expect(name?.right, who).toBeLessThanOrEqual(handle?.left ?? 0)
        expect(handle?.right, who).toBeLessThanOrEqual(when?.left ?? 0)
      }
    }
  })

  await test.step('A post runs in its own direction, its addresses in theirs', async () => {
    const arabic = page.getByRole('article').filter({ hasText: 'كتبت' }).first()
    const link = arabic.getByRole('link', { name: 'example.com/a?b=1' })
    await expect(link).toHaveCSS('unicode-bidi', 'isolate')
    // What comes first is on the right.
    const [first, second] = [
      await arabic.getByRole('link', { name: '@noormakes' }).boundingBox(),
      await link.boundingBox(),
    ]
    expect((second?.x ?? 0) + (second?.width ?? 0)).toBeLessThanOrEqual(first?.x ?? 0)
    const turned = page.getByRole('article').filter({ hasText: 'denrut' }).first()
    const address = turned.getByRole('link', { name: 'example.com', exact: true })
    await expect(address).toHaveAttribute('href', 'https://example.com/')
    await expect(turned).toHaveAccessibleName('Post by evil name')
  })

  await test.step('Initials are whole letters', async () => {
    const space = page.getByRole('article').filter({ hasText: '👍🏽' }).first()
    await expect(space.locator('[aria-hidden=true]').first()).toHaveText('👩‍🚀🏳️‍🌈')
  })

  await test.step('Profiles, their titles and conversations hold them, too', async () => {
    for (const who of names) {
      await page.goto(`/profile/${usernameOf(who)}`)
      const name = shownName(who)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
      await expectTitle(page, `${name} · Ovation`)
      expect(await overflow(page), who).toBeLessThanOrEqual(0)
    }
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`/messages?user=${ids.turned}`)
      await expect(page.getByRole('heading', { name: 'evil name' })).toBeVisible()
      expect(await overflow(page), `messages ${width}`).toBeLessThanOrEqual(0)
    }
    // The row's time stays right of the name, whatever that is.
    const row = page.getByRole('button').filter({ hasText: people.hebrew.name })
    const [name, when] = [
      await row.getByText(people.hebrew.name).boundingBox(),
      await row.getByText(/ago$/).first().boundingBox(),
    ]
    expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual(when?.x ?? 0)
    // A name begins where the others do, and what is cut of a message is its end.
    const arabic = page.getByRole('button').filter({ hasText: people.arabic.name })
    expect(await placeOf(row.getByText(people.hebrew.name))).toMatchObject({ left: 0, startShown: true })
    expect(await placeOf(arabic.getByText('كتبت هذا'))).toMatchObject({ startShown: true })
  })

  await test.step('The echo of a search keeps its quotation marks', async () => {
    await page.goto(`/search?q=${encodeURIComponent('אבגדה קקק (1)')}`)
    const told = page.getByText('No users found for')
    await expect(told).toHaveText(
      'No users found for "אבגדה קקק (1)". Try searching with different keywords.',
    )
    await expect(told.locator('bdi')).toHaveText('אבגדה קקק (1)')
    await page.goto(`/search?q=${encodeURIComponent(`${rlo}abc`)}`)
    await expectTitle(page, 'Search: abc · Ovation')
  })

  expect(watched.errors).toEqual([])
  await forget(uma)
})

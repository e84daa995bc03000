import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page, test } from 'playwright/test'
import { deleteAccounts } from '../support/deadlocks.ts'
import { collectPageErrors, horizontalOverflow } from './support/page.ts'
import { createUserOnHomeFeed, deleteUser, sql } from './support/users.ts'

const suffix = randomUUID().slice(0, 6)
const longName = `Wolfeschlegelsteinhausenbergerdorff${'welche'.repeat(7)}`
const rightToLeftOverride = '\u202E'
const popDirectionalIsolate = '\u2069'

/**
 * Users whose names and posts use non-Latin scripts, emoji or right-to-left text, are very long, or try to reverse the
 * text next to them.
 */
const profiles = {
  arabic: {
    name: 'محمد بن علي الخوارزمي',
    text: `كتبت هذا: 3 مرات (قديم) مع @noormakes و https://example.com/a?b=1`,
  },
  hebrew: { name: 'נועה כהן!', text: 'שלום לכולם, 12:30 מחר?\nSecond line, in English.' },
  cjk: { name: '山田太郎', text: '漢字かな'.repeat(60) },
  emoji: { name: '👩‍🚀 🏳️‍🌈', text: '👨‍👩‍👧‍👦👍🏽' },
  long: { name: longName, text: 'x'.repeat(400) },
  // The app rejects such names, but older rows may contain them.
  reversed: {
    name: `${rightToLeftOverride}evil${popDirectionalIsolate}${rightToLeftOverride} name`,
    text: `${rightToLeftOverride}txet denrut https://example.com/${rightToLeftOverride}gpj.exe`,
  },
}
type Key = keyof typeof profiles
const keys = Object.keys(profiles) as Key[]
const usernameOf = (key: Key) => `w${suffix}_${key}`
/** Returns a name as the app shows it: cut to the length of the database column, without bidi control characters. */
const shownName = (key: Key) =>
  profiles[key].name.replaceAll(rightToLeftOverride, '').replaceAll(popDirectionalIsolate, '').slice(0, 80)
const userIds: Record<string, string> = {}

test.beforeAll(async () => {
  for (const key of keys) {
    const { text } = profiles[key]
    const id = randomUUID()
    userIds[key] = id
    const data = {
      username: usernameOf(key),
      full_name: 'Placeholder',
      phone_number: '+1 555 0100 200',
      adult_confirmed: true,
    }
    await sql`
      insert into auth.users (id, email, created_at, raw_user_meta_data)
      values (${id}, ${`${usernameOf(key)}@example.test`}, now(), ${sql.json(data)})`
    await sql`insert into public.posts (author_id, content) values (${id}, ${text})`
    await sql`update public.profile_details set bio = ${text} where user_id = ${id}`
  }
  await sql.begin(async (tx) => {
    // Skips the triggers that validate names.
    await tx`set local session_replication_role = replica`
    for (const key of keys) {
      await tx`update public.profiles set full_name = ${profiles[key].name.slice(0, 80)} where id = ${userIds[key] ?? ''}`
    }
  })
})

test.afterAll(() => deleteAccounts(sql, Object.values(userIds)))

/** Returns the horizontal bounds of the name, the handle and the time in the first line of a user's post. */
async function getHeaderBounds(page: Page, key: Key) {
  const post = page
    .getByRole('article')
    .filter({ hasText: `@${usernameOf(key)}` })
    .first()
  await post.scrollIntoViewIfNeeded()
  const boundingBoxes = [
    post.getByRole('link', { name: shownName(key), exact: true }),
    // The element that truncates the handle.
    post.getByText(`@${usernameOf(key)}`).locator('..'),
    post.getByRole('link', { name: /ago|Just now/ }),
  ].map((element) => element.boundingBox())
  return (await Promise.all(boundingBoxes)).map((box) => ({
    left: box?.x ?? 0,
    right: (box?.x ?? 0) + (box?.width ?? 0),
  }))
}

/** Returns the space to the left of an element's text, in pixels, and whether the start of the text is visible. */
async function measureText(element: Locator): Promise<{ left: number; isStartVisible: boolean }> {
  return await element.evaluate((element) => {
    const text = element.firstChild
    if (!text) throw new Error('The element has no text.')
    const all = document.createRange()
    all.selectNodeContents(text)
    const start = document.createRange()
    start.setStart(text, 0)
    start.setEnd(text, 3)
    const [outer, inner, first] = [element, all, start].map((target) => target.getBoundingClientRect())
    if (!outer || !inner || !first) throw new Error('The text has no bounds.')
    return {
      left: Math.round(inner.left - outer.left),
      isStartVisible: first.left >= outer.left - 1 && first.right <= outer.right + 1,
    }
  })
}

/** Checks the page's title, ignoring an unread count at its start. */
const expectTitle = (page: Page, title: string) =>
  expect.poll(async () => (await page.title()).replace(/^\(\d+\) /, '')).toBe(title)

test.describe('International text', () => {
  test('is laid out correctly in every script and does not reverse the text around it', async ({
    browser,
  }) => {
    const uma = await createUserOnHomeFeed(browser, 'Uma Lind')
    const { page } = uma
    const collected = collectPageErrors(page)
    for (const key of keys) {
      await sql`insert into public.messages (sender_id, receiver_id, content) values (${userIds[key] ?? ''}, ${uma.id}, ${profiles[key].text})`
    }

    await test.step('orders name, handle and time from left to right in the feed', async () => {
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        await page.goto('/')
        await expect(page.getByRole('article').filter({ hasText: 'denrut' })).toBeVisible()
        expect(await horizontalOverflow(page), `feed ${width}`).toBeLessThanOrEqual(0)
        // The feed hides the handle at narrow widths.
        for (const key of width < 480 ? [] : keys) {
          const [name, handle, when] = await getHeaderBounds(page, key)
          expect(name?.right, key).toBeLessThanOrEqual(handle?.left ?? 0)
          expect(handle?.right, key).toBeLessThanOrEqual(when?.left ?? 0)
        }
      }
    })

    await test.step('gives each post its own text direction and isolates links', async () => {
      const arabic = page.getByRole('article').filter({ hasText: 'كتبت' }).first()
      const link = arabic.getByRole('link', { name: 'example.com/a?b=1' })
      await expect(link).toHaveCSS('unicode-bidi', 'isolate')
      // The mention comes first in the Arabic text, so it is on the right.
      const [first, second] = [
        await arabic.getByRole('link', { name: '@noormakes' }).boundingBox(),
        await link.boundingBox(),
      ]
      expect((second?.x ?? 0) + (second?.width ?? 0)).toBeLessThanOrEqual(first?.x ?? 0)
      const reversedPost = page.getByRole('article').filter({ hasText: 'denrut' }).first()
      const reversedLink = reversedPost.getByRole('link', { name: 'example.com', exact: true })
      await expect(reversedLink).toHaveAttribute('href', 'https://example.com/')
      await expect(reversedPost).toHaveAccessibleName('Post by evil name')
    })

    await test.step('uses whole grapheme clusters as initials', async () => {
      const emojiPost = page.getByRole('article').filter({ hasText: '👍🏽' }).first()
      await expect(emojiPost.locator('[aria-hidden=true]').first()).toHaveText('👩‍🚀🏳️‍🌈')
    })

    await test.step('fits names in profiles, titles and conversations', async () => {
      for (const key of keys) {
        await page.goto(`/profile/${usernameOf(key)}`)
        const name = shownName(key)
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
        await expectTitle(page, `${name} · Ovation`)
        expect(await horizontalOverflow(page), key).toBeLessThanOrEqual(0)
      }
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        await page.goto(`/messages?user=${userIds.reversed}`)
        await expect(page.getByRole('heading', { name: 'evil name' })).toBeVisible()
        expect(await horizontalOverflow(page), `messages ${width}`).toBeLessThanOrEqual(0)
      }
      // The time in a row is to the right of the name, even if the name is written from right to left.
      const row = page.getByRole('button').filter({ hasText: profiles.hebrew.name })
      const [name, when] = [
        await row.getByText(profiles.hebrew.name).boundingBox(),
        await row.getByText(/ago$/).first().boundingBox(),
      ]
      expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual(when?.x ?? 0)
      // Names are aligned to the left, and a long message is truncated at its end.
      const arabic = page.getByRole('button').filter({ hasText: profiles.arabic.name })
      expect(await measureText(row.getByText(profiles.hebrew.name))).toMatchObject({
        left: 0,
        isStartVisible: true,
      })
      expect(await measureText(arabic.getByText('كتبت هذا'))).toMatchObject({ isStartVisible: true })
    })

    await test.step('keeps the quotation marks around a right-to-left query', async () => {
      await page.goto(`/search?q=${encodeURIComponent('אבגדה קקק (1)')}`)
      const notFound = page.getByText('No users found for')
      await expect(notFound).toHaveText(
        'No users found for "אבגדה קקק (1)". Try searching with different keywords.',
      )
      await expect(notFound.locator('bdi')).toHaveText('אבגדה קקק (1)')
      await page.goto(`/search?q=${encodeURIComponent(`${rightToLeftOverride}abc`)}`)
      await expectTitle(page, 'Search: abc · Ovation')
    })

    expect(collected.errors).toEqual([])
    await deleteUser(uma)
  })
})

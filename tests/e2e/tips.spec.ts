import { Post } from '@contract/post.ts'
import { expect, type Page, type Route, test } from 'playwright/test'
import { expectAccessible } from './axe.ts'
import { join, sql } from './support.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Send a tip' })
const thanks = (page: Page) => page.getByRole('dialog', { name: 'Thank you!' })
const send = (page: Page) => dialog(page).getByRole('button', { name: 'Send tip' })
const tipsOf = (username: string) => sql<{ cents: number; note: string | null }[]>`
  select p.amount_cents as cents, p.note from public.payments p join public.profiles u on u.id = p.payee_id
  where p.kind = 'tip' and p.state = 'paid' and u.username = ${username} order by p.created_at`

test('a creator is tipped from a post, a profile and a conversation, and hears of each', async ({
  browser,
}) => {
  const [rosa, tom] = await Promise.all([join(browser, 'Rosa Vale'), join(browser, 'Tom Hart')])
  const [star] = await sql<{ id: string }[]>`
    update public.profiles set is_creator = true where username = ${rosa.who.username} returning id`
  const sent = await rosa.context.request.post('/api/posts', { data: { content: 'A new song, for you' } })
  const post = Post.parse(await sent.json())
  const profile = `/profile/${rosa.who.username}`
  const [page, rosas] = await Promise.all([tom.context.newPage(), rosa.context.newPage()])

  await test.step('A visitor is led to the sign-in page', async () => {
    const visitor = await browser.newContext()
    const guest = await visitor.newPage()
    await guest.goto(`/post/${post.id}`)
    await guest.getByRole('button', { name: 'Tip Rosa Vale' }).click()
    await expect(guest).toHaveURL(new RegExp(`/login\\?next=%2Fpost%2F${post.id}`))
    await visitor.close()
  })

  await test.step('Nobody tips themselves', async () => {
    await rosas.goto(`/post/${post.id}`)
    await expect(rosas.getByText('A new song, for you')).toBeVisible()
    await expect(rosas.getByRole('button', { name: /^Tip/ })).toHaveCount(0)
  })

  await test.step('Tom tips for a post; what fails keeps what he typed, and two presses pay once', async () => {
    await page.goto(`/post/${post.id}`)
    const button = page.getByRole('article').getByRole('button', { name: 'Tip Rosa Vale' })
    await button.click()
    await expect(dialog(page)).toContainText('For this post, to Rosa Vale.')
    await expect(dialog(page)).toContainText('This is a test payment: no money moves.')
    await expect(dialog(page).getByRole('radio', { name: '$5', exact: true })).toBeChecked()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(button).toBeFocused()

    await button.press('Enter')
    await dialog(page).getByRole('radio', { name: 'Other' }).check()
    const own = dialog(page).getByLabel('Your amount in US dollars')
    for (const wrong of ['0.5', '1e2', '1,000']) {
      await own.fill(wrong)
      await send(page).click()
      await expect(own).toHaveAttribute('aria-invalid', 'true')
      await expect(own).toBeFocused()
      await expect(dialog(page)).toContainText('Please enter an amount between $1.00 and $500.00.')
    }
    await expectAccessible(page)
    await own.fill('12,50')
    const note = dialog(page).getByLabel('Note')
    await note.fill('For the chorus')
    await expect(dialog(page)).toContainText('14/200')
    await page.route('**/tip', (route) => route.fulfill({ status: 503, body: '' }), { times: 1 })
    await send(page).click()
    await expect(dialog(page).getByRole('alert')).toHaveText('Your tip could not be sent. Please try again.')
    await expect(own).toHaveValue('12,50')
    await expect(note).toHaveValue('For the chorus')
    await send(page).dblclick()
    await expect(thanks(page)).toContainText('Your tip of $12.50 is with Rosa Vale.')
    await expect(thanks(page)).toContainText('no money moves')
    await expectAccessible(page)
    await expect(thanks(page).getByRole('button', { name: 'Close' }).first()).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(button).toBeFocused()
    expect(await tipsOf(rosa.who.username)).toEqual([{ cents: 1250, note: 'For the chorus' }])
  })

  await test.step('A tip whose answer is lost is paid once, also when it is sent again after a reload', async () => {
    const button = page.getByRole('article').getByRole('button', { name: 'Tip Rosa Vale' })
    const lose = async (route: Route) => {
      await route.fetch()
      await route.abort()
    }
    await page.route('**/tip', lose, { times: 1 })
    await button.click()
    await send(page).click()
    await expect(dialog(page).getByRole('alert')).toContainText('the connection was lost')
    await page.reload()
    await button.click()
    await send(page).click()
    await expect(thanks(page)).toContainText('Your tip of $5.00')
    expect((await tipsOf(rosa.who.username)).map(({ cents }) => cents)).toEqual([1250, 500])
    // In a browser that keeps nothing, from the same page.
    await page.keyboard.press('Escape')
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await page.route('**/tip', lose, { times: 1 })
    await button.click()
    await send(page).click()
    await expect(dialog(page).getByRole('alert')).toContainText('the connection was lost')
    await send(page).click()
    await expect(thanks(page)).toContainText('Your tip of $5.00')
    expect((await tipsOf(rosa.who.username)).map(({ cents }) => cents)).toEqual([1250, 500, 500])
  })

  await test.step('and from her profile, beside subscribing, and from their conversation, on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(profile)
    await expect(page.getByRole('button', { name: 'Subscribe $9.99/mo' })).toBeVisible()
    await page.getByRole('button', { name: 'Tip', exact: true }).click()
    await dialog(page).getByText('$3', { exact: true }).click()
    await send(page).click()
    await expect(thanks(page)).toContainText('$3.00')
    await page.keyboard.press('Escape')
    await tom.context.request.post('/api/messages', {
      data: { receiverId: star?.id, content: 'I liked that one' },
    })
    await page.goto(`/messages?user=${star?.id}`)
    const button = page.getByRole('group', { name: 'Conversation with Rosa Vale' }).getByRole('button', {
      name: 'Tip Rosa Vale',
    })
    await button.click()
    await dialog(page).getByText('$25', { exact: true }).click()
    await send(page).click()
    await expect(thanks(page)).toContainText('$25.00')
    await thanks(page).getByRole('button', { name: 'Close' }).first().click()
    await expect(button).toBeFocused()
    expect((await tipsOf(rosa.who.username)).map(({ cents }) => cents)).toEqual([1250, 500, 500, 300, 2500])
  })

  await test.step('Rosa reads of all three, with what was said', async () => {
    await rosas.goto('/notifications')
    const list = rosas.getByRole('main')
    await expect(list.getByText(/sent you a tip of \$12\.50: For the chorus/)).toBeVisible()
    await expect(list.getByText(/sent you a tip of \$3\.00/)).toBeVisible()
    await list.getByText(/sent you a tip of \$25\.00/).click()
    await expect(rosas).toHaveURL(new RegExp(`/profile/${tom.who.username}$`))
  })

  await test.step('What she switches off meanwhile is said, and nothing is paid', async () => {
    await page.goto(profile)
    await page.getByRole('button', { name: 'Tip', exact: true }).click()
    await sql`update public.profiles set is_creator = false where id = ${star?.id ?? ''}`
    await send(page).click()
    await expect(dialog(page).getByRole('alert')).toHaveText('Only creators can be tipped.')
    expect(await tipsOf(rosa.who.username)).toHaveLength(5)
  })
  await Promise.all([rosa.context.close(), tom.context.close()])
})

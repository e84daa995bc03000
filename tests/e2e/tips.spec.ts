import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { publish, sendMessage } from './support/content.ts'
import { phoneViewport } from './support/page.ts'
import { dropResponse, failNextRequest } from './support/requests.ts'
import { createSignedInUser, promoteToCreator, sql } from './support/users.ts'

const tipDialog = (page: Page) => page.getByRole('dialog', { name: 'Send a tip' })
const thankYouDialog = (page: Page) => page.getByRole('dialog', { name: 'Thank you!' })
const sendButton = (page: Page) => tipDialog(page).getByRole('button', { name: 'Send tip' })
const listPaidTips = (creatorId: string) => sql<{ cents: number; note: string | null }[]>`
  select amount_cents as cents, note from public.payments
  where kind = 'tip' and state = 'paid' and payee_id = ${creatorId} order by created_at`

test.describe('Tips', () => {
  test('tips a creator from a post, a profile and a conversation, and notifies the creator', async ({
    browser,
  }) => {
    const [rosa, tom] = await Promise.all([
      createSignedInUser(browser, 'Rosa Vale'),
      createSignedInUser(browser, 'Tom Hart'),
    ])
    await promoteToCreator(rosa)
    const post = await publish(rosa, { content: 'A new song, for you' })
    const profile = `/profile/${rosa.account.username}`
    const [page, rosaPage] = await Promise.all([tom.context.newPage(), rosa.context.newPage()])

    await test.step('asks a visitor to sign in', async () => {
      const visitor = await browser.newContext()
      const visitorPage = await visitor.newPage()
      await visitorPage.goto(`/post/${post.id}`)
      await visitorPage.getByRole('button', { name: 'Tip Rosa Vale' }).click()
      await expect(visitorPage).toHaveURL(new RegExp(`/login\\?next=%2Fpost%2F${post.id}`))
      await visitor.close()
    })

    await test.step('shows no tip button on the creator’s own post', async () => {
      await rosaPage.goto(`/post/${post.id}`)
      await expect(rosaPage.getByText('A new song, for you')).toBeVisible()
      await expect(rosaPage.getByRole('button', { name: /^Tip/ })).toHaveCount(0)
    })

    await test.step('validates a tip, keeps the input when sending fails and charges once for a double-click', async () => {
      await page.goto(`/post/${post.id}`)
      const button = page.getByRole('article').getByRole('button', { name: 'Tip Rosa Vale' })
      await button.click()
      await expect(tipDialog(page)).toContainText('To Rosa Vale, for this post.')
      await expect(tipDialog(page)).toContainText("Test mode. You won't be charged.")
      await expect(tipDialog(page).getByRole('radio', { name: '$5', exact: true })).toBeChecked()
      await page.keyboard.press('Escape')
      await expect(tipDialog(page)).toHaveCount(0)
      await expect(button).toBeFocused()

      await button.press('Enter')
      await tipDialog(page).getByRole('radio', { name: 'Other' }).check()
      const ownAmount = tipDialog(page).getByLabel('Your amount in US dollars')
      for (const invalid of ['0.5', '1e2', '1,000']) {
        await ownAmount.fill(invalid)
        await sendButton(page).click()
        await expect(ownAmount).toHaveAttribute('aria-invalid', 'true')
        await expect(ownAmount).toBeFocused()
        await expect(tipDialog(page)).toContainText('Please enter an amount between $1.00 and $500.00.')
      }
      await expectAccessible(page)
      await ownAmount.fill('12,50')
      const note = tipDialog(page).getByLabel('Note')
      await note.fill('For the chorus')
      await expect(tipDialog(page)).toContainText('14/200')
      await failNextRequest(page, '**/tip', 503)
      await sendButton(page).click()
      await expect(tipDialog(page).getByRole('alert')).toHaveText("Couldn't send your tip. Try again.")
      await expect(ownAmount).toHaveValue('12,50')
      await expect(note).toHaveValue('For the chorus')
      await sendButton(page).dblclick()
      await expect(thankYouDialog(page)).toContainText('You sent Rosa Vale a tip of $12.50.')
      await expect(thankYouDialog(page)).toContainText('no real payments')
      await expectAccessible(page)
      await expect(thankYouDialog(page).getByRole('button', { name: 'Close' }).first()).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(button).toBeFocused()
      expect(await listPaidTips(rosa.id)).toEqual([{ cents: 1250, note: 'For the chorus' }])
    })

    await test.step('charges only once for a tip whose response is lost, even after a reload', async () => {
      const button = page.getByRole('article').getByRole('button', { name: 'Tip Rosa Vale' })
      await page.route('**/tip', dropResponse, { times: 1 })
      await button.click()
      await sendButton(page).click()
      await expect(tipDialog(page).getByRole('alert')).toContainText('the connection was lost')
      await page.reload()
      await button.click()
      await sendButton(page).click()
      await expect(thankYouDialog(page)).toContainText('a tip of $5.00')
      expect((await listPaidTips(rosa.id)).map(({ cents }) => cents)).toEqual([1250, 500])
      // If the browser's storage fails, the page keeps the pending tip in memory.
      await page.keyboard.press('Escape')
      await page.evaluate(() => {
        Storage.prototype.setItem = () => {
          throw new DOMException('full', 'QuotaExceededError')
        }
      })
      await page.route('**/tip', dropResponse, { times: 1 })
      await button.click()
      await sendButton(page).click()
      await expect(tipDialog(page).getByRole('alert')).toContainText('the connection was lost')
      await sendButton(page).click()
      await expect(thankYouDialog(page)).toContainText('a tip of $5.00')
      expect((await listPaidTips(rosa.id)).map(({ cents }) => cents)).toEqual([1250, 500, 500])
    })

    await test.step('tips from the profile and from the conversation on a phone', async () => {
      await page.setViewportSize(phoneViewport)
      await page.goto(profile)
      await expect(page.getByRole('button', { name: 'Subscribe $9.99/mo', exact: true })).toBeVisible()
      await page.getByRole('button', { name: 'Tip', exact: true }).click()
      await tipDialog(page).getByText('$3', { exact: true }).click()
      await sendButton(page).click()
      await expect(thankYouDialog(page)).toContainText('$3.00')
      await page.keyboard.press('Escape')
      await sendMessage(tom, rosa, { content: 'I liked that one' })
      await page.goto(`/messages?user=${rosa.id}`)
      const button = page.getByRole('group', { name: 'Conversation with Rosa Vale' }).getByRole('button', {
        name: 'Tip Rosa Vale',
      })
      await button.click()
      await tipDialog(page).getByText('$25', { exact: true }).click()
      await sendButton(page).click()
      await expect(thankYouDialog(page)).toContainText('$25.00')
      await thankYouDialog(page).getByRole('button', { name: 'Close' }).first().click()
      await expect(button).toBeFocused()
      expect((await listPaidTips(rosa.id)).map(({ cents }) => cents)).toEqual([1250, 500, 500, 300, 2500])
    })

    await test.step('notifies the creator about the tips and shows the note', async () => {
      await rosaPage.goto('/notifications')
      const list = rosaPage.getByRole('main')
      await expect(list.getByText(/sent you a tip of \$12\.50: For the chorus/)).toBeVisible()
      await expect(list.getByText(/sent you a tip of \$3\.00/)).toBeVisible()
      await list.getByText(/sent you a tip of \$25\.00/).click()
      await expect(rosaPage).toHaveURL(new RegExp(`/profile/${tom.account.username}$`))
    })

    await test.step('does not charge when the recipient is no longer a creator', async () => {
      await page.goto(profile)
      await page.getByRole('button', { name: 'Tip', exact: true }).click()
      await sql`update public.profiles set is_creator = false where id = ${rosa.id}`
      await sendButton(page).click()
      await expect(tipDialog(page).getByRole('alert')).toHaveText('You can only tip creators.')
      expect(await listPaidTips(rosa.id)).toHaveLength(5)
    })
    await Promise.all([rosa.context.close(), tom.context.close()])
  })
})

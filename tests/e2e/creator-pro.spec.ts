import { Post } from '@contract/post.ts'
import { type BrowserContext, expect, type Page, test } from 'playwright/test'
import postgres from 'postgres'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import type { Connection } from '../support/connection.ts'
import { runJob } from '../support/job.ts'
import { discard, type Stack, startStack, temporaryFolder } from '../support/own-stack.ts'
import { type LocalStripe, startStripe } from '../support/stripe-server.ts'
import { expectAccessible } from './axe.ts'
import { join, type Member, pickFromMenu } from './support.ts'

/** Where payments are made elsewhere, and Creator Pro is paid for: both are true of a whole instance. */
let dataDir: string
let stack: Stack
let connection: Connection
let stripe: LocalStripe
let sql: postgres.Sql

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  dataDir = temporaryFolder()
  stripe = await startStripe()
  stack = startStack(dataDir, await freePort(), stripe.env)
  connection = await stack.ready()
  sql = postgres(connection.databaseUrl, { max: 1, onnotice: () => undefined })
})
test.afterAll(async () => {
  await sql?.end()
  await discard(stack, dataDir)
  await stripe?.stop()
})

const come = (browser: Parameters<typeof join>[0], fullName: string) =>
  join(browser, fullName, { baseURL: connection.apiUrl })
const tell = () => stripe.tellTo(`${connection.apiUrl}/api/payments/webhook`)
const heading = (page: Page) => page.getByRole('heading', { name: 'Local checkout' })
/** Pays, or turns back, on the provider's page. */
async function answer(page: Page, choice: 'Pay' | 'Cancel', price: string) {
  await expect(heading(page)).toBeVisible()
  await expect(page.getByText(price)).toBeVisible()
  await page.getByRole('button', { name: choice }).click()
}
const creator = (who: Member) =>
  sql`update public.profiles set is_creator = true where username = ${who.username}`

let nils: { context: BrowserContext; who: Member }

test('what is paid elsewhere is pending until it is heard of, and nothing where somebody turns back', async ({
  browser,
}) => {
  const mona = await come(browser, 'Mona Berg')
  nils = await come(browser, 'Nils Ahl')
  await creator(mona.who)
  const data = { content: 'The whole take', teaser: 'Take one', isPremium: true, premiumPrice: 5 }
  const sent = await mona.context.request.post('/api/posts', { data })
  const post = Post.parse(await sent.json())
  const page = await nils.context.newPage()
  const unlock = page.getByRole('button', { name: 'Unlock for $5.00' })
  const goOn = page.getByRole('button', { name: 'Continue to payment' })
  const pay = page.getByRole('dialog').getByRole('button', { name: 'Pay $5.00' })
  const notice = page.getByRole('main').getByRole('status')

  await test.step('Nils turns back: nothing was paid, and he can go on', async () => {
    await page.goto(`/post/${post.id}`)
    await unlock.click()
    await expect(page.getByRole('dialog')).toContainText(
      'You pay on the page of our payment provider and come back here.',
    )
    await pay.click()
    await answer(page, 'Cancel', '$5.00')
    await expect(page).toHaveURL(`${connection.apiUrl}/post/${post.id}`)
    await expect(notice.filter({ hasText: 'Nothing was paid' })).toBeVisible()
    await expect(page.getByText('Payment pending')).toBeVisible()
    await page.getByRole('button', { name: 'Dismiss' }).click()
  })

  await test.step('He pays, and reads that it is pending until the server has heard of it', async () => {
    await goOn.click()
    await pay.click()
    await answer(page, 'Pay', '$5.00')
    await expect(notice.filter({ hasText: 'Payment pending' })).toBeVisible()
    await expect(page).toHaveURL(`${connection.apiUrl}/post/${post.id}`)
    await expectAccessible(page)
  })

  await test.step('After a long silence he is told so, and looks again when he likes', async () => {
    // The clock is the whole browser's.
    const storageState = await nils.context.storageState()
    const elsewhere = await browser.newContext({ baseURL: connection.apiUrl, storageState })
    const late = await elsewhere.newPage()
    await late.clock.install()
    await late.goto(`/post/${post.id}?checkout=done`)
    const again = late.getByRole('button', { name: 'Look again' })
    await expect(async () => {
      await late.clock.fastForward(30_000)
      await expect(again).toBeVisible({ timeout: 200 })
    }).toPass()
    const card = late.getByRole('main').getByRole('status')
    await expect(card.filter({ hasText: 'There is no need to pay again.' })).toBeVisible()
    tell()
    await stripe.sendAll()
    await again.click()
    await expect(card.filter({ hasText: 'Content Unlocked!' })).toBeVisible()
    await expect(late.getByText('The whole take')).toBeVisible()
    await elsewhere.close()
    await page.reload()
    await expect(page.getByText('The whole take')).toBeVisible()
  })

  await test.step('A tip and a subscription are thanked for on the profile that he comes back to', async () => {
    await page.getByRole('button', { name: 'Tip Mona Berg' }).click()
    await page.getByRole('dialog').getByText('$10', { exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send tip' }).click()
    await answer(page, 'Pay', '$10.00')
    await expect(notice.filter({ hasText: 'Your tip of $10.00' })).toBeVisible()
    await expect(page).toHaveURL(`${connection.apiUrl}/profile/${mona.who.username}`)
    await page.getByRole('button', { name: 'Subscribe $9.99/mo' }).click()
    await expect(page.getByRole('dialog')).toContainText('No post is included at the moment')
    await page.getByRole('dialog').getByRole('button', { name: 'Pay $9.99' }).click()
    await answer(page, 'Pay', '$9.99 a month')
    await expect(notice.filter({ hasText: /You subscribe to .?Mona Berg.? now/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Subscribed' })).toBeVisible()
  })
  await page.close()
  await mona.context.close()
})

test('Creator Pro is bought, cancelled, resumed and lapses; what was posted stays', async () => {
  const page = await nils.context.newPage()
  const billing = (on: boolean) => sql`select private.set_setting('creator_pro_billing', ${sql.json(on)})`
  const dialog = page.getByRole('dialog', { name: 'Upgrade to Creator Pro' })
  const plan = page.getByRole('region', { name: 'Creator Pro Plan' })
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  const analytics = sidebar.getByRole('link', { name: 'Analytics' })
  const control = page.getByRole('switch', { name: 'Creator Account' })
  const bio = page.getByLabel('Bio')

  await test.step('The switch is refused while it is being paid for, and the form keeps what was typed', async () => {
    await page.goto('/settings?tab=profile')
    await control.click()
    await bio.fill('Songs, mostly')
    await billing(true)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog).toContainText('$19.99')
    await expect(dialog).toContainText('You pay on the page of our payment provider')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(bio).toHaveValue('Songs, mostly')
    await control.click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Profile updated successfully!')).toBeVisible()
    // By now it is known that it costs something: the switch leads to the upgrade.
    await control.click()
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(control).not.toBeChecked()
  })

  await test.step('The card beside the navigation leads there as well; paid, he is a creator', async () => {
    const upgrade = sidebar.getByRole('button', { name: 'Upgrade to Creator Pro' })
    await upgrade.click()
    await page.keyboard.press('Escape')
    await expect(upgrade).toBeFocused()
    await upgrade.click()
    await dialog.getByRole('button', { name: 'Pay $19.99' }).click()
    await answer(page, 'Pay', '$19.99 a month')
    await expect(page).toHaveURL(`${connection.apiUrl}/settings?tab=billing`)
    await expect(page.getByText('Your payment has arrived: you are a creator now.')).toBeVisible()
    await expect(plan).toContainText(/\$19\.99 per monthActive.*It is renewed on/)
    await expect(upgrade).toHaveCount(0)
    await expect(analytics).toHaveAccessibleDescription('')
    await expectAccessible(page)
  })

  const data = { content: 'Mine for good', isPremium: true, premiumPrice: 3 }
  const post = Post.parse(await (await nils.context.request.post('/api/posts', { data })).json())

  await test.step('He cancels, resumes, and cancels on the provider’s own page', async () => {
    await plan.getByRole('button', { name: 'Cancel plan' }).click()
    const confirm = page.getByRole('alertdialog', { name: 'Cancel Creator Pro?' })
    await confirm.getByRole('button', { name: 'Cancel Creator Pro' }).click()
    await expect(plan).toContainText(/Cancelled.*After that you are no longer a creator/)
    await expect(analytics).toHaveAccessibleDescription('')
    await plan.getByRole('button', { name: 'Resume plan' }).click()
    await expect(plan).toContainText('It is renewed on')
    await plan.getByRole('button', { name: 'Manage billing' }).click()
    await expect(page.getByRole('heading', { name: 'Local billing' })).toBeVisible()
    // The subscription of before stands there, too.
    await page.getByRole('button', { name: 'Cancel' }).last().click()
    await page.getByRole('link', { name: 'Back' }).click()
    await expect(plan).toContainText('Cancelled')
  })

  await test.step('Its month over, he is no longer a creator, and is told; his post is there', async () => {
    await sql`update public.creator_plans set started_at = started_at - interval '2 months',
                period_end = now() - interval '1 minute' where state = 'active'`
    const done = await runJob('renewals', connection.jobsUrl, connection.jobSecret)
    expect(done.status).toBe(200)
    await expect(analytics).toHaveAccessibleDescription('Creator Pro feature - Upgrade to access analytics')
    await expect(plan).toContainText(/Your Creator Pro ended on \w+ \d+, \d{4}\./)
    await expect(plan.getByRole('button', { name: 'Upgrade to Creator Pro' })).toBeVisible()
    await page.goto('/notifications')
    await page
      .getByRole('main')
      .getByText('Your Creator Pro has ended. Your posts stay; upgrade to be a creator again.')
      .click()
    await expect(page).toHaveURL(`${connection.apiUrl}/settings?tab=billing`)
    await page.goto(`/post/${post.id}`)
    await expect(page.getByText('Mine for good')).toBeVisible()
  })

  await test.step('On a phone the account’s menu leads to the upgrade, and says what is locked', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: /^Account of/ }).click()
    await expect(page.getByRole('menuitem', { name: 'Earnings' })).toContainText(
      'Creator Pro feature - Upgrade to access earnings',
    )
    await pickFromMenu(page, 'Upgrade to Creator Pro')
    await expect(dialog).toBeVisible()
    await expectAccessible(page)
    // Who earned something keeps the way to it.
    await sql`
      insert into public.creator_balances (person_id)
      select p.id from public.profiles p where p.username = ${nils.who.username}`
    await page.reload()
    await page.getByRole('button', { name: /^Account of/ }).click()
    await expect(page.getByRole('menuitem', { name: 'Earnings', exact: true })).toBeVisible()
  })
  await nils.context.close()
})

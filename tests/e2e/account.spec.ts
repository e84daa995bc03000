import { readFileSync } from 'node:fs'
import { type BrowserContext, expect, type Page, test } from 'playwright/test'
import { readConnection } from '../support/connection.ts'
import { expectAccessible } from './axe.ts'
import { enter, forget, join, sql, thread } from './support.ts'

const minute = 60_000

const idOf = async (email: string) => {
  const [row] = await sql<{ id: string }[]>`select user_id as id from public.accounts where email = ${email}`
  return row?.id ?? ''
}

/** The path of the link that was mailed to a new address. */
async function confirmPath(email: string): Promise<string> {
  let path: string | undefined
  await expect
    .poll(async () => {
      const response = await fetch(readConnection().mailUrl, { headers: { accept: 'application/json' } })
      const mails = (await response.json()) as { to: string; text: string }[]
      const [mail] = mails.filter(({ to }) => to === email)
      path = mail?.text.match(/\/confirm-email\?token=[\w-]+/)?.[0]
      return path
    })
    .toBeDefined()
  return path ?? ''
}

/** Has a browser believe that its person was last there so long ago. */
const wasLastHere = (page: Page, id: string, ago: number) =>
  page.evaluate(([key, at]) => localStorage.setItem(String(key), String(at)), [
    `ovation:${id}:active-at`,
    Date.now() - ago,
  ] as const)

test('another email address is confirmed by the link in a mail to it', async ({ browser }) => {
  const eva = await join(browser, 'Eva Lindqvist')
  const page = await eva.context.newPage()
  const wanted = `new-${eva.who.email}`
  const asked = await eva.context.request.patch('/api/profile', { data: { email: wanted } })
  expect(asked.ok()).toBe(true)
  await page.goto('/settings?tab=security')
  await expect(
    page.getByText(`${eva.who.email}, until the link in our mail to ${wanted} is followed.`),
  ).toBeVisible()
  const path = await confirmPath(wanted)

  const other = await browser.newContext()
  const reader = await other.newPage()
  await reader.goto(path)
  await expect(reader).toHaveURL(/\/confirm-email$/)
  await expect(reader.getByRole('heading', { name: 'Confirm your new email address' })).toBeVisible()
  await expectAccessible(reader)
  // Opening it confirms nothing yet.
  expect(await idOf(wanted)).toBe('')
  await reader.route('**/api/auth/confirm-email', (route) => route.abort(), { times: 1 })
  await reader.getByRole('button', { name: 'Confirm this address' }).click()
  await expect(reader.getByRole('heading', { name: 'Your address could not be confirmed' })).toBeFocused()
  await reader.getByRole('button', { name: 'Try again' }).click()
  await expect(reader.getByRole('heading', { name: 'Your new address is confirmed' })).toBeFocused()
  await expect(page.getByText(`${wanted}. Another one takes effect`)).toBeVisible()
  await reader.getByRole('link', { name: 'Log in' }).click()
  await expect(reader.getByLabel('Email')).toHaveValue(wanted)
  await reader.goto(path)
  await reader.getByRole('button', { name: 'Confirm this address' }).click()
  await expect(reader.getByRole('heading', { name: 'Invalid or expired link' })).toBeFocused()
  await other.close()
  await forget({ ...eva, who: { ...eva.who, email: wanted } })
})

test('an idle browser is signed out in all its tabs, and a sign in one of them keeps the others in', async ({
  browser,
}) => {
  const ida = await join(browser, 'Ida Marsh')
  const [one, two] = [await ida.context.newPage(), await ida.context.newPage()]
  const id = await idOf(ida.who.email)
  await one.goto('/settings?tab=security')
  await one.getByLabel('Sign me out when I am away for').selectOption('15 minutes')
  await expect(one.getByText('Security Setting Updated')).toBeVisible()
  await two.goto('/saved')
  await expect(two.getByRole('heading', { name: 'Saved' }).first()).toBeVisible()

  const dialog = two.getByRole('alertdialog', { name: 'Are you still there?' })
  await wasLastHere(one, id, 14.5 * minute)
  await expect(dialog).toBeVisible()
  await expectAccessible(two)
  await dialog.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(dialog).toBeHidden()
  await expect(one.getByRole('alertdialog')).toBeHidden()

  // Time runs out: both tabs go, say why, and lead back.
  await wasLastHere(one, id, 15 * minute)
  await expect(two).toHaveURL(/\/login\?next=%2Fsaved/)
  await expect(two.getByText('Nobody was here for 15 minutes')).toBeVisible()
  await expect(one).toHaveURL(/\/login\?next=%2Fsettings/)
  expect((await ida.context.request.get('/api/auth/user')).status()).toBe(401)

  // A page that is opened later than that is signed out before its opening counts as a sign.
  await enter(ida.context, ida.who)
  await wasLastHere(one, id, 16 * minute)
  await two.close()
  await one.goto('/discover')
  await expect(one).toHaveURL(/\/login\?next=%2Fdiscover/)
  await forget(ida)
})

const openBilling = async (context: BrowserContext) => {
  const page = await context.newPage()
  await page.goto('/settings?tab=billing')
  await expect(page.getByText('Payments are in test mode here: no money moves.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Creator Pro Plan' })).toBeVisible()
  return page
}

test('somebody cancels what they pay for, takes their data along and leaves for good', async ({
  browser,
}) => {
  const [leo, mia] = await Promise.all([join(browser, 'Leo Hart'), join(browser, 'Mia Ferro')])
  const [leoId, miaId] = await Promise.all([idOf(leo.who.email), idOf(mia.who.email)])
  await sql`update public.profiles set is_creator = true where id = ${miaId}`
  await leo.context.request.post('/api/subscriptions', { data: { creatorId: miaId } })
  await leo.context.request.post('/api/messages', {
    data: { receiverId: miaId, content: 'Before I go' },
  })
  const page = await openBilling(leo.context)
  await expect(page.getByText('$19.99')).toBeVisible()
  const row = page.getByRole('listitem').filter({ hasText: 'Mia Ferro' })
  await expect(row).toContainText('$9.99 per month · Renews on')
  const cancel = row.getByRole('button', { name: 'Cancel subscription to Mia Ferro' })
  await cancel.click()
  const confirm = page.getByRole('alertdialog')
  await expect(confirm).toContainText('It runs until')
  await confirm.getByRole('button', { name: 'Cancel subscription' }).click()
  await expect(row).toContainText('Cancelled, runs until')
  await row.getByRole('button', { name: 'Resume subscription to Mia Ferro' }).click()
  await expect(page.getByText('Subscription resumed')).toBeVisible()
  await expect(row).toContainText('Renews on')

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download my data' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(
    new RegExp(`^ovation-data-${leo.who.username}-\\d{4}-\\d\\d-\\d\\d\\.json$`),
  )
  const archive: unknown = JSON.parse(readFileSync(await download.path(), 'utf8'))
  expect(archive).toMatchObject({
    profile: { email: leo.who.email },
    conversations: [{ with: { name: 'Mia Ferro' }, messages: [{ mine: true, content: 'Before I go' }] }],
    complete: true,
  })

  // Somebody owes them money, which they have to give up by saying so.
  await sql`
    select private.book('given_up', ${leoId}, null, null, array[
      ('creator', ${leoId}::uuid, 'given_up', 6000)::private.ledger_line,
      ('platform', null, 'given_up', -6000)::private.ledger_line])`
  const open = page.getByRole('button', { name: 'Delete Account' })
  await open.click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' })
  const password = dialog.getByLabel('Password', { exact: true })
  await expect(password).toBeFocused()
  await expectAccessible(page)
  const leave = dialog.getByRole('button', { name: 'Delete my account' })
  await leave.click()
  await expect(dialog.getByText('Please enter your password.')).toBeVisible()
  await password.fill('not my horse')
  await leave.click()
  await expect(dialog.getByText('This password is not right.')).toBeVisible()
  await password.fill(leo.who.password)
  await leave.click()
  await expect(dialog.getByText('You have $60.00 left.')).toBeVisible()
  await dialog.getByRole('switch', { name: 'Give up my balance' }).check()
  const second = await leo.context.newPage()
  await second.goto('/saved')
  await leave.click()
  await expect(page.getByText('Your account is deleted')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Get Started Free' }).first()).toBeVisible()
  await expect(second).toHaveURL(/\/(login.*)?$/)
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('active-at'))),
  ).toEqual([])

  const other = await mia.context.newPage()
  await other.goto(`/messages?user=${leoId}`)
  await expect(thread(other).getByText('Before I go')).toBeVisible()
  await expect(other.getByText('Deleted user').first()).toBeVisible()
  await other.goto(`/profile/${leo.who.username}`)
  await expect(other.getByRole('heading', { name: /not found|does not exist|nobody/i })).toBeVisible()
  await leo.context.close()
  await forget(mia)
})

import { readFileSync } from 'node:fs'
import { type BrowserContext, expect, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { postToApi, sendMessage } from './support/content.ts'
import { messageThread } from './support/conversation.ts'
import { waitForMailMatch } from './support/mail.ts'
import { setLastActive } from './support/page.ts'
import { abortNextRequest } from './support/requests.ts'
import {
  createSignedInUser,
  deleteUser,
  findUserId,
  promoteToCreator,
  signInContext,
  sql,
} from './support/users.ts'

const minuteMs = 60_000

test.describe('Email change', () => {
  test('changes the email address only after it is confirmed through the emailed link', async ({
    browser,
  }) => {
    const eva = await createSignedInUser(browser, 'Eva Lindqvist')
    const page = await eva.context.newPage()
    const newEmail = `new-${eva.account.email}`
    const response = await eva.context.request.patch('/api/profile', { data: { email: newEmail } })
    expect(response.ok()).toBe(true)
    await page.goto('/settings/security')
    await expect(
      page.getByText(`Signed in as ${eva.account.email}. To switch to ${newEmail}, follow the link`),
    ).toBeVisible()
    const path = await waitForMailMatch(newEmail, /\/confirm-email\?token=[\w-]+/)

    const signedOutContext = await browser.newContext()
    const signedOutPage = await signedOutContext.newPage()
    await signedOutPage.goto(path)
    await expect(signedOutPage).toHaveURL(/\/confirm-email$/)
    await expect(signedOutPage.getByRole('heading', { name: 'Confirm your email address' })).toBeVisible()
    await expectAccessible(signedOutPage)
    // Opening the link is not enough to confirm the address.
    expect(await findUserId(newEmail)).toBe(null)
    await abortNextRequest(signedOutPage, '**/api/auth/confirm-email')
    await signedOutPage.getByRole('button', { name: 'Confirm email address' }).click()
    await expect(
      signedOutPage.getByRole('heading', { name: "Couldn't confirm your email address" }),
    ).toBeFocused()
    await signedOutPage.getByRole('button', { name: 'Try again' }).click()
    await expect(signedOutPage.getByRole('heading', { name: 'Email address confirmed' })).toBeFocused()
    await expect(page.getByText(`Signed in as ${newEmail}. We’ll send a confirmation link`)).toBeVisible()
    await signedOutPage.getByRole('link', { name: 'Sign in' }).click()
    await expect(signedOutPage.getByLabel('Email')).toHaveValue(newEmail)
    await signedOutPage.goto(path)
    await signedOutPage.getByRole('button', { name: 'Confirm email address' }).click()
    await expect(signedOutPage.getByRole('heading', { name: 'Invalid or expired link' })).toBeFocused()
    await expect(signedOutPage.getByRole('button', { name: /^Send a new link/ })).toHaveCount(0)
    await signedOutContext.close()
    await deleteUser(eva)
  })
})

test.describe('Idle sign-out', () => {
  test('warns before signing out all tabs of an idle browser, and counts activity in any tab', async ({
    browser,
  }) => {
    const ida = await createSignedInUser(browser, 'Ida Marsh')
    const [firstTab, secondTab] = [await ida.context.newPage(), await ida.context.newPage()]
    await firstTab.goto('/settings/security')
    await firstTab.getByLabel('Log out when inactive for').selectOption('15 minutes')
    await expect(firstTab.getByText('Security Setting Updated')).toBeVisible()
    await secondTab.goto('/saved')
    await expect(secondTab.getByRole('heading', { name: 'Saved' }).first()).toBeVisible()

    const dialog = secondTab.getByRole('alertdialog', { name: 'Are you still there?' })
    await setLastActive(firstTab, ida.id, 14.5 * minuteMs)
    await expect(dialog).toBeVisible()
    await expectAccessible(secondTab)
    await dialog.getByRole('button', { name: 'Stay signed in' }).click()
    await expect(dialog).toBeHidden()
    await expect(firstTab.getByRole('alertdialog')).toBeHidden()

    // After the timeout, both tabs open the sign-in page, which explains why and remembers the previous page.
    await setLastActive(firstTab, ida.id, 15 * minuteMs)
    await expect(secondTab).toHaveURL(/\/login\?next=%2Fsaved/)
    const reason = secondTab.getByRole('main').getByRole('status').filter({ hasText: 'You were signed out' })
    await expect(reason).toContainText('You were away for 15 minutes')
    await expectAccessible(secondTab)
    await secondTab.reload()
    await expect(secondTab.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
    await expect(reason).toHaveCount(0)
    await expect(firstTab).toHaveURL(/\/login\?next=%2Fsettings/)
    expect((await ida.context.request.get('/api/auth/user')).status()).toBe(401)

    // Opening a page after the timeout signs the user out and does not count as activity.
    await signInContext(ida.context, ida.account)
    await setLastActive(firstTab, ida.id, 16 * minuteMs)
    await secondTab.close()
    await firstTab.goto('/discover')
    await expect(firstTab).toHaveURL(/\/login\?next=%2Fdiscover/)
    await deleteUser(ida)
  })
})

async function openBilling(context: BrowserContext) {
  const page = await context.newPage()
  await page.goto('/settings/billing')
  await expect(page.getByText('Test mode: no real payments.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Creator Pro Plan' })).toBeVisible()
  return page
}

test.describe('Billing, data export and account deletion', () => {
  test('cancels and resumes a subscription, downloads the data export and deletes the account', async ({
    browser,
  }) => {
    const [leo, mia] = await Promise.all([
      createSignedInUser(browser, 'Leo Hart'),
      createSignedInUser(browser, 'Mia Ferro'),
    ])
    await promoteToCreator(mia)
    await postToApi(leo, '/api/subscriptions', { creatorId: mia.id })
    await sendMessage(leo, mia, { content: 'Before I go' })
    const page = await openBilling(leo.context)
    await expect(page.getByText('$19.99')).toBeVisible()
    const row = page.getByRole('listitem').filter({ hasText: 'Mia Ferro' })
    await expect(row).toContainText('$9.99 per month · Renews on')
    const cancel = row.getByRole('button', { name: 'Cancel subscription to Mia Ferro' })
    await cancel.click()
    const confirm = page.getByRole('alertdialog')
    await expect(confirm).toContainText('Your subscription runs until')
    await confirm.getByRole('button', { name: 'Cancel subscription' }).click()
    await expect(row).toContainText('Cancelled, runs until')
    await row.getByRole('button', { name: 'Resume subscription to Mia Ferro' }).click()
    await expect(page.getByText('Subscription resumed')).toBeVisible()
    await expect(row).toContainText('Renews on')

    await page.getByRole('link', { name: 'Data', exact: true }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download my data' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(
      new RegExp(`^ovation-data-${leo.account.username}-\\d{4}-\\d\\d-\\d\\d\\.json$`),
    )
    const dataExport: unknown = JSON.parse(readFileSync(await download.path(), 'utf8'))
    expect(dataExport).toMatchObject({
      profile: { email: leo.account.email },
      conversations: [{ with: { name: 'Mia Ferro' }, messages: [{ mine: true, content: 'Before I go' }] }],
      complete: true,
    })

    await page.getByRole('link', { name: 'Billing', exact: true }).click()
    // Gives Leo a balance, which he must agree to forfeit before he can delete his account.
    await sql`
      select private.book_transaction('given_up', ${leo.id}, null, null, array[
        ('creator', ${leo.id}::uuid, 'given_up', 6000)::private.ledger_line,
        ('platform', null, 'given_up', -6000)::private.ledger_line], test_money => true)`
    await page.getByRole('button', { name: 'Delete Account' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' })
    const password = dialog.getByLabel('Password', { exact: true })
    await expect(password).toBeFocused()
    await expectAccessible(page)
    const confirmDeletion = dialog.getByRole('button', { name: 'Delete my account' })
    await confirmDeletion.click()
    await expect(dialog.getByText('Password is required')).toBeVisible()
    await password.fill('not my horse')
    await confirmDeletion.click()
    await expect(dialog.getByText('Incorrect password.')).toBeVisible()
    await password.fill(leo.account.password)
    await confirmDeletion.click()
    await expect(dialog.getByText('You have $60.00 left.')).toBeVisible()
    await dialog.getByRole('switch', { name: 'Forfeit my balance' }).check()
    const otherTab = await leo.context.newPage()
    await otherTab.goto('/saved')
    await confirmDeletion.click()
    await expect(page.getByText('Your account was deleted')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Get Started Free' }).first()).toBeVisible()
    await expect(otherTab).toHaveURL(/\/(login.*)?$/)
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('active-at'))),
    ).toEqual([])

    const miaPage = await mia.context.newPage()
    await miaPage.goto(`/messages?user=${leo.id}`)
    await expect(messageThread(miaPage).getByText('Before I go')).toBeVisible()
    await expect(miaPage.getByText('Deleted user').first()).toBeVisible()
    await miaPage.goto(`/profile/${leo.account.username}`)
    await expect(miaPage.getByRole('heading', { name: /not found|does not exist|nobody/i })).toBeVisible()
    await leo.context.close()
    await deleteUser(mia)
  })
})

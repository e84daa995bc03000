import { type Browser, expect, type Page, test } from 'playwright/test'
import { type FakeStripe, startFakeStripe } from '../support/fake-stripe-server.ts'
import { type IsolatedStack, startIsolatedStack } from '../support/isolated-stack.ts'
import { runJob } from '../support/run-job.ts'
import { expectAccessible } from './support/accessibility.ts'
import { accountMenuButton } from './support/auth-forms.ts'
import { publish } from './support/content.ts'
import { phoneViewport, pickFromMenu } from './support/page.ts'
import { createSignedInUser, promoteToCreator, type SignedInUser } from './support/users.ts'

// The payment provider and Creator Pro billing are set for the whole instance, so these tests use their own stack.
let stack: IsolatedStack
let stripe: FakeStripe

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  stripe = await startFakeStripe()
  stack = await startIsolatedStack(stripe.env)
})
test.afterAll(async () => {
  await stack?.discard()
  await stripe?.stop()
})

const createUserOnStack = (browser: Browser, fullName: string) =>
  createSignedInUser(browser, fullName, { baseURL: stack.connection.apiUrl }, stack.sql)

/** Pays or cancels on the payment provider's checkout page. */
async function completeCheckout(page: Page, choice: 'Pay' | 'Cancel', price: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Local checkout' })).toBeVisible()
  await expect(page.getByText(price)).toBeVisible()
  await page.getByRole('button', { name: choice }).click()
}
let nils: SignedInUser

test.describe('A user who pays through Stripe', () => {
  test('unlocks a post, sends a tip and subscribes once the webhook arrives', async ({ browser }) => {
    const mona = await createUserOnStack(browser, 'Mona Berg')
    nils = await createUserOnStack(browser, 'Nils Ahl')
    await promoteToCreator(mona, stack.sql)
    const data = { content: 'The whole take', teaser: 'Take one', isPremium: true, premiumPrice: 5 }
    const post = await publish(mona, data)
    const page = await nils.context.newPage()
    const unlock = page.getByRole('button', { name: 'Unlock for $5.00' })
    const continuePayment = page.getByRole('button', { name: 'Continue to payment' })
    const pay = page.getByRole('dialog').getByRole('button', { name: 'Pay $5.00' })
    const notice = page.getByRole('main').getByRole('status')

    await test.step('lets the user retry on the next screen if the code that shows the payment result failed to load', async () => {
      await page.route('**/assets/CheckoutReturn-*.js', (route) => route.abort())
      await page.goto(`/post/${post.id}?checkout=cancelled`)
      const error = notice.filter({ hasText: "We couldn't show the result of your payment." })
      await expect(error).toBeVisible()
      await expect(unlock).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Discover' }).click()
      await expect(page).toHaveURL(/\/discover$/)
      await page.unroute('**/assets/CheckoutReturn-*.js')
      await error.getByRole('button', { name: 'Try again' }).click()
      await expect(notice.filter({ hasText: 'Payment cancelled' })).toBeVisible()
      await page.getByRole('button', { name: 'Dismiss' }).click()
    })

    await test.step('does not charge when the buyer cancels, and lets them continue', async () => {
      await page.goto(`/post/${post.id}`)
      await unlock.click()
      await expect(page.getByRole('dialog')).toContainText(
        "You'll pay on our payment provider's page, then come back here.",
      )
      await pay.click()
      await completeCheckout(page, 'Cancel', '$5.00')
      await expect(page).toHaveURL(`${stack.connection.apiUrl}/post/${post.id}`)
      await expect(notice.filter({ hasText: 'Payment cancelled' })).toBeVisible()
      await expect(page.getByText('Payment pending')).toBeVisible()
      await page.getByRole('button', { name: 'Dismiss' }).click()
    })

    await test.step('shows a payment as pending until the webhook arrives', async () => {
      await continuePayment.click()
      await pay.click()
      await completeCheckout(page, 'Pay', '$5.00')
      await expect(notice.filter({ hasText: 'Payment pending' })).toBeVisible()
      await expect(page).toHaveURL(`${stack.connection.apiUrl}/post/${post.id}`)
      await expectAccessible(page)
    })

    await test.step('lets the buyer check again when the webhook is late', async () => {
      // The fake clock applies to a whole context, so this step needs its own.
      const storageState = await nils.context.storageState()
      const otherContext = await browser.newContext({ baseURL: stack.connection.apiUrl, storageState })
      const otherPage = await otherContext.newPage()
      await otherPage.clock.install()
      await otherPage.goto(`/post/${post.id}?checkout=done`)
      const checkAgain = otherPage.getByRole('button', { name: 'Refresh' })
      await expect(async () => {
        await otherPage.clock.fastForward(30_000)
        await expect(checkAgain).toBeVisible({ timeout: 200 })
      }).toPass()
      const card = otherPage.getByRole('main').getByRole('status')
      await expect(card.filter({ hasText: "You don't need to pay again." })).toBeVisible()
      stripe.setWebhookUrl(`${stack.connection.apiUrl}/api/payments/webhook`)
      await stripe.sendPendingEvents()
      await checkAgain.click()
      await expect(card.filter({ hasText: 'Content Unlocked!' })).toBeVisible()
      await expect(otherPage.getByText('The whole take')).toBeVisible()
      await otherContext.close()
      await page.reload()
      await expect(page.getByText('The whole take')).toBeVisible()
    })

    await test.step('confirms a tip and a subscription on the profile that the buyer returns to', async () => {
      await page.getByRole('button', { name: 'Tip Mona Berg' }).click()
      await page.getByRole('dialog').getByText('$10', { exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Send tip' }).click()
      await completeCheckout(page, 'Pay', '$10.00')
      await expect(notice.filter({ hasText: 'a tip of $10.00' })).toBeVisible()
      await expect(page).toHaveURL(`${stack.connection.apiUrl}/profile/${mona.account.username}`)
      await page.getByRole('button', { name: 'Subscribe $9.99/mo', exact: true }).click()
      await expect(page.getByRole('dialog')).toContainText('Nothing included yet')
      await page.getByRole('dialog').getByRole('button', { name: 'Pay $9.99' }).click()
      await completeCheckout(page, 'Pay', '$9.99 a month')
      await expect(notice.filter({ hasText: /You're subscribed to .?Mona Berg/ })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Subscribed' })).toBeVisible()
    })
    await page.close()
    await mona.context.close()
  })

  test('buys, cancels, resumes and loses Creator Pro, and keeps their posts', async () => {
    const page = await nils.context.newPage()
    const setBilling = (enabled: boolean) =>
      stack.sql`select private.set_setting('creator_pro_billing', ${stack.sql.json(enabled)})`
    const dialog = page.getByRole('dialog', { name: 'Upgrade to Creator Pro' })
    const plan = page.getByRole('region', { name: 'Creator Pro Plan' })
    const sidebar = page.getByRole('navigation', { name: 'Main' })
    const analytics = sidebar.getByRole('link', { name: 'Analytics' })
    const creatorSwitch = page.getByRole('switch', { name: 'Creator Account' })
    const bio = page.getByLabel('Bio')

    await test.step('does not make users creators for free once billing is enabled, and keeps the input', async () => {
      await page.goto('/settings/profile')
      await bio.fill('Songs, mostly')
      await page.getByRole('link', { name: 'Creator', exact: true }).click()
      await creatorSwitch.click()
      await setBilling(true)
      await page.getByRole('button', { name: 'Save changes' }).click()
      await expect(dialog).toContainText('$19.99')
      await expect(dialog).toContainText("You'll pay on our payment provider's page")
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
      await creatorSwitch.click()
      await page.getByRole('link', { name: 'Profile with unsaved changes' }).click()
      await expect(bio).toHaveValue('Songs, mostly')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await expect(page.getByText('Profile updated successfully!')).toBeVisible()
      // By now, the page knows that Creator Pro costs money, so the switch opens the upgrade dialog.
      await page.getByRole('link', { name: 'Creator', exact: true }).click()
      await creatorSwitch.click()
      await expect(dialog).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(creatorSwitch).not.toBeChecked()
    })

    await test.step('makes the user a creator after a payment from the sidebar’s upgrade card', async () => {
      const upgrade = sidebar.getByRole('button', { name: 'Upgrade to Creator Pro' })
      await upgrade.click()
      await page.keyboard.press('Escape')
      await expect(upgrade).toBeFocused()
      await upgrade.click()
      await dialog.getByRole('button', { name: 'Pay $19.99' }).click()
      await completeCheckout(page, 'Pay', '$19.99 a month')
      await expect(page).toHaveURL(`${stack.connection.apiUrl}/settings/billing`)
      await expect(page.getByText("Payment received. You're a creator now.")).toBeVisible()
      await expect(plan).toContainText(/\$19\.99 per monthActive.*Renews on/)
      await expect(upgrade).toHaveCount(0)
      await expect(analytics).toHaveAccessibleDescription('')
      await expectAccessible(page)
    })

    const post = await publish(nils, { content: 'Mine for good', isPremium: true, premiumPrice: 3 })

    await test.step('cancels and resumes the plan, and cancels the plan again on the provider’s page', async () => {
      await plan.getByRole('button', { name: 'Cancel plan' }).click()
      const confirm = page.getByRole('alertdialog', { name: 'Cancel Creator Pro?' })
      await confirm.getByRole('button', { name: 'Cancel Creator Pro' }).click()
      await expect(plan).toContainText(/Cancelled.*After that, you’re no longer a creator/)
      await expect(analytics).toHaveAccessibleDescription('')
      await plan.getByRole('button', { name: 'Resume plan' }).click()
      await expect(plan).toContainText('Renews on')
      await plan.getByRole('button', { name: 'Manage billing' }).click()
      await expect(page.getByRole('heading', { name: 'Local billing' })).toBeVisible()
      // The page lists the earlier subscription to Mona too.
      await page.getByRole('button', { name: 'Cancel' }).last().click()
      await page.getByRole('link', { name: 'Back' }).click()
      await expect(plan).toContainText('Cancelled')
    })

    await test.step('ends the creator status when the plan ends, notifies the user and keeps the posts', async () => {
      await stack.sql`update public.creator_plans set started_at = started_at - interval '2 months',
                  period_end = now() - interval '1 minute' where state = 'active'`
      const { jobsUrl, jobSecret } = stack.connection
      const run = await runJob('renewals', jobsUrl, jobSecret)
      expect(run.status).toBe(200)
      await expect(analytics).toHaveAccessibleDescription('Creator Pro feature - Upgrade to access analytics')
      await expect(plan).toContainText(/Creator Pro ended on \w+ \d+, \d{4}\./)
      await expect(plan.getByRole('button', { name: 'Upgrade to Creator Pro' })).toBeVisible()
      await page.goto('/notifications')
      await page
        .getByRole('main')
        .getByText(
          'Your Creator Pro plan has ended. Your posts are still here. Upgrade to become a creator again.',
        )
        .click()
      await expect(page).toHaveURL(`${stack.connection.apiUrl}/settings/billing`)
      await page.goto(`/post/${post.id}`)
      await expect(page.getByText('Mine for good')).toBeVisible()
    })

    await test.step('offers the upgrade in the account menu on a phone, and marks locked features', async () => {
      await page.setViewportSize(phoneViewport)
      await page.goto('/')
      await accountMenuButton(page).click()
      await expect(page.getByRole('menuitem', { name: 'Earnings' })).toContainText(
        'Creator Pro feature - Upgrade to access earnings',
      )
      await pickFromMenu(page, 'Upgrade to Creator Pro')
      await expect(dialog).toBeVisible()
      await expectAccessible(page)
      // A user who has earned money keeps access to Earnings.
      await stack.sql`insert into public.creator_balances (user_id) values (${nils.id})`
      await page.reload()
      await accountMenuButton(page).click()
      await expect(page.getByRole('menuitem', { name: 'Earnings', exact: true })).toBeVisible()
    })
    await nils.context.close()
  })
})

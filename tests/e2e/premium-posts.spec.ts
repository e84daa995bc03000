import { readFileSync } from 'node:fs'
import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { publish, uploadPicture } from './support/content.ts'
import { phoneViewport, pickFromMenu } from './support/page.ts'
import { failNextRequest } from './support/requests.ts'
import { expectToastUnobstructed } from './support/toasts.ts'
import { createSignedInUser, deleteUser, promoteToCreator, sql } from './support/users.ts'

const premiumText = 'The whole set, from the first chord to the last bow.'
const teaser = 'Backstage, and what nobody saw.'
const premiumCard = (page: Page) => page.getByRole('article').filter({ hasText: 'Vera Stone' })
const unlockButton = (page: Page) => page.getByRole('button', { name: /^Unlock for/ })
const payButton = (page: Page) => page.getByRole('dialog').getByRole('button', { name: /^Pay/ })

test.describe('Premium posts', () => {
  test('unlocks a premium post once, at the current price, wherever the post is shown', async ({
    browser,
  }) => {
    const [vera, ned] = await Promise.all([
      createSignedInUser(browser, 'Vera Stone'),
      createSignedInUser(browser, 'Ned Park'),
    ])
    await promoteToCreator(vera)
    const buffer = readFileSync(new URL('../../web/public/social-preview.jpg', import.meta.url))
    const imageUrl = await uploadPicture(vera, { name: 'set.jpg', mimeType: 'image/jpeg', buffer })
    const post = await publish(vera, {
      content: premiumText,
      teaser,
      isPremium: true,
      premiumPrice: 12.5,
      imageUrl,
      altText: 'The stage',
    })
    const profile = `/profile/${vera.account.username}`
    const [page, veraPage] = await Promise.all([ned.context.newPage(), vera.context.newPage()])

    await test.step('shows the author the whole post with the price', async () => {
      await veraPage.goto(profile)
      await expect(premiumCard(veraPage).getByText('PREMIUM $12.50')).toBeVisible()
      await expect(premiumCard(veraPage).getByText(premiumText)).toBeVisible()
      await expect(premiumCard(veraPage).getByRole('img', { name: 'The stage' })).toBeVisible()
      await expect(unlockButton(veraPage)).toHaveCount(0)
    })

    await test.step('shows a visitor only the teaser and the price, and asks them to sign in to unlock', async () => {
      const visitor = await browser.newContext()
      const visitorPage = await visitor.newPage()
      await visitorPage.goto(`/post/${post.id}`)
      await expect(visitorPage.getByText(teaser)).toBeVisible()
      await expect(visitorPage.getByText('1 photo and a short text')).toBeVisible()
      await expect(visitorPage.getByText('Unlock the post to read and write comments.')).toBeVisible()
      expect(await visitorPage.content()).not.toContain('chord')
      expect(await visitorPage.content()).not.toContain(imageUrl)
      await visitorPage.getByRole('button', { name: 'Unlock for $12.50' }).click()
      await expect(visitorPage).toHaveURL(new RegExp(`/login\\?next=%2Fpost%2F${post.id}`))
      await visitor.close()
    })

    const otherTab = await ned.context.newPage()
    const frame = premiumCard(page).locator('[data-frame]')
    let lockedSize = { width: 0, height: 0 }
    await test.step('shows the locked post in both tabs of the buyer', async () => {
      await Promise.all([page.goto(profile), otherTab.goto(`/post/${post.id}`)])
      await expect(unlockButton(otherTab)).toHaveText('Unlock for $12.50')
      // Makes the other tab's requests for the post fail, so that the tab still shows a locked post after the unlock.
      await otherTab.route(`**/api/posts/${post.id}`, (route) => route.fulfill({ status: 500, body: '' }))
      // A background tab does not render.
      await page.bringToFront()
      await expect(premiumCard(page).getByText(teaser)).toBeVisible()
      const comments = premiumCard(page).getByRole('button', { name: 'Comment, 0 comments' })
      await expect(comments).toHaveAttribute('aria-disabled', 'true')
      await comments.click({ force: true })
      await expect(premiumCard(page).getByRole('region', { name: 'Comments' })).toHaveCount(0)
      lockedSize = (await frame.boundingBox()) ?? lockedSize
      // In a list, the frame of a locked photo is shorter than the photo itself.
      expect(lockedSize.height).toBe(160)
    })

    await test.step('disables the pay button until the payment configuration has loaded', async () => {
      await page.route('**/api/config', (route) => route.fulfill({ status: 500, body: '' }))
      await page.reload()
      await unlockButton(page).click()
      const dialog = page.getByRole('dialog', { name: 'Unlock this post' })
      await expect(dialog.getByText("Couldn't load payment options.")).toBeVisible()
      await expect(payButton(page)).toBeDisabled()
      await expectAccessible(page)
      await page.unroute('**/api/config')
      await dialog.getByRole('button', { name: 'Try again' }).click()
      await expect(dialog.getByText("Test mode. You won't be charged.")).toBeVisible()
      await expect(payButton(page)).toBeEnabled()
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    })

    await test.step('asks the buyer again when the price has been raised', async () => {
      await unlockButton(page).click()
      const dialog = page.getByRole('dialog', { name: 'Unlock this post' })
      await expect(dialog).toContainText('A premium photo from Vera Stone.')
      await expect(dialog).toContainText("Test mode. You won't be charged.")
      await expectAccessible(page)
      await premiumCard(veraPage).getByRole('button', { name: 'More about this post' }).click()
      await pickFromMenu(veraPage, 'Edit post')
      await veraPage.getByLabel('Price in US dollars').fill('15')
      await veraPage.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
      await expect(premiumCard(veraPage).getByText('PREMIUM $15.00')).toBeVisible()
      await expect(premiumCard(veraPage).getByText('edited')).toBeVisible()
      await payButton(page).click()
      await expect(dialog.getByText("The price is now $15.00. You haven't been charged.")).toBeVisible()
      await expect(payButton(page)).toHaveText('Pay $15.00')
    })

    await test.step('shows a failed payment, and charges once for a double-click', async () => {
      await failNextRequest(page, '**/unlock', 503)
      const viewport = page.viewportSize()
      await page.setViewportSize(phoneViewport)
      await payButton(page).click()
      await expect(page.getByText('Payment Failed')).toBeVisible()
      await expectToastUnobstructed(
        page,
        'Failed to unlock premium content. Please try again.',
        payButton(page),
      )
      if (viewport) await page.setViewportSize(viewport)
      await payButton(page).dblclick()
      await expect(page.getByText('Content Unlocked!')).toBeVisible()
      await expect(premiumCard(page).getByText(premiumText)).toBeVisible()
      await expect(premiumCard(page).getByRole('img', { name: 'The stage' })).toBeVisible()
      await expect(premiumCard(page).getByText(teaser)).toHaveCount(0)
      await expect(premiumCard(page)).toBeFocused()
      const unlockedSize = await frame.boundingBox()
      expect(unlockedSize?.width).toBeCloseTo(lockedSize.width, 0)
      expect((unlockedSize?.width ?? 0) / (unlockedSize?.height ?? 1)).toBeCloseTo(1200 / 630, 1)
    })

    await test.step('unlocks the post in the other tab without charging again', async () => {
      await otherTab.bringToFront()
      await unlockButton(otherTab).click()
      await payButton(otherTab).click()
      await expect(otherTab.getByText(premiumText)).toBeVisible()
      await expect(otherTab.getByText('No comments yet')).toBeVisible()
      await otherTab.unrouteAll({ behavior: 'wait' })
      const payments =
        await sql`select amount_cents from public.payments where post_id = ${post.id} and state = 'paid'`
      expect(payments.map((payment) => payment.amount_cents)).toEqual([1500])
      expect((await sql`select from public.unlocks where post_id = ${post.id}`).count).toBe(1)
    })

    await test.step('shows others how many people have unlocked the post, if the author allows it', async () => {
      const visitor = await browser.newContext()
      const visitorPage = await visitor.newPage()
      await visitorPage.goto(`/post/${post.id}`)
      await expect(visitorPage.getByText('1 photo and a short text')).toBeVisible()
      await expect(visitorPage.getByText('1 unlock', { exact: true })).toHaveCount(0)
      await premiumCard(veraPage).getByRole('button', { name: 'More about this post' }).click()
      await pickFromMenu(veraPage, 'Edit post')
      const dialog = veraPage.getByRole('dialog', { name: 'Edit post' })
      const showUnlocks = dialog.getByRole('switch', { name: 'Show how many unlocked it' })
      await expect(showUnlocks).not.toBeChecked()
      await showUnlocks.click()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(dialog).toHaveCount(0)
      await visitorPage.reload()
      await expect(visitorPage.getByText('1 unlock', { exact: true })).toBeVisible()
      await visitor.close()
    })

    await test.step('enlarges the image, opens the comments and copies the link', async () => {
      await page.bringToFront()
      await premiumCard(page).getByRole('button', { name: 'Open photo: The stage' }).click()
      const lightbox = page.getByRole('dialog', { name: 'Photo: The stage' })
      await expect(lightbox.getByRole('img')).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(lightbox).toHaveCount(0)
      await premiumCard(page).getByRole('button', { name: 'Comment, 0 comments' }).click()
      await expect(premiumCard(page).getByText('No comments yet')).toBeVisible()
      await ned.context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await premiumCard(page).getByRole('button', { name: 'More about this post' }).click()
      await pickFromMenu(page, 'Copy link')
      await expect(page.getByText('Link copied')).toBeVisible()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
        new RegExp(`/post/${post.id}$`),
      )
    })

    await test.step('shares the post through the share sheet, or copies the link on a device without one', async () => {
      const shareButton = premiumCard(page).getByRole('button', { name: 'Share this post' })
      await page.evaluate(() => {
        Object.defineProperty(navigator, 'share', { value: undefined, configurable: true })
        return navigator.clipboard.writeText('')
      })
      await shareButton.click()
      await expect
        .poll(() => page.evaluate(() => navigator.clipboard.readText()))
        .toMatch(new RegExp(`/post/${post.id}$`))
      await page.evaluate(() => {
        const share = async ({ url }: ShareData) => {
          document.body.dataset.shared = url
        }
        Object.defineProperty(navigator, 'share', { value: share, configurable: true })
      })
      await shareButton.click()
      expect(await page.evaluate(() => document.body.dataset.shared)).toMatch(new RegExp(`/post/${post.id}$`))
    })

    await test.step('removes a deleted post for buyers too', async () => {
      await premiumCard(veraPage).getByRole('button', { name: 'More about this post' }).click()
      await pickFromMenu(veraPage, 'Delete post')
      const confirm = veraPage.getByRole('alertdialog').getByRole('button', { name: 'Delete' })
      await failNextRequest(veraPage, '**/api/posts/*')
      await confirm.click()
      await expect(veraPage.getByText('Failed to delete post. Please try again.')).toBeVisible()
      await premiumCard(veraPage).getByRole('button', { name: 'More about this post' }).click()
      await pickFromMenu(veraPage, 'Delete post')
      await confirm.click()
      await expect(veraPage.getByText('Post Deleted')).toBeVisible()
      await expect(premiumCard(veraPage)).toHaveCount(0)
      await expect(page.getByText('This post is no longer available')).toBeVisible()
      await expect(premiumCard(page)).toHaveCount(0)
      await otherTab.bringToFront()
      await expect(otherTab.getByText('Post not found')).toBeVisible()
    })
    await deleteUser(ned)
    await deleteUser(vera)
  })
})

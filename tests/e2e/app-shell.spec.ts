import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { accountMenuButton, signInViaForm } from './support/auth-forms.ts'
import { collectPageErrors, phoneViewport } from './support/page.ts'
import { createGate, failNextRequest } from './support/requests.ts'
import { createUserOnHomeFeed, deleteUser } from './support/users.ts'

const desktopViewport = { width: 1280, height: 900 }
const getLinkHrefs = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name })
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))

test.describe('Navigation', () => {
  test('shows what Creator Pro unlocks, redirects from locked screens and unlocks them', async ({
    browser,
  }) => {
    const nia = await createUserOnHomeFeed(browser, 'Nia Falk')
    const { page } = nia
    const collected = collectPageErrors(page)
    const failedPaths: string[] = []
    page.on('response', (response) => {
      if (response.status() >= 500) failedPaths.push(new URL(response.url()).pathname)
    })
    const sidebar = page.getByRole('navigation', { name: 'Main' })
    const tooltip = page.getByRole('tooltip')

    await test.step('shows the sidebar’s links in order and explains why some are locked', async () => {
      await page.setViewportSize(desktopViewport)
      expect(await getLinkHrefs(page, 'Main')).toEqual([
        ...['/', '/discover', '/creators', '/following', '/saved', '/messages', '/settings'],
        ...['/analytics', '/earnings'],
      ])
      for (const [name, next] of [
        ['Analytics', sidebar.getByRole('link', { name: 'Earnings' })],
        ['Earnings', sidebar.getByRole('button', { name: 'Hide Creator Pro' })],
      ] as const) {
        const reason = `Creator Pro feature - Upgrade to access ${name.toLowerCase()}`
        const link = sidebar.getByRole('link', { name })
        await expect(link).toHaveAccessibleDescription(reason)
        await link.focus()
        // The tooltip opens only if the focus is moved with the keyboard.
        await page.keyboard.press('Tab')
        await page.keyboard.press('Shift+Tab')
        await expect(tooltip.filter({ hasText: reason })).toBeVisible()
        await page.keyboard.press('Tab')
        await expect(next).toBeFocused()
        await expect(tooltip.filter({ hasText: reason })).toBeHidden()
      }
      await page.setViewportSize({ width: 900, height: 900 })
      await sidebar.getByRole('link', { name: 'Top Users' }).hover()
      await expect(tooltip.filter({ hasText: 'Top Users' })).toBeVisible()
      const upgrade = sidebar.getByRole('button', { name: 'Upgrade to Creator Pro' })
      await upgrade.hover()
      await expect(tooltip.filter({ hasText: 'Upgrade to Creator Pro' })).toBeVisible()
      await page.mouse.move(600, 600)
      await page.setViewportSize({ width: 1280, height: 600 })
      await expect(upgrade).toBeInViewport({ ratio: 1 })
    })

    await test.step('redirects from creator-only screens after two seconds, unless the user leaves first', async () => {
      await page.setViewportSize(desktopViewport)
      await page.clock.install()
      const earnings = sidebar.getByRole('link', { name: 'Earnings' })
      // Simulates a touch that turns into a scroll. The key press that follows must not count as a touch.
      await earnings.dispatchEvent('pointerdown', { pointerType: 'touch' })
      await earnings.press('Enter')
      await expect(
        page.getByText(
          'Earnings is a Creator Pro exclusive feature. Upgrade your account to access revenue tracking and payouts.',
        ),
      ).toBeVisible()
      await expect(page).toHaveURL('/earnings')
      await page.clock.fastForward(2_000)
      await expect(page).toHaveURL('/')
      await sidebar.getByRole('link', { name: 'Analytics' }).click()
      await expect(page.getByText('Creator Pro Required')).toBeVisible()
      await sidebar.getByRole('link', { name: 'Discover' }).click()
      await expect(page.getByRole('heading', { name: 'Recent Posts' })).toBeVisible()
      await page.clock.fastForward(5_000)
      await expect(page.getByRole('link', { name: 'View All Creators' })).toHaveAttribute('href', '/creators')
      await expect(page).toHaveURL('/discover')
    })

    await test.step('explains Creator Pro in a dialog, where the user can upgrade', async () => {
      await page.getByRole('button', { name: 'Upgrade to Creator Pro' }).click()
      const dialog = page.getByRole('dialog', { name: 'Upgrade to Creator Pro' })
      await expect(dialog).toContainText('Premium posts and paid subscriptions')
      await expect(dialog).toContainText('Free for now')
      await expectAccessible(page)
      await failNextRequest(page, '**/api/profile')
      await dialog.getByRole('button', { name: 'Upgrade for free' }).click()
      await expect(page.getByText("Couldn't upgrade. Try again.")).toBeVisible()
      await dialog.getByRole('button', { name: 'Upgrade for free' }).click()
      await expect(page.getByText("You're a creator now.")).toBeVisible()
      await expect(dialog).toBeHidden()
      await expect(page.getByRole('button', { name: 'Upgrade to Creator Pro' })).toHaveCount(0)
      await page.request.patch('/api/profile', { data: { isCreator: false } })
    })

    await test.step('hides the card about Creator Pro for good', async () => {
      const card = page.getByRole('region', { name: 'Creator Pro' })
      await page.reload()
      await card.getByRole('button', { name: 'Hide Creator Pro' }).click()
      await expect(card).toHaveCount(0)
      await expect(sidebar.getByRole('button', { name: 'New post' })).toBeFocused()
      await page.reload()
      await expect(sidebar.getByRole('button', { name: 'New post' })).toBeVisible()
      await expect(card).toHaveCount(0)
    })

    await test.step('unlocks the links when the creator setting is saved, and keeps the switch on when saving fails', async () => {
      await page.goto('/settings/creator?field=isCreator')
      const creatorSwitch = page.getByRole('switch', { name: 'Creator Account' })
      const save = page.getByRole('button', { name: 'Save changes' })
      const analytics = sidebar.getByRole('link', { name: 'Analytics' })
      await failNextRequest(page, '**/api/profile')
      await creatorSwitch.click()
      await save.click()
      await expect(page.getByText('Failed to update profile. Please try again.')).toBeVisible()
      await expect(creatorSwitch).toBeChecked()
      await expect(analytics).not.toHaveAccessibleDescription('')
      await save.click()
      await expect(page.getByText('Profile updated successfully!')).toBeVisible()
      await expect(analytics).toHaveAccessibleDescription('')
      await expect(page.getByRole('button', { name: 'Upgrade to Creator Pro' })).toHaveCount(0)
      await analytics.click()
      await expect(page.getByText('Nobody has seen your posts yet')).toBeVisible()
      await sidebar.getByRole('link', { name: 'Earnings' }).click()
      await expect(page.getByRole('tab', { name: 'Goals' })).toBeVisible()
      await page.goto('/admin')
      await expect(page.getByText("You don't have permission to access this page.")).toBeVisible()
    })

    await test.step('links to the screens from the bottom bar, the header and the account menu on a phone', async () => {
      await page.setViewportSize(phoneViewport)
      expect(await getLinkHrefs(page, 'Main')).toEqual(['/', '/discover', '/following', '/saved', '/profile'])
      await page.getByRole('banner').getByRole('link', { name: 'Search' }).click()
      await expect(page.getByText('Search for Users')).toBeVisible()
      await accountMenuButton(page).click()
      const items = page.getByRole('menuitem')
      await expect(items).toHaveText([
        'Profile',
        'Settings',
        'Safety',
        'Top Users',
        'Analytics',
        'Earnings',
        'Log out',
      ])
      await items.filter({ hasText: 'Top Users' }).click()
      await expect(page.getByRole('heading', { name: 'Top Users' })).toBeVisible()
      // A menu that is still closing ignores clicks.
      await expect(items).toHaveCount(0)
      const compose = page.getByRole('button', { name: 'New post' })
      await expect(compose).toBeVisible()
      // On phones, the header of this page replaces the top bar.
      await expect(page.getByRole('banner')).toBeHidden()
      await page
        .getByRole('button', { name: 'Back' })
        .or(page.getByRole('link', { name: 'Back' }))
        .click()
      await accountMenuButton(page).click()
      await items.filter({ hasText: 'Profile' }).click()
      await expect(page).toHaveURL(`/profile/${nia.account.username}`)
      await expect(sidebar.locator('[aria-current=page]')).toHaveAccessibleName('Profile')
      await compose.click()
      await expect(page.getByRole('textbox', { name: "What's on your mind?" })).toBeFocused()
    })

    await test.step('marks the header button of the current page', async () => {
      const current = page.getByRole('banner').locator('[aria-current=page]')
      for (const viewport of [phoneViewport, desktopViewport]) {
        await page.setViewportSize(viewport)
        for (const [path, name] of [
          ['/messages', 'Messages'],
          ['/notifications', 'Notifications'],
        ] as const) {
          await page.goto(path)
          await expect(current).toHaveAccessibleName(new RegExp(`^${name}`))
        }
      }
      await page.goto('/')
      await expect(page.getByRole('button', { name: 'Messages' })).toBeVisible()
      await expect(current).toHaveCount(0)
    })
    // The steps above caused both failures on purpose.
    expect(failedPaths).toEqual(['/api/profile', '/api/profile'])
    const error = expect.stringContaining('status of 500')
    expect(collected.errors).toEqual([error, error])
    await deleteUser(nia)
  })
})

test.describe('Header search', () => {
  test('debounces the search, shows the results of the latest query and works by keyboard', async ({
    page,
  }) => {
    await page.setViewportSize(desktopViewport)
    await signInViaForm(page, { email: 'fan@demo.test', password: 'ovation-demo' })
    const searchBox = page.getByRole('combobox', { name: 'Search people, posts and topics' })
    const options = page.getByRole('option')
    const queries: string[] = []
    const gate = createGate()
    await page.route('**/api/users/search?*', async (route) => {
      const query = new URL(route.request().url()).searchParams.get('q') ?? ''
      queries.push(query)
      if (query === 'sam') await gate.opened
      await route.continue()
    })

    await page.clock.install()
    await searchBox.fill('   ')
    await page.clock.fastForward(1_000)
    await searchBox.press('Enter')
    await expect(page).toHaveURL('/')
    await searchBox.fill('')
    // Pauses the clock so that all letters arrive within the debounce time, even on a slow machine.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
    await searchBox.pressSequentially('sam')
    await page.clock.resume()
    await expect.poll(() => queries).toEqual(['sam'])
    await searchBox.fill('noor')
    await expect(options).toHaveText([/Noor Haddad/])
    const lateResponse = page.waitForResponse((response) => response.url().includes('q=sam'))
    gate.open()
    await lateResponse
    await expect(options).toHaveText([/Noor Haddad/])
    expect(queries).toEqual(['sam', 'noor'])

    await searchBox.press('Escape')
    await expect(options).toHaveCount(0)
    await searchBox.click()
    await expect(options).toHaveText([/Noor Haddad/])
    await page.getByRole('heading', { name: 'Quick Actions' }).click()
    await expect(page.getByRole('button', { name: 'New post', exact: true })).toBeVisible()
    await expect(options).toHaveCount(0)
    await searchBox.fill('zzzz')
    await expect(page.getByRole('search').getByRole('status')).toHaveText('No users found for "zzzz"')
    await expect(page.getByText('No users found for "zzzz"').first()).toBeVisible()
    await expect(options).toHaveCount(0)
    await searchBox.press('Enter')
    await expect(page).toHaveURL('/search?q=zzzz')
    await expect(page.getByRole('heading', { name: 'No Users Found' })).toBeVisible()
    await expect(page.locator('#main')).toBeFocused()
    await expect(searchBox).toHaveValue('zzzz')
    await page.getByRole('link', { name: 'Discover' }).click()
    await expect(page.getByRole('heading', { name: 'Recent Posts' })).toBeVisible()
    await expect(searchBox).toHaveValue('')
    await expect(page.locator('#main')).toBeFocused()
    await searchBox.fill('noor')
    await expect(options).toHaveText([/Noor Haddad/])
    await searchBox.press('ArrowDown')
    await searchBox.press('Enter')
    await expect(page).toHaveURL('/profile/noormakes')

    await page.route('**/api/users/search?*', (route) => route.abort())
    const failedRequest = page.waitForEvent('requestfailed', (request) => request.url().includes('q=hamish'))
    const logLine = page.waitForEvent('console', (message) => message.text().includes('Search failed'))
    await searchBox.fill('hamish')
    await failedRequest
    expect((await logLine).type()).toBe('error')
    await expect(page.getByRole('alert')).toBeEmpty()
    // The search page shares a TanStack query with the header search, so it reports the failure too.
    await searchBox.press('Enter')
    await expect(page).toHaveURL('/search?q=hamish')
    await expect(page.locator('#toasts').getByText('Search failed')).toBeVisible()
    await expect(page.locator('#main').getByText('Check your connection and try again.')).toBeVisible()
  })
})

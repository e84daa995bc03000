import { expect, type Page, test } from 'playwright/test'
import { arrive, forget, signIn, watchErrors } from './support.ts'

const wide = { width: 1280, height: 900 }
const phone = { width: 390, height: 844 }
const hrefs = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name })
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))

test('somebody finds their way, is told what Creator Pro opens, and switches it on', async ({ browser }) => {
  const nia = await arrive(browser, 'Nia Falk')
  const { page } = nia
  const watched = watchErrors(page)
  const failed: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 500) failed.push(new URL(response.url()).pathname)
  })
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  const tooltip = page.getByRole('tooltip')

  await test.step('The sidebar has its links in order, and what is locked says why', async () => {
    await page.setViewportSize(wide)
    expect(await hrefs(page, 'Main')).toEqual([
      ...['/', '/discover', '/creators', '/following', '/saved', '/messages'],
      ...['/analytics', '/earnings', '/settings'],
      '/settings?tab=profile',
    ])
    for (const [name, next] of [
      ['Analytics', 'Earnings'],
      ['Earnings', 'Settings'],
    ] as const) {
      const reason = `Creator Pro feature - Upgrade to access ${name.toLowerCase()}`
      const link = sidebar.getByRole('link', { name })
      await expect(link).toHaveAccessibleDescription(reason)
      await link.focus()
      // Focus that came by the keyboard, not by the test's call.
      await page.keyboard.press('Tab')
      await page.keyboard.press('Shift+Tab')
      await expect(tooltip).toHaveText(reason)
      await page.keyboard.press('Tab')
      await expect(sidebar.getByRole('link', { name: next })).toBeFocused()
      await expect(tooltip.filter({ hasText: reason })).toBeHidden()
    }
    await page.setViewportSize({ width: 900, height: 900 })
    await sidebar.getByRole('link', { name: 'Top Users' }).hover()
    await expect(tooltip).toHaveText('Top Users')
    const upgrade = sidebar.getByRole('link', { name: 'Upgrade to Creator Pro' })
    await upgrade.hover()
    await expect(tooltip.filter({ hasText: 'Upgrade to Creator Pro' })).toBeVisible()
    await page.mouse.move(600, 600)
    await page.setViewportSize({ width: 1280, height: 600 })
    await expect(upgrade).toBeInViewport({ ratio: 1 })
  })

  await test.step('The screens of creators send her home after two seconds, unless she leaves before', async () => {
    await page.setViewportSize(wide)
    await page.clock.install()
    const earnings = sidebar.getByRole('link', { name: 'Earnings' })
    // A finger that went on to scroll: the key that is pressed later is no touch.
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

  await test.step('The switch unlocks the links once it is saved, and is kept where that fails', async () => {
    await page.getByRole('link', { name: 'Upgrade to Creator Pro' }).click()
    await expect(page).toHaveURL('/settings?tab=profile')
    const control = page.getByRole('switch', { name: 'Creator Account' })
    const save = page.getByRole('button', { name: 'Save changes' })
    const analytics = sidebar.getByRole('link', { name: 'Analytics' })
    await page.route('**/api/profile', (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })
    await control.click()
    await save.click()
    await expect(page.getByText('Failed to update profile. Please try again.')).toBeVisible()
    await expect(control).toBeChecked()
    await expect(analytics).not.toHaveAccessibleDescription('')
    await save.click()
    await expect(page.getByText('Profile updated successfully!')).toBeVisible()
    await expect(analytics).toHaveAccessibleDescription('')
    await expect(page.getByRole('link', { name: 'Upgrade to Creator Pro' })).toHaveCount(0)
    await analytics.click()
    await expect(page.getByText('Nobody has seen your posts yet')).toBeVisible()
    await sidebar.getByRole('link', { name: 'Earnings' }).click()
    await expect(page.getByRole('tab', { name: 'Goals' })).toBeVisible()
    await page.goto('/admin')
    await expect(page.getByText("You don't have permission to access this page.")).toBeVisible()
  })

  await test.step('On a phone the bar, the search and the account’s menu lead everywhere', async () => {
    await page.setViewportSize(phone)
    expect(await hrefs(page, 'Main')).toEqual(['/', '/discover', '/following', '/saved', '/profile'])
    await page.getByRole('banner').getByRole('link', { name: 'Search' }).click()
    await expect(page.getByText('Search for Users')).toBeVisible()
    await page.getByRole('button', { name: /^Account of/ }).click()
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
    const compose = page.getByRole('button', { name: 'New post' })
    await expect(compose).toBeHidden()
    await page.getByRole('button', { name: /^Account of/ }).click()
    await items.filter({ hasText: 'Profile' }).click()
    await expect(page).toHaveURL(`/profile/${nia.who.username}`)
    await expect(sidebar.locator('[aria-current=page]')).toHaveAccessibleName('Profile')
    await compose.click()
    await expect(page.getByRole('textbox', { name: "What's on your mind?" })).toBeFocused()
  })
  // Earnings asks whether there is money left for somebody who is no creator; and the one call that was made to fail.
  expect(failed).toEqual(['/api/profile'])
  expect(watched.errors).toEqual([
    expect.stringContaining('status of 403'),
    expect.stringContaining('status of 500'),
  ])
  await forget(nia)
})

test('the header’s search waits, keeps the newest answer, and works by keyboard', async ({ page }) => {
  await page.setViewportSize(wide)
  await signIn(page, { email: 'fan@demo.test', password: 'ovation-demo' })
  const box = page.getByRole('combobox', { name: 'Search for people' })
  const options = page.getByRole('option')
  const asked: string[] = []
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/users/search?*', async (route) => {
    const query = new URL(route.request().url()).searchParams.get('q') ?? ''
    asked.push(query)
    if (query === 'sam') await held
    await route.continue()
  })

  await page.clock.install()
  await box.fill('   ')
  await page.clock.fastForward(1_000)
  await box.press('Enter')
  await expect(page).toHaveURL('/')
  await box.fill('')
  // Letters that come one by one, however slow the machine is, within the time that the search waits.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
  await box.pressSequentially('sam')
  await page.clock.resume()
  await expect.poll(() => asked).toEqual(['sam'])
  await box.fill('noor')
  await expect(options).toHaveText([/Noor Haddad/])
  const late = page.waitForResponse((response) => response.url().includes('q=sam'))
  release()
  await late
  await expect(options).toHaveText([/Noor Haddad/])
  expect(asked).toEqual(['sam', 'noor'])

  await box.press('Escape')
  await expect(options).toHaveCount(0)
  await box.click()
  await expect(options).toHaveText([/Noor Haddad/])
  await page.getByRole('heading', { name: 'Quick Actions' }).click()
  await expect(options).toHaveCount(0)
  await box.fill('zzzz')
  await expect(page.getByRole('search').getByRole('status')).toHaveText('No users found for "zzzz"')
  await expect(page.getByText('No users found for "zzzz"').first()).toBeVisible()
  await expect(options).toHaveCount(0)
  await box.press('Enter')
  await expect(page).toHaveURL('/search?q=zzzz')
  await expect(page.getByRole('heading', { name: 'No Users Found' })).toBeVisible()
  await expect(page.locator('#main')).toBeFocused()
  await expect(box).toHaveValue('zzzz')
  await page.getByRole('link', { name: 'Discover' }).click()
  await expect(page.getByRole('heading', { name: 'Recent Posts' })).toBeVisible()
  await expect(box).toHaveValue('')
  await expect(page.locator('#main')).toBeFocused()
  await box.fill('noor')
  await expect(options).toHaveText([/Noor Haddad/])
  await box.press('ArrowDown')
  await box.press('Enter')
  await expect(page).toHaveURL('/profile/noormakes')

  await page.route('**/api/users/search?*', (route) => route.abort())
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('q=hamish'))
  const logged = page.waitForEvent('console', (line) => line.text().includes('Search failed'))
  await box.fill('hamish')
  await failed
  expect((await logged).type()).toBe('error')
  await expect(page.getByRole('alert')).toBeEmpty()
  await page.goto('/search?q=hamish')
  await expect(page.getByRole('alert').filter({ hasText: /^Search failed$/ })).toBeVisible()
  await expect(page.getByText('The search did not get an answer.')).toBeVisible()
})

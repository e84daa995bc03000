import { expect, test } from 'playwright/test'
import { expectAccessible } from './axe.ts'
import { arrive, forget, join, pickFromMenu, watchErrors } from './support.ts'

/** A profile as its person, a follower, a stranger, a visitor and somebody in a block see it. */
test('a profile shows each what is theirs to see, and opens by following, asking and subscribing', async ({
  browser,
}) => {
  const vera = await join(browser, 'Vera Stern')
  const noah = await arrive(browser, 'Noah Licht')
  const { page } = noah
  const seen = watchErrors(page)
  const profile = `/profile/${vera.who.username}`
  const change = async (path: string, data: Record<string, unknown>) => {
    const answer = await vera.context.request.patch(path, { data })
    expect(answer.status()).toBe(200)
    return await answer.json()
  }
  const { id: veraId } = await change('/api/profile', {
    isCreator: true,
    bio: 'Light, mostly.',
    livesIn: 'Bergen',
    age: '34',
    showAge: false,
    relationshipStatus: 'in-relationship',
    website: 'stern.example/light',
    youtubeUrl: 'youtube.com/@stern',
  })
  const posted = await vera.context.request.post('/api/posts', {
    data: { content: 'What only subscribers read', isPremium: true, premiumPrice: 5, teaser: 'A teaser' },
  })
  const { id: postId } = await posted.json()
  await vera.context.request.patch(`/api/posts/${postId}`, { data: { includedInSubscription: true } })
  const visitor = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const door = await visitor.newPage()
  const about = page.getByRole('tabpanel', { name: 'About' })

  await test.step('About tells what is shown, and nothing else', async () => {
    await page.goto(profile)
    await expect(page).toHaveTitle('Vera Stern · Ovation')
    await page.getByRole('tab', { name: 'About' }).click()
    await expect(page).toHaveURL(`${profile}?tab=about`)
    await expect(about.getByText('Bergen')).toBeVisible()
    await expect(about.getByText('In a relationship')).toBeVisible()
    await expect(about.getByText('34')).toHaveCount(0)
    const site = about.getByRole('link', { name: 'stern.example/light' })
    await expect(site).toHaveAttribute('rel', /noopener.*nofollow/)
    await expect(about.getByRole('link', { name: 'YouTube' })).toHaveAttribute(
      'href',
      'https://youtube.com/@stern',
    )
    await expectAccessible(page)
    // Switched off while it is open elsewhere: gone at the next look.
    await change('/api/profile', { showLivesIn: false, showSocialLinks: false })
    await page.reload()
    await expect(about.getByText('In a relationship')).toBeVisible()
    await expect(about.getByText('Bergen')).toHaveCount(0)
    await expect(about.getByRole('link', { name: 'YouTube' })).toHaveCount(0)
  })

  await test.step('What a subscription opens is for its author to say', async () => {
    const veras = await vera.context.newPage()
    await veras.goto(`/post/${postId}`)
    const edit = async (was: boolean) => {
      await veras.getByRole('button', { name: 'More about this post' }).click()
      await pickFromMenu(veras, 'Edit post')
      const dialog = veras.getByRole('dialog', { name: 'Edit post' })
      const included = dialog.getByRole('switch', { name: 'Included in my subscription' })
      await expect(included).toBeChecked({ checked: was })
      await included.press('Space')
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(dialog).toBeHidden()
    }
    await edit(true)
    await edit(false)
    await veras.close()
  })

  await test.step('A subscription is paid once, opens what is included, is cancelled and goes on', async () => {
    await page.goto(`/post/${postId}`)
    const post = page.getByRole('article').filter({ hasText: 'A teaser' })
    await expect(post.getByRole('button', { name: 'Unlock for $5.00' })).toBeVisible()
    await expect(page.getByText('Unlock the post, or subscribe, to read and write comments.')).toBeVisible()
    await post.getByRole('link', { name: 'or subscribe to Vera Stern' }).click()
    await expect(page).toHaveURL(profile)
    await page.getByRole('button', { name: 'Subscribe $9.99/mo' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('This is a test payment: no money moves.')).toBeVisible()
    await expectAccessible(page)
    await page.route('**/api/subscriptions', (route) => route.abort(), { times: 1 })
    await dialog.getByRole('button', { name: 'Pay $9.99' }).click()
    await expect(page.getByText('Failed to subscribe')).toBeVisible()
    // What is read again once it is paid is slow here: nothing may take the place of Pay meanwhile.
    await page.route('**/api/users/**', async (route) => {
      await page.waitForTimeout(700)
      await route.fallback()
    })
    const pay = await dialog.getByRole('button', { name: 'Pay $9.99' }).boundingBox()
    if (!pay) throw new Error('There is no way to pay.')
    const pressThere = () => page.mouse.click(pay.x + pay.width / 2, pay.y + pay.height / 2)
    await dialog.getByRole('button', { name: 'Pay $9.99' }).dblclick()
    const button = page.getByRole('button', { name: 'Subscribed', includeHidden: true })
    await button.waitFor({ state: 'attached' })
    await pressThere()
    await expect(dialog).toBeHidden()
    await page.unrouteAll({ behavior: 'wait' })
    const paid = await page.request.get('/api/user/subscriptions')
    expect(await paid.json()).toMatchObject([{ creatorId: veraId, cancelled: false }])
    await expect(page.getByText('What only subscribers read')).toBeVisible()
    await expect(page.locator('dl > div').filter({ hasText: 'Subscribers' })).toHaveText('Subscribers1')
    await button.click()
    await dialog.getByRole('button', { name: 'Cancel subscription' }).click()
    const ends = page.getByRole('button', { name: 'Subscription ends' })
    await expect(ends).toBeVisible()
    await ends.click()
    await dialog.getByRole('button', { name: 'Resume subscription' }).click()
    await expect(button).toBeVisible()
    const mine = await page.request.get('/api/user/subscriptions')
    expect(await mine.json()).toMatchObject([
      { creatorId: veraId, state: 'active', cancelled: false, price: 9.99 },
    ])
  })

  await test.step('Followers are listed, unless their number is hidden', async () => {
    await page.getByRole('button', { name: /^Follow Me/ }).click()
    await page.getByRole('link', { name: 'Followers' }).click()
    await expect(page.getByRole('heading', { name: /^Followers of .*Vera Stern/ })).toBeVisible()
    await expect(page.getByRole('article', { name: 'Noah Licht' })).toBeVisible()
    await change('/api/settings/privacy', { showFollowerCount: false })
    await page.reload()
    await expect(page.getByText(/Vera Stern.? does not show this list\./)).toBeVisible()
    await page.getByRole('link', { name: 'Back to the profile' }).click()
    await expect(page.getByRole('heading', { name: 'Vera Stern' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Followers' })).toHaveCount(0)
  })

  await test.step('A visitor on a phone is led to sign in', async () => {
    await door.goto(profile)
    await expect(door.getByRole('button', { name: '+ Follow Me' })).toBeVisible()
    await expectAccessible(door)
    await door.getByRole('button', { name: 'Subscribe $9.99/mo' }).click()
    await expect(door).toHaveURL(/\/login/)
  })

  await test.step('Going private closes it for the next reader, what was paid included', async () => {
    await change('/api/settings/privacy', { profileVisibility: 'private' })
    await page.reload()
    await expect(page.getByText('This profile is private')).toBeVisible()
    await expect(page.getByText('What only subscribers read')).toHaveCount(0)
    await door.goto(profile)
    await expect(door.getByText('This profile is private')).toBeVisible()
    await change('/api/settings/privacy', { profileVisibility: 'public', allowDirectMessages: false })
    await page.reload()
    await page.getByRole('button', { name: 'Message', exact: true }).hover()
    await expect(page.getByRole('tooltip')).toHaveText('This user has disabled direct messages')
  })

  await test.step('A block hides both, and ends the payments', async () => {
    const { id: noahId } = await (await page.request.get('/api/auth/user')).json()
    expect((await vera.context.request.post(`/api/users/${noahId}/block`)).status()).toBe(200)
    await page.goto(profile)
    await expect(page.getByText('User not found')).toBeVisible()
    const mine = await (await page.request.get('/api/user/subscriptions')).json()
    expect(mine).toMatchObject([{ cancelled: true }])
  })

  await test.step('One’s own leads to the settings', async () => {
    await page.goto('/profile')
    await page.getByRole('link', { name: 'Edit Profile' }).click()
    await expect(page).toHaveURL(/\/settings/)
  })
  expect(seen.errors.filter((error) => !/404|Failed to load|ERR_FAILED/.test(error))).toEqual([])
  await visitor.close()
  await forget(noah)
  await forget(vera)
})

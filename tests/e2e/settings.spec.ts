import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './axe.ts'
import { arrive, enter, forget, join, newcomer, sql, watchErrors } from './support.ts'

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const section = (page: Page, name: string) => page.getByRole('region', { name })
const saveAll = (page: Page) => page.getByRole('button', { name: 'Save changes' })

/** What is sent to save the profile, from now on. */
function watchSaves(page: Page): unknown[] {
  const sent: unknown[] = []
  page.on('request', (one) => {
    if (one.method() === 'PATCH' && one.url().endsWith('/api/profile')) sent.push(one.postDataJSON())
  })
  return sent
}

test('settings are filled in, kept between tabs, asked about, refused, saved and followed elsewhere', async ({
  browser,
}) => {
  const una = await arrive(browser, 'Una Vale')
  const { page } = una
  const watched = watchErrors(page)
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } })
  await enter(phone, una.who)
  const other = await phone.newPage()
  await other.goto('/settings')
  await page.goto('/settings')
  const sent = watchSaves(page)

  await test.step('A part is saved as it was changed, and other pages follow but for what is typed there', async () => {
    await field(other, 'Studied at').fill('Typed on the phone')
    await field(page, 'Lives in').fill('Lisbon')
    await field(page, 'Studied at').fill('Evening school')
    await field(page, 'Age').fill('31')
    await page.getByRole('switch', { name: 'Show your age on your profile' }).uncheck()
    await saveAll(page).click()
    await expect(page.getByText('Profile updated successfully!')).toBeVisible()
    expect(sent).toEqual([{ livesIn: 'Lisbon', studiedAt: 'Evening school', age: 31, showAge: false }])
    await expect(saveAll(page)).toHaveCount(0)
    await expect(field(other, 'Lives in')).toHaveValue('Lisbon')
    await expect(other.getByRole('switch', { name: 'Show your age on your profile' })).not.toBeChecked()
    await expect(field(other, 'Studied at')).toHaveValue('Typed on the phone')
    await other.getByRole('button', { name: 'Discard' }).click()
    await expect(field(other, 'Studied at')).toHaveValue('Evening school')
  })

  await test.step('What is hidden is not on the profile that a visitor sees', async () => {
    const visitors = await browser.newContext()
    const visitor = await visitors.newPage()
    await visitor.goto(`/profile/${una.who.username}`)
    await visitor.getByRole('tab', { name: 'About' }).click()
    await expect(visitor.getByText('Lisbon')).toBeVisible()
    await expect(visitor.getByText('31', { exact: true })).toHaveCount(0)
    await visitors.close()
  })

  await test.step('Wrong fields are said where they are, the first has the focus, and nothing is sent', async () => {
    const before = sent.length
    await field(page, 'Age').fill('17')
    await field(page, 'TikTok').fill('https://example.com/una')
    await field(page, 'Bio').fill('🎭'.repeat(501))
    await expect(page.getByText('501/500 characters')).toBeVisible()
    await saveAll(page).click()
    await expect(field(page, 'Bio')).toBeFocused()
    await expect(field(page, 'Bio')).toHaveAccessibleDescription('A bio can have at most 500 characters.')
    await expect(field(page, 'Age')).toHaveAccessibleDescription('Please enter an age between 18 and 120.')
    await expect(field(page, 'TikTok')).toHaveAccessibleDescription(
      'Please enter the address of your TikTok page.',
    )
    expect(sent.length).toBe(before)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(field(page, 'Age')).toHaveValue('31')
  })

  await test.step('What the server refuses stands at its field', async () => {
    await field(page, 'Username').fill('noormakes')
    await saveAll(page).click()
    await expect(field(page, 'Username')).toHaveAccessibleDescription('Username is already taken')
    await expect(field(page, 'Username')).toBeFocused()
    await field(page, 'Username').fill(una.who.username)
    await expect(saveAll(page)).toHaveCount(0)
  })

  await test.step('Changes are kept over the tabs and asked about on the way out', async () => {
    await field(page, 'Bio').fill('Puppets and their voices.')
    await tab(page, 'Notifications').click()
    await expect(page.getByRole('tab', { name: /Profile\s+with unsaved changes/ })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Saved' }).first().click()
    const asking = page.getByRole('alertdialog', { name: 'Save your changes?' })
    await expect(asking.getByRole('button', { name: 'Keep editing' })).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/settings?tab=notifications')
    await tab(page, 'Profile').click()
    await expect(field(page, 'Bio')).toHaveValue('Puppets and their voices.')

    const asked = page.waitForEvent('dialog')
    const reload = page.reload({ timeout: 3_000 }).catch(() => undefined)
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await reload

    await field(page, 'Age').fill('200')
    await page.getByRole('link', { name: 'Saved' }).first().click()
    await asking.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(asking).toHaveCount(0)
    await expect(field(page, 'Age')).toHaveAccessibleDescription('Please enter an age between 18 and 120.')
    await field(page, 'Age').fill('32')
    await page.getByRole('link', { name: 'Saved' }).first().click()
    await asking.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page).toHaveURL('/saved')
    await expect(field(other, 'Bio')).toHaveValue('Puppets and their voices.')
  })

  await test.step('The whole form is saved, its addresses tidied, and another mail address waits for its mail', async () => {
    await page.goto('/settings')
    const { email, username } = newcomer('Una Vale')
    const typed = {
      'Full name': 'Una Maris Vale',
      'First name': 'Una',
      'Last name': 'Vale',
      Username: username,
      Email: email,
      'Phone number': '+351 210 000 000',
      Bio: 'Puppets 🎭',
      'Lives in': 'Porto',
      From: 'Faro',
      'Studied at': 'The harbour',
      Age: '33',
      Website: 'example.com/una',
      TikTok: 'tiktok.com/@una',
      X: 'x.com/una',
      Instagram: 'instagram.com/una',
      Facebook: 'facebook.com/una',
      Pinterest: 'pinterest.com/una',
      Twitch: 'twitch.tv/una',
      Snapchat: 'snapchat.com/add/una',
      YouTube: 'youtube.com/@una',
      OnlyFans: 'onlyfans.com/una',
      Fanfix: 'fanfix.io/una',
    }
    for (const [name, value] of Object.entries(typed)) await field(page, name).fill(value)
    await field(page, 'Relationship').selectOption('complicated')
    await field(page, 'Gender').selectOption('non-binary')
    await field(page, 'Country').selectOption({ label: 'Portugal' })
    await page.getByRole('switch', { name: 'Creator Account' }).check()
    await page.getByRole('switch', { name: 'Posts written by AI' }).check()
    await page.getByRole('switch', { name: 'Ask me before each post' }).check()
    await saveAll(page).click()
    await expect(field(page, 'Website')).toHaveValue('https://example.com/una')
    await expect(page.getByText(`Confirm ${email} by the mail we sent.`)).toBeVisible()
    await page.reload()
    await expect(field(page, 'YouTube')).toHaveValue('https://youtube.com/@una')
    await expect(field(page, 'Country')).toHaveValue('PT')
    await expect(page.getByRole('switch', { name: 'Ask me before each post' })).toBeChecked()
    await field(page, 'Email').fill(una.who.email)
    await saveAll(page).click()
    await expect(page.getByText(`Confirm ${email}`)).toHaveCount(0)
    await expect(saveAll(page)).toHaveCount(0)
    await expectAccessible(page)
  })

  // Those that were refused on purpose.
  expect(watched.errors.filter((text) => !text.includes('409'))).toEqual([])
  await phone.close()
  await forget(una)
})

test('requests are answered, blocks taken back, privacy rolled back; every tab is accessible on a phone', async ({
  browser,
}) => {
  const ivo = await arrive(browser, 'Ivo Lund', { viewport: { width: 390, height: 844 } })
  const { page } = ivo
  const [first, second] = [await join(browser, 'Bo Asker'), await join(browser, 'Cy Bidder')]
  const [me] = await sql<
    { id: string }[]
  >`select id from public.profiles where username = ${ivo.who.username}`
  const follow = (who: typeof first) => who.context.request.post(`/api/users/${me?.id}/follow`)
  const statusOf = async (who: typeof first) => {
    const answer = await who.context.request.get(`/api/users/${ivo.who.username}`)
    return (await answer.json()).followStatus
  }
  await page.goto('/settings?tab=privacy')
  const requests = section(page, 'Follow requests')

  await test.step('A change that fails is taken back', async () => {
    const patch = '**/api/settings/privacy'
    await page.route(patch, (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })
    const counts = page.getByRole('switch', { name: 'Show Follower Count' })
    await counts.click()
    await expect(page.getByText('Failed to update privacy settings. Please try again.')).toBeVisible()
    await expect(counts).toBeChecked()
    await page.getByRole('radio', { name: 'Followers' }).check()
    await expect(page.getByText('Your privacy preferences have been saved.')).toBeVisible()
  })

  await test.step('Requests come live; one is accepted and one declined', async () => {
    await expect(requests.getByText('Nobody is waiting for an answer.')).toBeVisible()
    await follow(first)
    await expect(requests.getByRole('listitem')).toHaveCount(1)
    await follow(second)
    await expect(requests.getByRole('listitem')).toHaveCount(2)
    await expectAccessible(page)
    await page.getByRole('radio', { name: 'Public' }).check()
    await expect(requests.getByText('Who asked before still waits for your answer.')).toBeVisible()
    await requests.getByRole('button', { name: 'Accept Bo Asker' }).click()
    await expect(requests.getByRole('listitem')).toHaveCount(1)
    await requests.getByRole('button', { name: 'Decline Cy Bidder' }).click()
    await expect(requests.getByText('Nobody is waiting for an answer.')).toBeVisible()
    await expect(requests.getByRole('heading')).toBeFocused()
    expect([await statusOf(first), await statusOf(second)]).toEqual(['following', 'none'])
  })

  await test.step('Blocked people come by pages, and a block is taken back', async () => {
    await sql`
      insert into public.blocks (blocker_id, blocked_id)
      select ${me?.id ?? ''}, p.id from public.profiles p
      where p.id <> ${me?.id ?? ''} and p.username <> ${second.who.username} and not p.is_admin limit 20`
    await page.request.post(`/api/users/${second.who.username}/block`).catch(() => undefined)
    const [cy] = await sql<
      { id: string }[]
    >`select id from public.profiles where username = ${second.who.username}`
    await page.request.post(`/api/users/${cy?.id}/block`)
    await page.reload()
    const blocked = section(page, 'Blocked people')
    await expect(blocked.getByRole('listitem')).toHaveCount(20)
    await blocked.getByRole('button', { name: 'Show more' }).click()
    await expect(blocked.getByRole('listitem')).toHaveCount(21)
    await blocked.getByRole('button', { name: 'Unblock Cy Bidder' }).click()
    const asking = page.getByRole('alertdialog', { name: /Unblock/ })
    await expect(asking.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await asking.getByRole('button', { name: 'Unblock' }).click()
    await expect(blocked.getByRole('button', { name: 'Unblock Cy Bidder' })).toHaveCount(0)
    await expect(blocked.getByRole('button').first()).toBeFocused()
    expect((await second.context.request.get(`/api/users/${ivo.who.username}`)).status()).toBe(200)
  })

  await test.step('The chosen tab is in sight on a phone, and nothing is wider than it', async () => {
    for (const [name, text] of [
      ['Media', /gallery|Add media/i],
      ['Notifications', 'How you hear of it'],
      ['Security', 'Active sessions'],
      ['Billing', 'Creator Pro'],
    ] as const) {
      await tab(page, name).click()
      await expect(page.getByRole('tabpanel').getByText(text).first()).toBeVisible()
      await expect(tab(page, name)).toBeInViewport({ ratio: 0.95 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
      await expectAccessible(page)
    }
  })

  await forget(first)
  await forget(second)
  await forget(ivo)
})

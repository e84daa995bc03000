import { randomUUID } from 'node:crypto'
import { expect, test } from 'playwright/test'
import { admin, cardOf, dialog, does, find, idOf, press, said } from './admin.ts'
import { expectAccessible } from './axe.ts'
import { forget, join, sql } from './support.ts'

test('an admin finds people, vouches for them, makes creators, suspends and removes', async ({ browser }) => {
  test.setTimeout(240_000)
  const [boss, other, piet, fan] = await Promise.all([
    admin(browser, 'Ada Warden'),
    admin(browser, 'Olga Warden'),
    join(browser, 'Piet Plain'),
    join(browser, 'Finn Giver'),
  ])
  const id = await idOf(piet.who)
  const page = await boss.context.newPage()
  const list = page.getByRole('region', { name: 'User Management' })
  const card = cardOf(page, piet.who)

  await test.step('A list that does not come can be asked for again; it goes on as one nears its end', async () => {
    await page.route('**/api/admin/users?*', (route) => route.abort(), { times: 1 })
    await page.goto('/admin')
    await expect(page.getByText('The people did not load.')).toBeVisible()
    await list.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('tab', { name: 'People' })).toHaveAttribute('aria-selected', 'true')
    const cards = list.getByRole('listitem')
    await expect(cards.first()).toBeVisible()
    const first = await cards.count()
    await expect(async () => {
      await page.keyboard.press('End')
      expect(await cards.count()).toBeGreaterThan(first)
    }).toPass()
  })

  await test.step('Search keeps up with somebody who types slowly, and with a chip right behind it', async () => {
    const box = page.getByRole('searchbox', { name: 'Search by name, username or email' })
    await box.pressSequentially('Piet Pl', { delay: 310 })
    await expect(box).toHaveValue('Piet Pl')
    await page.waitForTimeout(300)
    await list.getByRole('button', { name: 'Creators' }).click()
    await expect(page).toHaveURL(/\?q=Piet\+Pl&filter=creators$/)
    await list.getByRole('button', { name: 'All', exact: true }).click()
  })

  await test.step('Search knows name, username and email; filters and numbers lead to each other', async () => {
    await find(page, piet.who.email.toUpperCase())
    await expect(list.getByRole('listitem')).toHaveCount(1)
    await expect(card).toContainText(piet.who.email)
    await expect(card).toContainText('+1 555 0100 200')
    await expect(list.getByText('1 user', { exact: true })).toBeVisible()
    await list.getByRole('button', { name: 'Admins' }).click()
    await expect(list.getByRole('heading', { name: 'No users found' })).toBeVisible()
    await expectAccessible(page)
    await list.getByRole('button', { name: 'Show everybody' }).click()
    await expect(list.getByRole('heading', { name: 'User Management' })).toBeFocused()
    await page.getByRole('link', { name: /^Admins/ }).click()
    await expect(page).toHaveURL(/filter=admins/)
    await find(page, other.who.username)
    // Admins are exempt from all but the editing.
    await expect(cardOf(page, other.who).getByRole('button')).toHaveText(['Edit Profile'])
    await list.getByRole('button', { name: 'All', exact: true }).click()
    await find(page, piet.who.username)
  })

  await test.step('Approve says who vouched; a refusal says what the server said', async () => {
    await page.route(
      '**/approve',
      (route) =>
        route.fulfill({
          status: 403,
          json: { message: 'Admins are exempt from this.', code: 'target_is_admin' },
        }),
      { times: 1 },
    )
    await does(page, piet.who, 'Approve')
    await expect(said(page, 'Error')).toBeVisible()
    await expect(said(page, 'Admins are exempt from this.')).toBeVisible()
    await does(page, piet.who, 'Approve')
    await expect(said(page, 'User Approved')).toBeVisible()
    await expect(card).toContainText('by Ada Warden')
    await expect(card).toBeFocused()
  })

  await test.step('A creator gets more to do: auto-posting waits for their consent', async () => {
    await does(page, piet.who, 'Make Creator')
    await expect(said(page, 'Creator Status Updated')).toBeVisible()
    await expect(card.getByText('Creator', { exact: true })).toBeVisible()
    const often = card.getByRole('combobox', { name: `Auto-posting frequency of ${piet.who.fullName}` })
    await expect(often).toHaveValue('moderate')
    await often.selectOption('High (3–4 per day)')
    await does(page, piet.who, 'Enable Auto-Post')
    await expect(said(page, 'Auto-posting Updated')).toBeVisible()
    await expect(card.getByText('Waiting for their consent')).toBeVisible()
    await expect(card.getByText('Auto-Post', { exact: true })).toBeVisible()
    await often.selectOption('Low (1–2 per day)')
    const stored = () => sql`select enabled, frequency from private.auto_posting where user_id = ${id}`
    await expect.poll(stored).toEqual([{ enabled: true, frequency: 'low' }])
    await expectAccessible(page)
    await does(page, piet.who, 'Disable Auto-Post')
    await expect.poll(stored).toEqual([{ enabled: false, frequency: 'low' }])
    await expect(card.getByText('Waiting for their consent')).toHaveCount(0)
  })

  await test.step('A draft is shown and may be written anew; what stands in its way is said', async () => {
    const path = '**/auto-posting-preview'
    const missing = { message: 'There is no API key. Please add one first.', code: 'ai_key_missing' }
    await page.route(path, (route) => route.fulfill({ status: 409, json: missing }), { times: 1 })
    await does(page, piet.who, 'Preview a draft')
    await expect(dialog(page).getByText(missing.message)).toBeVisible()
    const draft = { content: 'Good morning.', model: 'some-model', cost: 0.00012, basedOn: 'nothing' }
    await page.route(path, (route) => route.fulfill({ json: draft }), { times: 1 })
    await press(page, 'Try again')
    await expect(dialog(page).getByText('Good morning.')).toBeVisible()
    await expect(dialog(page)).toContainText('nothing of theirs was sent')
    await expectAccessible(page)
    await page.route(path, (route) => route.fulfill({ json: { ...draft, content: 'Good night.' } }), {
      times: 1,
    })
    await press(page, 'Write another')
    await expect(dialog(page).getByText('Good night.')).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Close' }).first().click()
  })

  await test.step('Suspend asks why and for how long; it holds until it is lifted', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await does(page, piet.who, 'Suspend')
    await press(page, 'Suspend')
    await expect(dialog(page).getByText('Please say why.')).toBeVisible()
    await expect(dialog(page).getByLabel('Reason')).toBeFocused()
    await expectAccessible(page)
    await dialog(page).getByLabel('Reason').fill('No.')
    await page.keyboard.press('Escape')
    const asking = page.getByRole('alertdialog', { name: 'Discard what you wrote?' })
    await asking.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog(page).getByLabel('Reason')).toHaveValue('No.')
    await press(page, 'Cancel')
    await asking.getByRole('button', { name: 'Discard' }).click()
    const again = card.getByRole('button', { name: `Suspend: ${piet.who.fullName}` })
    await expect(again).toBeFocused()
    await again.click()
    await dialog(page).getByLabel('Reason').fill('Posting the same thing over and over.')
    await dialog(page).getByLabel('For how long').selectOption('3 days')
    await press(page, 'Suspend')
    await expect(said(page, 'User Suspended')).toBeVisible()
    await expect(card.getByText(/^Suspended until/).first()).toBeVisible()
    await expect(card).toContainText('Posting the same thing over and over.')
    const post = () => piet.context.request.post('/api/posts', { data: { content: 'Hello' } })
    expect((await post()).status()).toBe(403)
    await does(page, piet.who, 'Lift suspension')
    await expect(said(page, 'Suspension Lifted')).toBeVisible()
    await expect(card.getByText(/^Suspended until/)).toHaveCount(0)
    expect((await post()).ok()).toBe(true)
  })

  await test.step('Remove asks why, for the username, and for what is owed', async () => {
    const tip = { id: randomUUID(), amount: 80 }
    expect((await fan.context.request.post(`/api/users/${id}/tip`, { data: tip })).status()).toBe(201)
    await does(page, piet.who, 'Remove')
    await expect(dialog(page)).toContainText('Their posts, with every comment under them')
    await press(page, 'Remove account')
    await expect(dialog(page).getByText('Please say why.')).toBeVisible()
    await expect(dialog(page).getByText('This is not their username.')).toBeVisible()
    await expect(dialog(page).getByLabel('Reason')).toBeFocused()
    await dialog(page).getByLabel('Reason').fill('Sold what is not theirs.')
    await dialog(page).getByLabel(`Type ${piet.who.username} to confirm`).fill(`@${piet.who.username}`)
    await press(page, 'Remove account')
    const givesUp = dialog(page).getByRole('switch', { name: 'Give up their balance' })
    await expect(givesUp).not.toBeChecked()
    await expect(dialog(page)).toContainText('$72.00')
    await expectAccessible(page)
    await givesUp.check()
    await press(page, 'Remove account')
    await expect(said(page, 'User Removed')).toBeVisible()
    await expect(card).toHaveCount(0)
    await expect(list.getByRole('heading', { name: 'User Management' })).toBeFocused()
    expect(await idOf(piet.who)).toBe('')
  })

  await Promise.all([boss, other, piet, fan].map(forget))
})

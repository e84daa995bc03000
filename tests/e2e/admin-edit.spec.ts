import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import { mp4 } from '../support/videos.ts'
import { admin, cardOf, dialog, does, idOf, press, said } from './admin.ts'
import { expectAccessible } from './axe.ts'
import { choose, clip, png } from './files.ts'
import { forget, join, sql } from './support.ts'

test('an admin edits a profile and posts for a creator; nothing that is refused is lost', async ({
  browser,
}, testInfo) => {
  test.setTimeout(240_000)
  const [boss, cleo] = await Promise.all([admin(browser, 'Ada Keeper'), join(browser, 'Cleo Maker')])
  const id = await idOf(cleo.who)
  await sql`update public.profiles set is_creator = true where id = ${id}`
  const page = await boss.context.newPage()
  await page.goto(`/admin?q=${cleo.who.username}`)
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 240 } })
  const card = cardOf(page, cleo.who)
  const field = (label: string) => dialog(page).getByRole('textbox', { name: label, exact: true })
  const large = (name: string, start: Buffer, megabytes: number) => {
    const path = testInfo.outputPath(name)
    writeFileSync(path, start)
    truncateSync(path, megabytes * 1024 * 1024 + 1)
    return path
  }

  await test.step('What is wrong with a profile is said, the first of it in a toast', async () => {
    await does(page, cleo.who, 'Edit Profile')
    const wrong: [string, string, string][] = [
      ['Full name', 'C', 'Full name must be at least 2 characters'],
      ['Username', 'cl', 'Username must be at least 3 characters'],
      ['Username', 'cleo maker', 'Username can only contain letters, numbers, and underscores'],
      ['Email', 'cleo', 'Please enter a valid email address'],
      ['Age', '12', 'Please enter an age between 13 and 120.'],
      ['Website', 'not a site', 'Please enter a web address, like https://example.com.'],
    ]
    for (const [label, value, text] of wrong) {
      const before = await field(label).inputValue()
      await field(label).fill(value)
      await press(page, 'Save changes')
      await expect(said(page, 'Validation Error')).toBeVisible()
      await expect(said(page, text)).toBeVisible()
      await expect(field(label)).toBeFocused()
      await field(label).fill(before)
    }
    await expectAccessible(page)
  })

  await test.step('Images: too large ones are refused, a failure is told, and what arrived is kept', async () => {
    const photo = png('photo.png', picture)
    const chooser = page.waitForEvent('filechooser')
    await dialog(page).getByRole('button', { name: 'Change profile image' }).click()
    await (await chooser).setFiles(large('large.png', picture, 5))
    await expect(said(page, 'Please select an image smaller than 5MB.')).toBeVisible()
    const path = '**/api/admin/upload/profile-image'
    await page.route(path, (route) => route.fulfill({ status: 502, body: '' }), { times: 1 })
    await choose(dialog(page), 'Change profile image', photo)
    await expect(said(page, 'Upload Failed')).toBeVisible()
    await expect(said(page, 'Upload failed')).toBeVisible()
    await choose(dialog(page), 'Change profile image', photo)
    await choose(dialog(page), 'Change background image', photo)
    await expect(dialog(page).getByRole('button', { name: 'Remove background image' })).toBeVisible()
    await expect(dialog(page).getByRole('button', { name: 'Remove profile image' })).toBeVisible()
  })

  await test.step('Leaving asks; a name that is taken is said; then all of it is saved', async () => {
    await field('Lives in').fill('Lisbon')
    await field('Age').fill('17')
    await dialog(page).getByRole('switch', { name: 'Allow direct messages' }).uncheck()
    await field('Username').fill(boss.who.username)
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toContainText('Save the changes?')
    await press(page, 'Keep editing')
    await press(page, 'Save changes')
    await expect(said(page, 'Username is already taken')).toBeVisible()
    await expect(field('Username')).toBeFocused()
    await expect(field('Username')).toHaveAccessibleDescription(/Username is already taken/)
    await expect(field('Lives in')).toHaveValue('Lisbon')
    await field('Username').fill(cleo.who.username)
    await page.keyboard.press('Escape')
    await press(page, 'Save')
    await expect(said(page, 'Profile Updated')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(card.getByRole('button', { name: /^Edit Profile/ })).toBeFocused()
    await expect(card.getByText('Read-only', { exact: true })).toBeVisible()
    const stored = await sql`
      select o.lives_in, o.age, p.allow_direct_messages as dm, p.profile_image_url is not null as photo,
             d.background_image_url is not null as cover
      from public.profiles p join public.profile_about o on o.user_id = p.id
      join public.profile_details d on d.user_id = p.id where p.id = ${id}`
    expect(stored).toEqual([{ lives_in: 'Lisbon', age: 17, dm: false, photo: true, cover: true }])
    await does(page, cleo.who, 'Edit Profile')
    await field('Age').fill('')
    await press(page, 'Save changes')
    await expect(card.getByText('Read-only', { exact: true })).toHaveCount(0)
  })

  await test.step('A post needs content and a fair price; files that are too large are refused', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await does(page, cleo.who, 'Create New Post')
    await press(page, 'Create Post')
    await expect(dialog(page).getByText('Post content is required')).toBeVisible()
    await expect(field('Content')).toBeFocused()
    const price = dialog(page).getByRole('spinbutton', { name: 'Price in US dollars' })
    await expect(price).toHaveCount(0)
    await dialog(page).getByRole('switch', { name: 'Premium' }).check()
    await expect(price).toHaveValue('10.00')
    await field('Content').fill('A letter from the team')
    await price.fill('0')
    await press(page, 'Create Post')
    await expect(dialog(page).getByText('Please enter a price between $0.01 and $999.99.')).toBeVisible()
    await price.fill('0.01')
    const files = dialog(page).locator('input[type=file]')
    const image = large('large-post.png', picture, 10)
    await files.first().setInputFiles(image)
    await expect(said(page, 'File too large')).toBeVisible()
    await expect(said(page, 'Image must be less than 10MB')).toBeVisible()
    const video = large('large.mp4', mp4(), 100)
    await files.last().setInputFiles(video)
    await expect(said(page, 'Video must be less than 100MB')).toBeVisible()
    for (const path of [image, video]) rmSync(path)
    await expectAccessible(page)
  })

  await test.step('Where the file does not arrive no post is created, and nothing is lost', async () => {
    let created = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/api/admin/create-post')) created += 1
    })
    const upload = '**/api/upload'
    await choose(dialog(page), 'Image', png('stage.png', picture))
    await expect(dialog(page).getByRole('group', { name: 'Image', exact: true })).toBeVisible()
    await page.route(upload, (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })
    await press(page, 'Create Post')
    await expect(said(page, 'Upload Failed')).toBeVisible()
    await expect(said(page, 'Failed to upload image')).toBeVisible()
    await page.route(upload, (route) => route.abort(), { times: 1 })
    await press(page, 'Create Post')
    await expect(said(page, 'Failed to upload media files')).toBeVisible()
    await choose(dialog(page), 'Video', {
      name: 'clip.webm',
      mimeType: 'video/webm',
      buffer: await clip(page),
    })
    await expect(dialog(page).getByRole('group', { name: 'Image', exact: true })).toHaveCount(0)
    await page.route('**/storage/v1/object/upload/**', (route) => route.fulfill({ status: 500, body: '' }), {
      times: 1,
    })
    await press(page, 'Create Post')
    await expect(said(page, 'Failed to upload video')).toBeVisible()
    expect(created).toBe(0)
    await page.route('**/api/admin/create-post', (route) => route.abort(), { times: 1 })
    await press(page, 'Create Post')
    await expect(said(page, 'Failed to create post. Please try again.')).toBeVisible()
    await expect(field('Content')).toHaveValue('A letter from the team')
  })

  await test.step('It is asked for before it is discarded, and published once, in the creator’s name', async () => {
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toContainText('Discard this post?')
    await press(page, 'Cancel')
    await press(page, 'Create Post')
    await expect(said(page, 'Post Created')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const posts = await sql`
      select p.media_type, p.premium_price::float8 as price, c.content
      from public.posts p join public.premium_contents c on c.post_id = p.id where p.author_id = ${id}`
    expect(posts).toEqual([{ media_type: 'video', price: 0.01, content: 'A letter from the team' }])
  })

  await Promise.all([boss, cleo].map(forget))
})

test('an admin turns the settings of the instance', async ({ browser }) => {
  const boss = await admin(browser, 'Ada Tuner')
  const page = await boss.context.newPage()
  await page.goto('/admin?tab=settings')
  const form = page.getByRole('form', { name: 'Auto-posting settings' })
  const [before] = await sql<
    { value: string[] }[]
  >`select value from private.settings where key = 'banned_words'`

  await test.step('A switch is saved as it is turned', async () => {
    // Turned for real it would hold up everybody who signs up meanwhile.
    const asked = page.waitForRequest((request) => request.method() === 'PATCH')
    const approval = page.getByRole('switch', { name: 'Require approval' })
    await expect(approval).not.toBeChecked()
    await page.route(
      '**/api/admin/settings',
      (route) => route.fulfill({ status: 503, json: { message: 'Not now.', code: 'unavailable' } }),
      { times: 1 },
    )
    await approval.click()
    expect((await asked).postDataJSON()).toEqual({ requireApproval: true })
    await expect(said(page, 'Not now.')).toBeVisible()
    await expect(approval).not.toBeChecked()
  })

  await test.step('What is wrong is said beside it; what was typed is kept on other tabs', async () => {
    await form.getByLabel('From hour').fill('25')
    await form.getByLabel('Time zone').fill('Mars/Olympus')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form.getByText('Please enter a number between 0 and 23.')).toBeVisible()
    await expect(form.getByText('Please enter a time zone, like Europe/Berlin.')).toBeVisible()
    await expect(form.getByLabel('From hour')).toBeFocused()
    await expectAccessible(page)
    await page.getByRole('tab', { name: 'People' }).click()
    await page.getByRole('tab', { name: 'Settings' }).click()
    await expect(form.getByLabel('Time zone')).toHaveValue('Mars/Olympus')
    await page.getByRole('link', { name: 'Home Feed' }).click()
    await expect(dialog(page)).toContainText('Leave without saving?')
    await press(page, 'Cancel')
    await form.getByRole('button', { name: 'Discard' }).click()
    await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled()
  })

  await test.step('Banned words are saved, each once', async () => {
    try {
      await form.getByLabel('Banned words').fill('zzyzx\n\n zzyzx \nquuxly')
      await form.getByRole('button', { name: 'Save' }).click()
      await expect(said(page, 'Settings saved')).toBeVisible()
      await expect(form.getByLabel('Banned words')).toHaveValue('zzyzx\nquuxly')
      await expect(form.getByText('2 in all')).toBeVisible()
    } finally {
      // They are everybody's.
      await sql`update private.settings set value = ${sql.json(before?.value ?? [])} where key = 'banned_words'`
    }
  })

  await forget(boss)
})

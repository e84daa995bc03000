import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import { createMp4 } from '../support/media-files.ts'
import { expectAccessible } from './support/accessibility.ts'
import {
  clickDialogButton,
  clickUserAction,
  toastWithText,
  topDialog,
  userMenuButton,
  userRow,
} from './support/admin-panel.ts'
import { chooseFiles, pngFile, recordWebm } from './support/files.ts'
import { phoneViewport } from './support/page.ts'
import { abortNextRequest, failNextRequest } from './support/requests.ts'
import { createAdmin, createSignedInUser, deleteUser, promoteToCreator, sql } from './support/users.ts'

test.describe('Editing a user as an admin', () => {
  test('edits a profile and publishes a post for a creator without losing rejected input', async ({
    browser,
  }, testInfo) => {
    const [admin, cleo] = await Promise.all([
      createAdmin(browser, 'Ada Keeper'),
      createSignedInUser(browser, 'Cleo Maker'),
    ])
    await promoteToCreator(cleo)
    const page = await admin.context.newPage()
    await page.goto(`/admin?q=${cleo.account.username}`)
    const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 240 } })
    const row = userRow(page, cleo.account)
    const field = (label: string) => topDialog(page).getByRole('textbox', { name: label, exact: true })
    /** Writes a file that is one byte larger than `megabytes` MB and returns its path. */
    const writeLargeFile = (name: string, content: Buffer, megabytes: number) => {
      const path = testInfo.outputPath(name)
      writeFileSync(path, content)
      truncateSync(path, megabytes * 1024 * 1024 + 1)
      return path
    }

    await test.step('shows validation errors and repeats the first one in a toast', async () => {
      await clickUserAction(page, cleo.account, 'Edit Profile')
      const invalid: [string, string, string][] = [
        ['Full name', 'C', 'Full name must be at least 2 characters'],
        ['Username', 'cl', 'Username must be at least 3 characters'],
        ['Username', 'cleo maker', 'Username can only contain letters, numbers, and underscores'],
        ['Email', 'cleo', 'Please enter a valid email address'],
        ['Age', '12', 'Please enter an age between 13 and 120.'],
        ['Website', 'not a site', 'Please enter a web address, like https://example.com.'],
      ]
      for (const [label, value, message] of invalid) {
        const previous = await field(label).inputValue()
        await field(label).fill(value)
        await clickDialogButton(page, 'Save changes')
        await expect(toastWithText(page, 'Validation Error')).toBeVisible()
        await expect(toastWithText(page, message)).toBeVisible()
        await expect(field(label)).toBeFocused()
        await field(label).fill(previous)
      }
      await expectAccessible(page)
    })

    await test.step('rejects an image that is too large, reports a failed upload and keeps uploaded images', async () => {
      const photo = pngFile('photo.png', picture)
      const chooser = page.waitForEvent('filechooser')
      await topDialog(page).getByRole('button', { name: 'Change profile image' }).click()
      await (await chooser).setFiles(writeLargeFile('large.png', picture, 5))
      await expect(toastWithText(page, 'Please select an image smaller than 5MB.')).toBeVisible()
      await failNextRequest(page, '**/api/admin/upload/profile-image', 502)
      await chooseFiles(topDialog(page), 'Change profile image', photo)
      await expect(toastWithText(page, 'Upload Failed')).toBeVisible()
      await expect(toastWithText(page, 'Upload failed')).toBeVisible()
      await chooseFiles(topDialog(page), 'Change profile image', photo)
      await chooseFiles(topDialog(page), 'Change background image', photo)
      await expect(topDialog(page).getByRole('button', { name: 'Remove background image' })).toBeVisible()
      await expect(topDialog(page).getByRole('button', { name: 'Remove profile image' })).toBeVisible()
    })

    await test.step('asks before discarding changes, reports that a username is taken and saves everything', async () => {
      await field('Lives in').fill('Lisbon')
      await field('Age').fill('17')
      await topDialog(page).getByRole('switch', { name: 'Allow direct messages' }).uncheck()
      await field('Username').fill(admin.account.username)
      await page.keyboard.press('Escape')
      await expect(topDialog(page)).toContainText('Save changes?')
      await clickDialogButton(page, 'Keep editing')
      await clickDialogButton(page, 'Save changes')
      await expect(toastWithText(page, 'Username is already taken')).toBeVisible()
      await expect(field('Username')).toBeFocused()
      await expect(field('Username')).toHaveAccessibleDescription(/Username is already taken/)
      await expect(field('Lives in')).toHaveValue('Lisbon')
      await field('Username').fill(cleo.account.username)
      await page.keyboard.press('Escape')
      await clickDialogButton(page, 'Save')
      await expect(toastWithText(page, 'Profile Updated')).toBeVisible()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(userMenuButton(page, cleo.account)).toBeFocused()
      await expect(row.getByText('Read-only', { exact: true })).toBeVisible()
      const rows = await sql`
        select o.lives_in, o.age, p.allow_direct_messages as dm, p.profile_image_url is not null as photo,
               d.background_image_url is not null as cover
        from public.profiles p join public.profile_about o on o.user_id = p.id
        join public.profile_details d on d.user_id = p.id where p.id = ${cleo.id}`
      expect(rows).toEqual([{ lives_in: 'Lisbon', age: 17, dm: false, photo: true, cover: true }])
      await clickUserAction(page, cleo.account, 'Edit Profile')
      await field('Age').fill('')
      await clickDialogButton(page, 'Save changes')
      await expect(row.getByText('Read-only', { exact: true })).toHaveCount(0)
    })

    await test.step('requires content and a valid price, and rejects files that are too large', async () => {
      await page.setViewportSize(phoneViewport)
      await clickUserAction(page, cleo.account, 'Create New Post')
      await clickDialogButton(page, 'Create post')
      await expect(topDialog(page).getByText('Post content is required')).toBeVisible()
      await expect(field('Content')).toBeFocused()
      const price = topDialog(page).getByRole('spinbutton', { name: 'Price in US dollars' })
      await expect(price).toHaveCount(0)
      await topDialog(page).getByRole('switch', { name: 'Premium' }).check()
      await expect(price).toHaveValue('10.00')
      await field('Content').fill('A letter from the team')
      await price.fill('0')
      await clickDialogButton(page, 'Create post')
      await expect(topDialog(page).getByText('Please enter a price between $0.01 and $999.99.')).toBeVisible()
      await price.fill('0.01')
      const files = topDialog(page).locator('input[type=file]')
      const image = writeLargeFile('large-post.png', picture, 10)
      await files.first().setInputFiles(image)
      await expect(toastWithText(page, 'File too large')).toBeVisible()
      await expect(toastWithText(page, 'Image must be less than 10MB')).toBeVisible()
      const video = writeLargeFile('large.mp4', createMp4(), 100)
      await files.last().setInputFiles(video)
      await expect(toastWithText(page, 'Video must be less than 100MB')).toBeVisible()
      for (const path of [image, video]) rmSync(path)
      await expectAccessible(page)
    })

    await test.step('creates no post when an upload fails, and keeps the input', async () => {
      let createRequests = 0
      page.on('request', (request) => {
        if (request.url().endsWith('/api/admin/create-post')) createRequests += 1
      })
      const upload = '**/api/upload'
      await chooseFiles(topDialog(page), 'Image', pngFile('stage.png', picture))
      await expect(topDialog(page).getByRole('group', { name: 'Image', exact: true })).toBeVisible()
      await failNextRequest(page, upload)
      await clickDialogButton(page, 'Create post')
      await expect(toastWithText(page, 'Upload Failed')).toBeVisible()
      await expect(toastWithText(page, 'Failed to upload image')).toBeVisible()
      await abortNextRequest(page, upload)
      await clickDialogButton(page, 'Create post')
      await expect(toastWithText(page, 'Failed to upload media files')).toBeVisible()
      await chooseFiles(topDialog(page), 'Video', {
        name: 'clip.webm',
        mimeType: 'video/webm',
        buffer: await recordWebm(page),
      })
      await expect(topDialog(page).getByRole('group', { name: 'Image', exact: true })).toHaveCount(0)
      await failNextRequest(page, '**/storage/v1/object/upload/**')
      await clickDialogButton(page, 'Create post')
      await expect(toastWithText(page, 'Failed to upload video')).toBeVisible()
      expect(createRequests).toBe(0)
      await abortNextRequest(page, '**/api/admin/create-post')
      await clickDialogButton(page, 'Create post')
      await expect(toastWithText(page, 'Failed to create post. Please try again.')).toBeVisible()
      await expect(field('Content')).toHaveValue('A letter from the team')
    })

    await test.step('asks before discarding the post, then publishes it once on the creator’s behalf', async () => {
      await page.keyboard.press('Escape')
      await expect(topDialog(page)).toContainText('Discard this post?')
      await clickDialogButton(page, 'Cancel')
      await clickDialogButton(page, 'Create post')
      await expect(toastWithText(page, 'Post Created')).toBeVisible()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      const posts = await sql`
        select p.media_type, p.premium_price::float8 as price, c.content
        from public.posts p join public.premium_contents c on c.post_id = p.id where p.author_id = ${cleo.id}`
      expect(posts).toEqual([{ media_type: 'video', price: 0.01, content: 'A letter from the team' }])
    })

    await Promise.all([admin, cleo].map(deleteUser))
  })
})

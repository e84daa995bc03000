import { expect, type Page, test } from 'playwright/test'
import { talkativeJpeg } from '../support/pictures.ts'
import { expectAccessible } from './axe.ts'
import { choose, png } from './files.ts'
import { arrive, forget, join, logOut, signIn, sql, watchErrors } from './support.ts'

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const tab = (page: Page, name: string | RegExp) => page.getByRole('tab', { name })
const cover = { name: 'cover.jpg', mimeType: 'image/jpeg', buffer: talkativeJpeg() }

/** Tries to load the page anew, and answers the browser's own question. */
async function reloadAsked(page: Page, answer: 'accept' | 'dismiss'): Promise<void> {
  const asked = page.waitForEvent('dialog')
  const reload = page.reload({ timeout: 3_000 }).catch(() => undefined)
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog[answer]()
  if (answer === 'dismiss') await reload
}

test('nothing unsaved in Settings is lost in silence: by leaving, by being away, by another tab or by a wrong file', async ({
  browser,
}) => {
  const ada = await arrive(browser, 'Ada Quist')
  const { page } = ada
  const preview = page.getByRole('img', { name: 'Preview of your background image' })
  const saveAll = page.getByRole('button', { name: 'Save changes' })
  await page.goto('/settings')

  await test.step('A chosen background is kept over the tabs and a wrong file, and asked about', async () => {
    await choose(page, 'Change background', cover)
    await expect(preview).toBeVisible()
    await choose(page, 'Choose another', png('wrong.png', Buffer.from('no picture')))
    await expect(page.getByText('Invalid file type')).toBeVisible()
    await tab(page, 'Privacy').click()
    await expect(page.getByRole('switch', { name: 'Show Follower Count' })).toBeVisible()
    await expect(tab(page, /Profile\s+with unsaved changes/)).toBeVisible()
    await tab(page, /Profile/).click()
    await expect(preview).toBeVisible()
    await page.getByRole('link', { name: 'Saved' }).first().click()
    const asking = page.getByRole('alertdialog', { name: 'Save your changes?' })
    await expect(asking).toContainText('You chose a background image')
    await asking.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page).toHaveURL('/saved')
    await expect(page.getByText('Background image uploaded successfully!')).toBeVisible()
    // Asked once, left once: the way back leads to where it began.
    await page.goBack()
    await expect(page).toHaveURL('/settings?tab=profile')
  })

  await test.step('A photo that is being cropped is asked about before the browser’s own buttons take it away', async () => {
    await choose(page, 'Change photo', cover)
    const crop = page.getByRole('dialog', { name: 'Crop your photo' })
    const asking = page.getByRole('alertdialog', { name: 'Discard this photo?' })
    await expect(crop.getByRole('button', { name: 'Save photo' })).toBeEnabled()
    await page.goForward()
    await asking.getByRole('button', { name: 'Cancel' }).click()
    await expect(crop).toBeVisible()
    await expect(page).toHaveURL('/settings?tab=profile')
    await page.goForward()
    await asking.getByRole('button', { name: 'Discard' }).click()
    await expect(page).toHaveURL('/saved')
    await page.goBack()
    await expect(page).toHaveURL('/settings?tab=profile')
    await expect(crop).toBeHidden()
  })

  await test.step('Arrows over the tabs keep the focus there, and other tabs lead to the field they name', async () => {
    await field(page, 'Age').fill('7')
    await tab(page, 'Privacy').click()
    await expect(field(page, 'Age')).toBeHidden()
    await page.keyboard.press('ArrowLeft')
    await expect(field(page, 'Age')).toBeVisible()
    await expect(tab(page, /Profile/)).toBeFocused()
    await field(page, 'Age').fill('')
    await tab(page, 'Security').click()
    await page.getByRole('link', { name: 'Change email' }).click()
    await expect(field(page, 'Email')).toBeFocused()
    await expect(field(page, 'Email')).toBeInViewport()
    await expect(page).toHaveURL('/settings?tab=profile')
    await tab(page, 'Billing').click()
    const creator = page.getByRole('switch', { name: 'Creator Account' })
    await page.getByRole('link', { name: 'Become a creator' }).click()
    await expect(creator).toBeFocused()
    await expect(creator).toBeInViewport()
  })

  await test.step('Being away keeps what was typed for whoever comes back', async () => {
    await page.context().request.patch('/api/settings/security', { data: { sessionTimeout: 15 } })
    await page.reload()
    await field(page, 'Bio').fill('Half a sent')
    const [me] = await sql<
      { id: string }[]
    >`select id from public.profiles where username = ${ada.who.username}`
    const last = Date.now() - 16 * 60_000
    await page.evaluate(
      ([key, at]) => localStorage.setItem(String(key), String(at)),
      [`ovation:${me?.id}:active-at`, last],
    )
    await reloadAsked(page, 'accept')
    await expect(page).toHaveURL(/\/login\?next=%2Fsettings/)
    await signIn(page, ada.who)
    await expect(page).toHaveURL(/\/settings/)
    await expect(page.getByText('Your unsaved changes are back')).toBeVisible()
    await expect(field(page, 'Bio')).toHaveValue('Half a sent')
    await expect(saveAll).toBeVisible()
  })

  await test.step('Who logs out is asked, and then nothing of it stays', async () => {
    const asking = page.getByRole('alertdialog', { name: 'Log out with unsaved changes?' })
    await logOut(page)
    await expect(asking).toContainText('Changes to your profile are not saved. They will be lost.')
    await expectAccessible(page)
    await asking.getByRole('button', { name: 'Cancel' }).click()
    await expect(field(page, 'Bio')).toHaveValue('Half a sent')
    await logOut(page)
    await asking.getByRole('button', { name: 'Log out' }).click()
    await expect(page).toHaveURL('/')
    const kept = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft')))
    expect(kept).toEqual([])
  })
  await forget(ada)
})

test('a cover chosen on the profile is asked about before the profile is left', async ({ browser }) => {
  const iris = await join(browser, 'Iris Holm')
  const page = await iris.context.newPage()
  const watched = watchErrors(page)
  const preview = page.getByRole('img', { name: 'Preview of your cover photo' })
  const asking = page.getByRole('alertdialog', { name: 'Upload your new cover?' })
  const profile = `/profile/${iris.who.username}`
  const leave = () => page.getByRole('link', { name: 'Saved' }).first().click()
  const stored = async () => {
    const answer = await iris.context.request.get('/api/auth/user')
    return (await answer.json()).backgroundImageUrl
  }
  await page.goto(profile)
  const pick = async () => {
    await choose(page, 'Edit cover photo', cover)
    await expect(preview).toBeVisible()
  }

  await test.step('Who stays has it still, over the tabs and the browser’s own question', async () => {
    await pick()
    await tab(page, 'About').click()
    await expect(page).toHaveURL(`${profile}?tab=about`)
    await expect(preview).toBeVisible()
    await leave()
    await expect(asking.getByRole('button', { name: 'Stay' })).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(asking).toBeHidden()
    await reloadAsked(page, 'dismiss')
    await logOut(page)
    const out = page.getByRole('alertdialog', { name: 'Log out with unsaved changes?' })
    await out.getByRole('button', { name: 'Cancel' }).click()
    await expect(page).toHaveURL(`${profile}?tab=about`)
    await expect(preview).toBeVisible()
  })

  await test.step('What fails on the way out stays, and Discard leaves without it', async () => {
    await page.route('**/api/upload/background-image', (route) => route.abort(), { times: 1 })
    await leave()
    await asking.getByRole('button', { name: 'Upload' }).click()
    await expect(page.getByText('Upload failed')).toBeVisible()
    await expect(asking).toBeHidden()
    await expect(preview).toBeVisible()
    await leave()
    await asking.getByRole('button', { name: 'Discard' }).click()
    await expect(page).toHaveURL('/saved')
    expect(await stored()).toBeNull()
    await page.goBack()
    await expect(page).toHaveURL(`${profile}?tab=about`)
    await expect(preview).toHaveCount(0)
  })

  await test.step('One that is on its way is waited for, and nothing is asked after it', async () => {
    await pick()
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/api/upload/background-image', async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await leave()
    await expect(asking).toBeVisible()
    letGo()
    await expect(page).toHaveURL('/saved')
    expect(await stored()).not.toBeNull()
    await page.goto(profile)
    // Nothing is asked on the way out of it any more.
    await page.reload()
    await expect(page.getByRole('button', { name: 'Remove cover photo' })).toBeVisible()
  })

  expect(watched.errors.filter((text) => !text.includes('ERR_FAILED'))).toEqual([])
  await forget(iris)
})

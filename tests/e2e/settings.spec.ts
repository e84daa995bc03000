import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import {
  collectPageErrors,
  horizontalOverflow,
  phoneViewport,
  reloadAndAnswerPrompt,
  settingsTopic,
} from './support/page.ts'
import { createGate, failNextRequest } from './support/requests.ts'
import {
  createSignedInUser,
  createUserOnHomeFeed,
  deleteUser,
  generateAccount,
  type SignedInUser,
  signInContext,
  sql,
} from './support/users.ts'

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const settingsSection = (page: Page, name: string) => page.getByRole('region', { name })
const saveButton = (page: Page) => page.getByRole('button', { name: 'Save changes' })

/** Returns an array that collects the bodies of all later requests that save the profile. */
function collectProfileSaves(page: Page): unknown[] {
  const bodies: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH' && request.url().endsWith('/api/profile'))
      bodies.push(request.postDataJSON())
  })
  return bodies
}

test.describe('Profile settings', () => {
  test('validates and saves the profile, keeps unsaved changes across topics and updates other devices', async ({
    browser,
  }) => {
    const una = await createUserOnHomeFeed(browser, 'Una Vale')
    const { page } = una
    const collected = collectPageErrors(page)
    const phone = await browser.newContext({ viewport: phoneViewport })
    await signInContext(phone, una.account)
    const phonePage = await phone.newPage()
    await phonePage.goto('/settings/about')
    // An old URL that redirects to the topic's page.
    await page.goto('/settings?tab=profile&field=livesIn')
    await expect(field(page, 'Lives in')).toBeFocused()
    await expect(page).toHaveURL('/settings/about')
    const saves = collectProfileSaves(page)

    await test.step('saves only changed fields and updates another device without overwriting its unsaved field', async () => {
      await field(phonePage, 'Studied at').fill('Typed on the phone')
      await field(page, 'Lives in').fill('Lisbon')
      await field(page, 'Studied at').fill('Evening school')
      await field(page, 'Age').fill('31')
      await page.getByRole('switch', { name: 'Show your age on your profile' }).uncheck()
      await saveButton(page).click()
      await expect(page.getByText('Profile updated successfully!')).toBeVisible()
      expect(saves).toEqual([{ livesIn: 'Lisbon', studiedAt: 'Evening school', age: 31, showAge: false }])
      await expect(saveButton(page)).toHaveCount(0)
      await expect(field(phonePage, 'Lives in')).toHaveValue('Lisbon')
      await expect(phonePage.getByRole('switch', { name: 'Show your age on your profile' })).not.toBeChecked()
      await expect(field(phonePage, 'Studied at')).toHaveValue('Typed on the phone')
      await phonePage.getByRole('button', { name: 'Discard' }).click()
      await expect(field(phonePage, 'Studied at')).toHaveValue('Evening school')
    })

    await test.step('hides a private field from visitors', async () => {
      const visitorContext = await browser.newContext()
      const visitor = await visitorContext.newPage()
      await visitor.goto(`/profile/${una.account.username}`)
      await visitor.getByRole('tab', { name: 'About' }).click()
      await expect(visitor.getByText('Lisbon')).toBeVisible()
      await expect(visitor.getByText('31', { exact: true })).toHaveCount(0)
      await visitorContext.close()
    })

    await test.step('shows errors next to the fields, focuses the first invalid field and sends no request', async () => {
      const savesBefore = saves.length
      await field(page, 'Age').fill('17')
      await settingsTopic(page, 'Links').click()
      await field(page, 'TikTok').fill('https://example.com/una')
      await settingsTopic(page, 'Profile').click()
      await field(page, 'Bio').fill('🎭'.repeat(501))
      await expect(page.getByText('501/500 characters')).toBeVisible()
      await saveButton(page).click()
      await expect(field(page, 'Bio')).toBeFocused()
      await expect(field(page, 'Bio')).toHaveAccessibleDescription('A bio can have at most 500 characters.')
      // Saving from a topic without invalid fields opens the first topic that has one.
      await settingsTopic(page, /^Account/).click()
      await saveButton(page).click()
      await expect(field(page, 'Bio')).toBeFocused()
      await expect(page).toHaveURL('/settings/profile')
      await settingsTopic(page, 'Links').click()
      await saveButton(page).click()
      await expect(field(page, 'TikTok')).toBeFocused()
      await expect(field(page, 'TikTok')).toHaveAccessibleDescription(
        'Please enter the address of your TikTok page.',
      )
      await settingsTopic(page, 'About').click()
      await expect(field(page, 'Age')).toHaveAccessibleDescription('Please enter an age between 18 and 120.')
      expect(saves.length).toBe(savesBefore)
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Discard' }).click()
      await expect(field(page, 'Age')).toHaveValue('31')
    })

    await test.step('shows a server error next to the field, even if the user left the topic while saving', async () => {
      await settingsTopic(page, 'Account').click()
      await field(page, 'Email').fill('creator@demo.test')
      await settingsTopic(page, 'About').click()
      const gate = createGate()
      await page.route('**/api/profile', (route) => gate.opened.then(() => route.continue()), {
        times: 1,
      })
      await saveButton(page).click()
      await settingsTopic(page, 'Notifications').click()
      await expect(page).toHaveURL('/settings/notifications')
      gate.open()
      await expect(field(page, 'Email')).toHaveAccessibleDescription('Email is already registered')
      await expect(field(page, 'Email')).toBeFocused()
      await field(page, 'Email').fill(una.account.email)
      await expect(saveButton(page)).toHaveCount(0)
    })

    await test.step('keeps changes across topics and asks before leaving', async () => {
      await settingsTopic(page, 'Profile').click()
      await field(page, 'Bio').fill('Puppets and their voices.')
      await settingsTopic(page, 'Notifications').click()
      await expect(settingsTopic(page, 'Profile with unsaved changes')).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Saved' }).first().click()
      const savePrompt = page.getByRole('alertdialog', { name: 'Save your changes?' })
      await expect(savePrompt.getByRole('button', { name: 'Keep editing' })).toBeFocused()
      await expectAccessible(page)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL('/settings/notifications')
      await settingsTopic(page, 'Profile').click()
      await expect(field(page, 'Bio')).toHaveValue('Puppets and their voices.')

      await reloadAndAnswerPrompt(page, 'dismiss')

      await settingsTopic(page, 'About').click()
      await field(page, 'Age').fill('200')
      await settingsTopic(page, 'Media').click()
      await page.getByRole('link', { name: 'Saved' }).first().click()
      await savePrompt.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(savePrompt).toHaveCount(0)
      await expect(field(page, 'Age')).toBeFocused()
      await expect(field(page, 'Age')).toHaveAccessibleDescription('Please enter an age between 18 and 120.')
      await field(page, 'Age').fill('32')
      await page.getByRole('link', { name: 'Saved' }).first().click()
      await savePrompt.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page).toHaveURL('/saved')
      await phonePage.getByRole('link', { name: 'Back to settings' }).click()
      await settingsTopic(phonePage, /^Profile/).click()
      await expect(field(phonePage, 'Bio')).toHaveValue('Puppets and their voices.')
    })

    await test.step('saves every field, normalizes URLs and asks to confirm the new email address', async () => {
      await page.goto('/settings')
      await expect(field(page, 'Full name')).toHaveAccessibleDescription(/^Shown in messages, and everywhere/)
      const { email } = generateAccount('Una Vale')
      const values: [topic: string, fields: Record<string, string>][] = [
        [
          'Profile',
          {
            'Full name': 'Una Maris Vale',
            'First name': 'Una',
            'Last name': 'Vale',
            Bio: 'Puppets 🎭',
          },
        ],
        ['Account', { Email: email, 'Phone number': '+351 210 000 000' }],
        [
          'Links',
          {
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
          },
        ],
        [
          'About',
          {
            'Lives in': 'Porto',
            From: 'Faro',
            'Studied at': 'The harbour',
            Age: '33',
            Website: 'example.com/una',
          },
        ],
      ]
      for (const [name, fields] of values) {
        await settingsTopic(page, name).click()
        for (const [label, value] of Object.entries(fields)) await field(page, label).fill(value)
      }
      await field(page, 'Relationship').selectOption('complicated')
      await field(page, 'Gender').selectOption('non-binary')
      await settingsTopic(page, 'Account').click()
      await field(page, 'Country').selectOption({ label: 'Portugal' })
      await settingsTopic(page, 'Creator').click()
      await page.getByRole('switch', { name: 'Creator Account' }).check()
      await page.getByRole('switch', { name: 'Posts written by AI' }).check()
      await page.getByRole('switch', { name: 'Ask me before each post' }).check()
      await settingsTopic(page, 'About').click()
      await saveButton(page).click()
      await expect(field(page, 'Website')).toHaveValue('https://example.com/una')
      await page.reload()
      await settingsTopic(page, 'Links').click()
      await expect(field(page, 'YouTube')).toHaveValue('https://youtube.com/@una')
      await settingsTopic(page, 'Creator').click()
      await expect(page.getByRole('switch', { name: 'Ask me before each post' })).toBeChecked()
      await settingsTopic(page, 'Account').click()
      await expect(page.getByText(`Confirm ${email} with the link we sent.`)).toBeVisible()
      await expect(field(page, 'Country')).toHaveValue('PT')
      await field(page, 'Email').fill(una.account.email)
      await saveButton(page).click()
      await expect(page.getByText(`Confirm ${email}`)).toHaveCount(0)
      await expect(saveButton(page)).toHaveCount(0)
      await expectAccessible(page)
    })

    await test.step('changes the username in a dialog, which says whether the new one is taken', async () => {
      const { username } = generateAccount('Una Vale')
      const errorCount = collected.errors.length
      await settingsTopic(page, 'Profile').click()
      const panel = settingsSection(page, 'Your details')
      const openButton = panel.getByRole('button', { name: 'Change username' })
      await openButton.click()
      const dialog = page.getByRole('dialog', { name: 'Change username' })
      await expect(dialog).toContainText(`@${una.account.username}`)
      await expect(dialog).toContainText('Links to your profile will stop working')
      const newUsername = field(page, 'New username')
      await expect(newUsername).toBeFocused()
      const save = dialog.getByRole('button', { name: 'Save' })
      const status = dialog.getByRole('status')
      await newUsername.fill(una.account.username)
      await save.click()
      await expect(newUsername).toHaveAccessibleDescription('This is already your username.')
      // Changing only the case of the username is allowed. Saving it does not save the bio.
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await field(page, 'Bio').fill('Not saved yet')
      const saves = collectProfileSaves(page)
      await openButton.click()
      const otherCase = una.account.username.toUpperCase()
      await newUsername.fill(otherCase)
      await save.click()
      await expect(dialog).toBeHidden()
      await expect(panel).toContainText(`@${otherCase}`)
      expect(saves).toEqual([{ username: otherCase }])
      await page.getByRole('button', { name: 'Discard' }).click()

      await openButton.click()
      await newUsername.fill('support')
      await expect(newUsername).toHaveAccessibleDescription('This username is reserved')
      await newUsername.fill('NoorMakes')
      await expect(newUsername).toHaveAccessibleDescription('Username is already taken')
      await expect(status).toHaveText('Username is already taken')
      await expectAccessible(page)
      const response = page.waitForResponse('**/api/profile')
      await save.click()
      expect((await response).status()).toBe(409)
      await expect(newUsername).toHaveAccessibleDescription('Username is already taken')
      await expect(newUsername).toBeFocused()
      await newUsername.fill(username)
      await expect(status).toHaveText('Available')
      const gate = createGate()
      await page.route(
        '**/api/profile',
        async (route) => {
          await gate.opened
          await route.abort()
        },
        { times: 1 },
      )
      await save.click()
      await expect(newUsername).not.toBeEditable()
      gate.open()
      await expect(dialog.getByRole('alert')).toBeVisible()
      await expect(newUsername).toBeEditable()
      await expect(newUsername).toHaveValue(username)
      await save.click()
      await expect(dialog).toBeHidden()
      await expect(page.getByText('Profile updated successfully!').last()).toBeVisible()
      await expect(panel).toContainText(`@${username}`)
      await expect(openButton).toBeFocused()
      for (const [name, status] of [
        [username, 200],
        [una.account.username, 404],
      ] as const) {
        expect((await page.request.get(`/api/users/${name}`)).status()).toBe(status)
      }
      // The taken name and the aborted request log errors.
      expect(collected.errors.splice(errorCount)).toEqual([
        expect.stringContaining('status of 409'),
        expect.stringContaining('ERR_FAILED'),
      ])

      await phonePage.goto('/settings/profile')
      await phonePage.getByRole('button', { name: 'Change username' }).click()
      await expect(field(phonePage, 'New username')).toBeFocused()
      expect(await horizontalOverflow(phonePage)).toBe(0)
    })

    await test.step('keeps every topic shorter than two screens', async () => {
      await page.setViewportSize({ width: 1280, height: 800 })
      const links = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
      await expect(links).toHaveCount(15)
      for (const link of await links.all()) {
        await link.click()
        await expect(link).toHaveAttribute('aria-current', 'page')
        await expect(page.getByRole('main').getByLabel(/^Loading/)).toHaveCount(0)
        const height = await page.evaluate(() => document.documentElement.scrollHeight)
        expect(height, page.url()).toBeLessThan(2 * 800)
      }
    })

    await test.step('finds a setting by part of its name', async () => {
      const navigation = page.getByRole('navigation', { name: 'Settings' })
      const search = navigation.getByRole('searchbox', { name: 'Search settings' })
      await search.fill('zzzz')
      await expect(navigation.getByRole('status')).toHaveText('No settings found')
      await search.fill('sign-in')
      await expect(navigation.getByRole('link')).toHaveText(['New sign-insSecurity'])
      await search.fill('FÁCTOR')
      await expect(navigation.getByRole('status')).toHaveText('1 setting found')
      await expect(navigation.getByRole('link')).toHaveText(['Two-factor authenticationSecurity'])
      await expectAccessible(page)
      await navigation.getByRole('link').click()
      await expect(page).toHaveURL('/settings/security')
      await expect(search).toHaveValue('')
      await expect(navigation.getByRole('link', { name: 'Security' })).toBeFocused()
      await expect(navigation.getByRole('link')).toHaveCount(15)
    })

    // The rejected email address logs a 409.
    expect(collected.errors.filter((text) => !text.includes('status of 409'))).toEqual([])
    await phone.close()
    await deleteUser(una)
  })
})

test.describe('Privacy settings', () => {
  test('shows one topic per page on a phone, reverts failed changes, answers follow requests and unblocks users', async ({
    browser,
  }) => {
    const ivo = await createUserOnHomeFeed(browser, 'Ivo Lund', { viewport: phoneViewport })
    const { page } = ivo
    const [bo, cy] = [
      await createSignedInUser(browser, 'Bo Asker'),
      await createSignedInUser(browser, 'Cy Bidder'),
    ]
    const requestToFollow = ({ context }: SignedInUser) => context.request.post(`/api/users/${ivo.id}/follow`)
    const getFollowStatus = async ({ context }: SignedInUser) => {
      const response = await context.request.get(`/api/users/${ivo.account.username}`)
      return (await response.json()).followStatus
    }
    await page.goto('/settings/privacy')
    const requests = settingsSection(page, 'Follow requests')
    const openTopic = async (name: RegExp) => {
      await page.getByRole('link', { name: 'Back to settings' }).click()
      await expect(page).toHaveURL('/settings')
      await settingsTopic(page, name).click()
    }

    await test.step('reverts a privacy change that fails', async () => {
      await failNextRequest(page, '**/api/settings/privacy')
      const followerCount = page.getByRole('switch', { name: 'Show follower count' })
      await followerCount.click()
      await expect(page.getByText('Failed to update privacy settings. Please try again.')).toBeVisible()
      await expect(followerCount).toBeChecked()
      await page.getByRole('radio', { name: 'Followers' }).check()
      await expect(page.getByText('Your privacy preferences have been saved.')).toBeVisible()
    })

    await test.step('shows follow requests live, and accepts and declines a request', async () => {
      await openTopic(/^People/)
      await expect(requests.getByText('No follow requests.')).toBeVisible()
      await requestToFollow(bo)
      await expect(requests.getByRole('listitem')).toHaveCount(1)
      await requestToFollow(cy)
      await expect(requests.getByRole('listitem')).toHaveCount(2)
      await expectAccessible(page)
      await openTopic(/^Privacy/)
      await page.getByRole('radio', { name: 'Public' }).check()
      await openTopic(/^People/)
      await expect(requests.getByText('Earlier requests are still waiting.')).toBeVisible()
      await requests.getByRole('button', { name: 'Accept Bo Asker' }).click()
      await expect(requests.getByRole('listitem')).toHaveCount(1)
      await requests.getByRole('button', { name: 'Decline Cy Bidder' }).click()
      await expect(requests.getByText('No follow requests.')).toBeVisible()
      await expect(requests.getByRole('heading')).toBeFocused()
      expect([await getFollowStatus(bo), await getFollowStatus(cy)]).toEqual(['following', 'none'])
    })

    await test.step('paginates blocked users and unblocks a user', async () => {
      await sql`
        insert into public.blocks (blocker_id, blocked_id)
        select ${ivo.id}, p.id from public.profiles p
        where p.id <> ${ivo.id} and p.id <> ${cy.id} and not p.is_admin limit 20`
      await page.request.post(`/api/users/${cy.id}/block`)
      await page.reload()
      const blocked = settingsSection(page, 'Blocked people')
      await expect(blocked.getByRole('listitem')).toHaveCount(20)
      await blocked.getByRole('button', { name: 'Show more' }).click()
      await expect(blocked.getByRole('listitem')).toHaveCount(21)
      await blocked.getByRole('button', { name: 'Unblock Cy Bidder' }).click()
      const unblockPrompt = page.getByRole('alertdialog', { name: /Unblock/ })
      await expect(unblockPrompt.getByRole('button', { name: 'Cancel' })).toBeFocused()
      await unblockPrompt.getByRole('button', { name: 'Unblock' }).click()
      await expect(blocked.getByRole('button', { name: 'Unblock Cy Bidder' })).toHaveCount(0)
      await expect(blocked.getByRole('button').first()).toBeFocused()
      expect((await cy.context.request.get(`/api/users/${ivo.account.username}`)).status()).toBe(200)
    })

    await test.step('lists the topics, each of which fits the width of the window and is accessible', async () => {
      await page.getByRole('link', { name: 'Back to settings' }).click()
      await expectAccessible(page)
      await settingsTopic(page, /^Profile/).click()
      for (const [name, text] of [
        [/^About/, 'About you'],
        [/^Links/, 'Social links'],
        [/^Media/, /gallery|Add media/i],
        [/^Creator/, 'Creator Account'],
        [/^Notifications/, 'How to notify you'],
        [/^Account/, 'Contact details'],
        [/^Security/, 'Login alerts'],
        [/^Sessions/, 'This device'],
        [/^Billing/, 'Creator Pro Plan'],
        [/^Data/, /^You’ve used .+ of .+ for photos and videos/],
        [/^Developer/, 'Access tokens'],
      ] as const) {
        await openTopic(name)
        await expect(page.getByRole('main').getByText(text).first()).toBeVisible()
        expect(await horizontalOverflow(page)).toBe(0)
        await expectAccessible(page)
      }
    })

    await deleteUser(bo)
    await deleteUser(cy)
    await deleteUser(ivo)
  })
})

test.describe('Access tokens', () => {
  test('are created with the password, shown once, listed with their last use, and revoked', async ({
    browser,
  }) => {
    const kit = await createSignedInUser(browser, 'Kit Moreau')
    await kit.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await kit.context.newPage()
    const phone = await browser.newContext({ viewport: phoneViewport })
    await signInContext(phone, kit.account)
    const phonePage = await phone.newPage()
    const rows = (on: Page) => settingsSection(on, 'Access tokens').getByRole('listitem')
    const createButton = page.getByRole('button', { name: 'Create token' })
    const dialog = page.getByRole('dialog')
    let token = ''
    const call = (path: string, method = 'GET') =>
      page.request.fetch(path, { method, headers: { Authorization: `Bearer ${token}` } })

    await test.step('shows an error with a retry button, and then an empty state', async () => {
      await failNextRequest(page, '**/api/auth/access-tokens')
      await page.goto('/settings/developer')
      await expect(page.getByText("Couldn't load your access tokens. Try again.")).toBeVisible()
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByText('No access tokens yet')).toBeVisible()
      await expectAccessible(page)
      await phonePage.goto('/settings/developer')
      await expect(phonePage.getByText('No access tokens yet')).toBeVisible()
    })

    await test.step('creates a token, and shows it once', async () => {
      await createButton.click()
      await expect(field(page, 'Name')).toBeFocused()
      await expect(dialog.getByRole('checkbox', { name: 'Read' })).toBeDisabled()
      await dialog.getByRole('button', { name: 'Create token' }).click()
      await expect(dialog.getByText('Please enter a name.')).toBeVisible()
      await field(page, 'Name').fill('Nightly bot')
      await dialog.getByRole('checkbox', { name: 'Write' }).check()
      await field(page, 'Your password').fill('wrong')
      await dialog.getByRole('button', { name: 'Create token' }).click()
      await expect(dialog.getByText('Incorrect password.')).toBeVisible()
      await expect(field(page, 'Your password')).toBeFocused()
      await expectAccessible(page)
      await field(page, 'Your password').fill(kit.account.password)
      await page.keyboard.press('Enter')
      token = await dialog.getByLabel('Access token', { exact: true }).inputValue()
      expect(token).toMatch(/^ovp_/)
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Copy token' }).click()
      await expect(page.getByText('Copied')).toBeVisible()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)
      await dialog.getByRole('button', { name: 'Done' }).click()
      await expect(createButton).toBeFocused()
      await expect(page.getByText(token)).toHaveCount(0)
      await expect(rows(page)).toHaveText(/Nightly bot.*Read, Write.*Never used.*Expires on .* 20\d\d/)
      // The other device lists the new token.
      await expect(rows(phonePage)).toHaveCount(1)
      await createButton.click()
      await expect(field(page, 'Name')).toHaveValue('')
      await dialog.getByRole('button', { name: 'Cancel' }).click()
    })

    await test.step('shows the last use of a token, on a phone', async () => {
      expect((await call('/api/auth/user')).status()).toBe(200)
      expect((await call('/api/messages/conversations')).status()).toBe(403)
      await phonePage.reload()
      await expect(rows(phonePage)).toContainText('Last used')
      expect(await horizontalOverflow(phonePage)).toBe(0)
      await expectAccessible(phonePage)
    })

    await test.step('revokes a token after a confirmation', async () => {
      const revokeButton = page.getByRole('button', { name: 'Revoke Nightly bot' })
      const confirmation = page.getByRole('alertdialog')
      await revokeButton.click()
      await confirmation.getByRole('button', { name: 'Cancel' }).click()
      await expect(revokeButton).toBeFocused()
      await failNextRequest(page, '**/api/auth/access-tokens/*')
      await revokeButton.click()
      await confirmation.getByRole('button', { name: 'Revoke' }).click()
      await expect(page.getByText("Couldn't revoke the access token. Try again.")).toBeVisible()
      expect((await call('/api/auth/user')).status()).toBe(200)
      await revokeButton.click()
      await confirmation.getByRole('button', { name: 'Revoke' }).click()
      await expect(page.getByText('No access tokens yet')).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Access tokens', exact: true })).toBeFocused()
      expect((await call('/api/auth/user')).status()).toBe(401)
    })

    await test.step('disables the button that creates a token when the limit is reached', async () => {
      await sql`
        insert into private.access_tokens (user_id, name, token_hash, scopes, expires_at)
        select ${kit.id}, 'Bot ' || n, sha256(gen_random_uuid()::text::bytea), '{read}',
               case when n = 1 then now() - interval '1 day' end
        from generate_series(1, 21) n`
      await page.reload()
      await expect(rows(page)).toHaveCount(21)
      await expect(rows(page).filter({ hasText: 'Expired on' })).toHaveCount(1)
      await expect(page.getByText('You have 20 access tokens, which is the limit.')).toBeVisible()
      await expect(createButton).toBeDisabled()
    })

    await phone.close()
    await deleteUser(kit)
  })
})

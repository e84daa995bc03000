import { expect, test } from 'playwright/test'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { readConnection } from '../support/connection.ts'
import { startApiServer, startPagesServer } from '../support/function-server.ts'
import { insertAccount } from '../support/insert-account.ts'
import { accountMenuButton, signInViaForm } from './support/auth-forms.ts'
import { sendMessage } from './support/content.ts'
import { messageThread } from './support/conversation.ts'
import { chooseFiles, drawGradientPng, pngFile, recordWebm } from './support/files.ts'
import { collectPageErrors, postWithText } from './support/page.ts'
import { startStaticHost, startSupabaseGateway } from './support/static-host.ts'
import {
  createSignedInUser,
  deleteUser,
  findUserId,
  generateAccount,
  phoneNumber,
  sql,
} from './support/users.ts'

// Serves the web app and the backend from two origins, as in a deployment to Supabase. One origin is a static host with
// the generated configuration. The other is a gateway that allows any origin and forwards requests to the functions and
// the embedded stack.

const servers: { stop: () => void }[] = []
/** A different site from `supabaseUrl`, so that no cookie is sent to both. */
let publicUrl: string
let supabaseUrl: string

test.beforeAll(async () => {
  const [hostPort, gatewayPort] = [await freePort(), await freePort()]
  publicUrl = `http://localhost:${hostPort}`
  supabaseUrl = `http://127.0.0.1:${gatewayPort}`
  const settings = { PUBLIC_URL: publicUrl, PUBLIC_SUPABASE_URL: supabaseUrl }
  const [api, pages] = await Promise.all([startApiServer(settings), startPagesServer(settings)])
  const site = {
    publicUrl,
    supabaseUrl,
    turnstile: false,
    proxySecret: null,
    clientAddressHeader: 'X-Client-Address',
  }
  servers.push(
    api,
    pages,
    await startSupabaseGateway(gatewayPort, readConnection().apiUrl, { api: api.url, pages: pages.url }),
    await startStaticHost(site, hostPort),
  )
})

test.afterAll(() => Promise.all(servers.map((server) => server.stop())))

test('the app works on a static host with the generated headers', async ({ browser }) => {
  const account = generateAccount('Ida Roth')
  await insertAccount(sql, { ...account, phoneNumber })
  const id = (await findUserId(account.email)) ?? ''
  const context = await browser.newContext({ baseURL: publicUrl, serviceWorkers: 'allow' })
  const page = await context.newPage()
  const collected = collectPageErrors(page)
  const frames: string[] = []
  page.on('websocket', (socket) => {
    if (socket.url().startsWith(supabaseUrl.replace('http', 'ws')))
      socket.on('framereceived', ({ payload }) => frames.push(String(payload)))
  })
  const composer = page.getByRole('textbox', { name: "What's on your mind?" })
  const post = page.getByRole('button', { name: 'Post', exact: true })
  const fileInputs = page.locator('input[type=file]')

  await test.step('signs in and shows the feed', async () => {
    await signInViaForm(page, account)
    await expect(composer).toBeVisible()
    await expect(page.getByRole('article').first()).toBeVisible()
  })

  await test.step('installs the service worker, which must not interfere with the next steps', async () => {
    const isControlled = () => page.evaluate(() => navigator.serviceWorker.controller !== null)
    await expect.poll(isControlled, { timeout: 60_000 }).toBe(true)
  })

  await test.step('uploads an image through the API and a video to Storage', async () => {
    await composer.fill('A picture from another origin')
    await fileInputs.first().setInputFiles(pngFile('sky.png', await drawGradientPng(page, 200)))
    await expect(page.getByRole('group', { name: 'Image', exact: true })).toBeVisible()
    await post.click()
    const picture = postWithText(page, 'A picture from another origin').locator('img[src*="/api/media/"]')
    await expect(picture).toBeVisible()
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Dismiss' }).click()

    const upload = page.waitForResponse(
      (response) =>
        response.url().startsWith(`${supabaseUrl}/storage/`) && response.request().method() === 'PUT',
    )
    await composer.fill('A film from another origin')
    await fileInputs
      .nth(1)
      .setInputFiles({ name: 'film.webm', mimeType: 'video/webm', buffer: await recordWebm(page) })
    expect((await upload).status()).toBe(200)
    await post.click()
    await expect(postWithText(page, 'A film from another origin').locator('video')).toBeVisible()
  })

  await test.step('shows an avatar from Storage', async () => {
    await page.goto('/settings/profile')
    await chooseFiles(page, 'Change photo', pngFile('photo.png', await drawGradientPng(page, 20)))
    await page
      .getByRole('dialog', { name: 'Crop your photo' })
      .getByRole('button', { name: 'Save photo' })
      .click()
    const avatar = accountMenuButton(page).locator('img')
    await expect(avatar).toHaveAttribute('src', new RegExp(`^${supabaseUrl}/storage/`))
    await expect
      .poll(() => avatar.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
  })

  await test.step('opens a profile page, which a function serves', async () => {
    const response = await page.goto(`/profile/${account.username}`)
    expect(response?.headers()['content-security-policy']).toContain(supabaseUrl)
    await expect(page).toHaveTitle(/Ida Roth/)
    await expect(page.getByRole('heading', { name: 'Ida Roth' }).first()).toBeVisible()
  })

  await test.step('receives a message in real time', async () => {
    const ana = await createSignedInUser(browser, 'Ana Berg')
    await page.goto(`/messages?user=${ana.id}`)
    await expect(messageThread(page).or(page.getByPlaceholder('Type a message...')).first()).toBeVisible()
    await expect
      .poll(() => frames.join(''))
      .toMatch(/realtime:conversation:[^"]+","phx_reply",\{"status":"ok"/)
    await sendMessage(ana, { id }, { content: 'Across two origins' })
    await expect(messageThread(page).getByText('Across two origins')).toBeVisible()
    await expect.poll(() => frames.join('')).toContain('message.created')
    await deleteUser(ana)
  })

  await test.step('suppresses the referrer on pages with a token', async () => {
    const response = await page.goto('/reset-password?token=none')
    expect(response?.headers()['referrer-policy']).toMatch(/no-referrer$/)
    expect(await page.evaluate(() => fetch('/api/config').then(({ ok }) => ok))).toBe(true)
  })

  expect(collected.errors).toEqual([])
  await deleteUser({ id, account, context })
})

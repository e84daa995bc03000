import { readFileSync } from 'node:fs'
import { type BrowserContext, expect, type Page, test } from 'playwright/test'
import postgres from 'postgres'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { type LocalAi, somePost, startAi } from '../support/ai-server.ts'
import type { Connection } from '../support/connection.ts'
import { discard, type Stack, startStack, temporaryFolder } from '../support/own-stack.ts'
import { expectAccessible } from './axe.ts'
import { join, type Member } from './support.ts'

/** There is one key for a whole instance, and what is written comes from a provider of its own. */
let dataDir: string
let stack: Stack
let connection: Connection
let ai: LocalAi
let sql: postgres.Sql
let boss: { context: BrowserContext; who: Member }
let cora: { context: BrowserContext; who: Member }

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  dataDir = temporaryFolder()
  ai = await startAi()
  stack = startStack(dataDir, await freePort(), { OPENAI_BASE_URL: ai.url })
  connection = await stack.ready()
  sql = postgres(connection.databaseUrl, { max: 1, onnotice: () => undefined })
  const options = { baseURL: connection.apiUrl }
  boss = await join(browser, 'Ada Keys', options)
  cora = await join(browser, 'Cora Voice', options)
  await sql`select private.grant_admin(${boss.who.email})`
  await sql`update public.profiles set is_creator = true where username = ${cora.who.username}`
})
test.afterAll(async () => {
  await boss?.context.close()
  await cora?.context.close()
  await sql?.end()
  await discard(stack, dataDir)
  await ai?.stop()
})

const apiKey = `sk-proj-${'k'.repeat(40)}Z9y8`
const masked = `sk-${'*'.repeat(20)}Z9y8`
const keyCard = (page: Page) => page.getByRole('region', { name: 'AI provider key' })
const said = (page: Page, text: string) => page.locator('#toasts').getByText(text)
const waiting = (page: Page) => page.getByRole('region', { name: 'Drafts waiting for you' })
/** Nobody gets two posts within a minute by pressing the button: the last ones were made a while ago. */
const later = () => sql`
  update public.auto_runs set started_at = started_at - interval '5 minutes', ended_at = ended_at - interval '5 minutes'`
/** Presses the button, and reads what became of it. */
async function testPost(page: Page, outcome: string): Promise<void> {
  await later()
  await keyCard(page).getByRole('button', { name: 'Test Auto-Post' }).click()
  await expect(said(page, 'Auto-posting Triggered')).toBeVisible()
  await expect(keyCard(page).getByText(`Last test: ${outcome}`)).toBeVisible()
}

test('the key is checked, masked, shown for half a minute at most, and kept by nothing', async ({
  browser,
}) => {
  const page = await boss.context.newPage()
  const card = keyCard(page)
  const field = card.getByLabel('API Key')

  await test.step('Without one there is one thing to do; what cannot be a key is refused', async () => {
    await page.goto('/admin')
    await expect(card.getByText('Not configured')).toBeVisible()
    await card.getByRole('button', { name: 'Add API Key' }).click()
    await expect(field).toBeFocused()
    await expect(field).toHaveAttribute('autocomplete', 'off')
    await page.keyboard.press('Enter')
    await expect(card.getByText('API Key is required')).toBeVisible()
    await field.fill('pk-something-else')
    await page.keyboard.press('Enter')
    await expect(card.getByText("API Key must start with 'sk-'")).toBeVisible()
    await expectAccessible(page)
    await field.fill(apiKey)
    await page.keyboard.press('Enter')
    await expect(said(page, 'API Key Saved')).toBeVisible()
    await expect(card.getByText('Configured', { exact: true })).toBeVisible()
    await expect(card.getByText(masked, { exact: true })).toBeVisible()
    await expect(card.getByRole('button', { name: 'Edit' })).toBeFocused()
  })

  await test.step('It is shown by a press that is recorded, and hidden by the next, or by leaving', async () => {
    await expect(card).toContainText('Showing the key is recorded with your name.')
    await card.getByRole('button', { name: 'Show API Key' }).click()
    await expect(card.getByText(apiKey, { exact: true })).toBeVisible()
    await card.getByRole('button', { name: 'Hide API Key' }).click()
    await expect(card.getByText(masked, { exact: true })).toBeVisible()
    await card.getByRole('button', { name: 'Show API Key' }).click()
    await expect(card.getByText(apiKey, { exact: true })).toBeVisible()
    await page.getByRole('tab', { name: 'Audit' }).click()
    await page.getByRole('tab', { name: 'People' }).click()
    await expect(card.getByText(masked, { exact: true })).toBeVisible()
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    expect(kept).not.toContain(apiKey)
    expect(await page.content()).not.toContain(apiKey)
  })

  await test.step('After half a minute it is hidden by itself', async () => {
    // The clock is the whole browser's.
    const elsewhere = await browser.newContext({
      baseURL: connection.apiUrl,
      storageState: await boss.context.storageState(),
    })
    const late = await elsewhere.newPage()
    await late.clock.install()
    await late.goto('/admin')
    await keyCard(late).getByRole('button', { name: 'Show API Key' }).click()
    await expect(keyCard(late).getByText(apiKey, { exact: true })).toBeVisible()
    await late.clock.fastForward(30_000)
    await expect(keyCard(late).getByText(masked, { exact: true })).toBeVisible()
    await elsewhere.close()
  })
  await page.close()
})

test('who is asked agrees, is posted for, sees drafts first when they like, and publishes them', async () => {
  const page = await boss.context.newPage()
  const own = await cora.context.newPage()
  const state = own.getByRole('region', { name: 'Posts written by AI' })
  const save = async () => {
    await own.getByRole('button', { name: 'Save changes' }).click()
    await expect(own.getByText('Profile updated successfully!')).toBeVisible()
  }

  await test.step('Switched on by an admin, it waits for her to agree', async () => {
    await page.goto(`/admin?q=${cora.who.username}`)
    await page.getByRole('button', { name: 'Enable Auto-Post: Cora Voice' }).click()
    await expect(said(page, 'Auto-posting Updated')).toBeVisible()
    await expect(page.getByText('Waiting for their consent')).toBeVisible()
    await testPost(page, 'Nobody has auto-posting switched on and has agreed to it.')
    expect(ai.calls).toEqual([])
  })

  await test.step('She is asked by a notification, which leads to what she agrees to', async () => {
    await own.goto('/notifications')
    await own.getByRole('main').getByText('The team would like to post in your name').click()
    await expect(own).toHaveURL(/\/auto-posts$/)
    await expect(state).toContainText('Waits for you')
    await expect(state).toContainText('nothing of yours is sent to the AI provider, unless you agree')
    await expect(waiting(own).getByText('No draft waits')).toBeVisible()
    await expectAccessible(own)
    await state.getByRole('link', { name: 'Agree in Settings' }).click()
    const consent = own.getByRole('switch', { name: 'Posts written by AI' })
    await expect(consent).toBeFocused()
    await own.keyboard.press('Space')
    await save()
    await own.getByRole('link', { name: 'Your auto-posts' }).click()
    await expect(state).toContainText('Agreed; posts go out by themselves')
  })

  await test.step('A test publishes a post that says how it was written', async () => {
    ai.behave({
      write: () => ({ post: 'The harbour was silver this morning, and I sang to nobody at all.' }),
    })
    await testPost(page, '1 published.')
    expect(ai.calls.at(-1)?.authorization).toBe(`Bearer ${apiKey}`)
    await keyCard(page).getByRole('link', { name: 'See every run' }).click()
    const run = page
      .getByRole('region', { name: 'Auto-posts' })
      .getByRole('listitem')
      .filter({ hasText: 'Published' })
    await expect(run).toContainText('Cora Voice')
    await expect(run).toContainText('500 tokens')
    await run.getByRole('button', { name: 'Show prompt and answer: Cora Voice' }).click()
    await expect(run.getByText('The harbour was silver this morning')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Schedule' })).toContainText('Auto posts')
    await expectAccessible(page)
    await run.getByRole('link', { name: 'View post: Cora Voice' }).click()
    await expect(page.getByRole('article')).toContainText('The harbour was silver this morning')
    const mark = page.getByRole('button', { name: /^Written with AI\..*with their consent\.$/ })
    await mark.click()
    await expect(page.getByRole('tooltip')).toContainText('with their consent')
    // It hangs outside of every landmark, as tooltips do, and says again what its button says.
    await page.keyboard.press('Escape')
    await expect(page.getByRole('tooltip')).toBeHidden()
    await expectAccessible(page)
  })

  await test.step('She asks to see each one first: a draft waits, and is published as she changed it', async () => {
    await own.goto('/settings?tab=profile&field=approveAutoPosts')
    await expect(own.getByRole('switch', { name: 'Ask me before each post' })).toBeFocused()
    await own.keyboard.press('Space')
    await save()
    ai.behave({
      write: () => ({ post: 'Three covers sketched before lunch; the blue one keeps looking at me.' }),
    })
    await page.goto('/admin')
    await testPost(page, '1 draft.')
    await own.goto('/notifications')
    await own.getByRole('main').getByText('A draft written by AI waits for you to look at it.').click()
    await expect(own).toHaveURL(/\/auto-posts$/)
    const drafts = waiting(own)
    await expect(drafts.getByText('Three covers sketched')).toBeVisible()
    await expect(drafts).toContainText('expires in 3 days')
    await drafts.getByRole('button', { name: 'Edit' }).click()
    const words = drafts.getByLabel('Text of the post')
    await expect(words).toBeFocused()
    await words.fill('  ')
    await drafts.getByRole('button', { name: 'Publish' }).click()
    await expect(drafts.getByText('Please write something first.')).toBeVisible()
    await own.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(own)
    await words.fill('Four covers sketched before lunch.')
    await own.reload()
    await expect(words).toHaveValue('Four covers sketched before lunch.')
    await drafts.getByRole('button', { name: 'Publish' }).click()
    await expect(said(own, 'Post created successfully!')).toBeVisible()
    const earlier = own.getByRole('region', { name: 'Earlier drafts' })
    await expect(earlier).toContainText('Published')
    await earlier.getByRole('link', { name: 'View post' }).click()
    await expect(own.getByRole('article')).toContainText('Four covers sketched before lunch.')
    await expect(own.getByRole('button', { name: /^Written with AI/ })).toBeVisible()
  })

  await test.step('Another one she discards', async () => {
    ai.behave({ write: () => ({ post: somePost() }) })
    await testPost(page, '1 draft.')
    await own.goto('/auto-posts')
    await waiting(own).getByRole('button', { name: 'Discard' }).click()
    await own.getByRole('alertdialog').getByRole('button', { name: 'Discard draft' }).click()
    await expect(said(own, 'Draft discarded')).toBeVisible()
    await expect(waiting(own).getByText('No draft waits')).toBeVisible()
    await expect(own.getByRole('heading', { name: 'Drafts waiting for you' })).toBeFocused()
    await expect(own.getByRole('region', { name: 'Earlier drafts' })).toContainText('Discarded')
    await expectAccessible(own)
  })

  await test.step('What our own checks reject is published nowhere, and said', async () => {
    ai.behave({ write: () => ({ post: 'Buy it now at https://spam.example before it is gone!' }) })
    await testPost(page, '1 not posted: It contained a link.')
  })
  await page.close()
  await own.close()
})

test('a key that the provider does not take is told honestly, removed, and all of it stands in the log', async () => {
  const page = await boss.context.newPage()
  const card = keyCard(page)

  await test.step('The provider refuses the key, and takes it again', async () => {
    await page.goto('/admin')
    ai.behave({ write: () => ({ status: 401 }) })
    await testPost(page, '1 not posted: The provider does not take the API key.')
    const warning = card.getByRole('alert')
    await expect(warning).toContainText('Auto-posting rests until there is another one')
    await expectAccessible(page)
    ai.behave({})
    await testPost(page, '1 draft.')
    await expect(warning).toHaveCount(0)
  })

  await test.step('Removing asks first', async () => {
    await card.getByRole('button', { name: 'Remove' }).click()
    const confirm = page.getByRole('alertdialog', { name: 'Remove the API key?' })
    await confirm.getByRole('button', { name: 'Cancel' }).click()
    await expect(card.getByText(masked, { exact: true })).toBeVisible()
    await card.getByRole('button', { name: 'Remove' }).click()
    await confirm.getByRole('button', { name: 'Remove API Key' }).click()
    await expect(said(page, 'API Key Removed')).toBeVisible()
    await expect(card.getByText('Not configured')).toBeVisible()
    await expect(card.getByRole('heading')).toBeFocused()
    const refused = await boss.context.request.post('/api/admin/trigger-auto-posting')
    expect(await refused.json()).toMatchObject({ code: 'ai_key_missing' })
  })

  const log = page.getByRole('region', { name: 'Audit log' })
  const entries = log.getByRole('list', { name: 'Entries' }).getByRole('listitem')
  await test.step('The log tells all of it in words, filtered by action and person', async () => {
    await page.getByRole('tab', { name: 'Audit' }).click()
    await expect(entries.first()).toContainText('Ada Keys removed the AI provider key')
    await expect(entries.last()).toContainText('Ada Keys set the AI provider key')
    await expectAccessible(page)
    await log.getByLabel('Action').selectOption('ai_key.reveal')
    await expect(entries).toHaveCount(3)
    await expect(entries.first()).toContainText('Ada Keys looked at the AI provider key')
    await expect(page).toHaveURL(/action=ai_key\.reveal/)
    await log.getByRole('button', { name: 'Clear filters' }).click()
    await log.getByRole('searchbox', { name: 'Person' }).fill(cora.who.username)
    await log.getByRole('button', { name: 'Cora Voice' }).click()
    await expect(entries).toHaveCount(1)
    await expect(entries).toContainText('switched auto-posting on for Cora Voice')
    await expect(entries).toContainText('Frequency: moderate')
    await page.reload()
    await expect(entries).toHaveCount(1)
    await log.getByLabel('From (UTC)').fill('2999-01-01')
    await expect(log.getByText('Nothing fits these filters')).toBeVisible()
    await log.getByRole('button', { name: 'Clear filters' }).first().click()
    await expect(entries).toHaveCount(6)
  })

  await test.step('It is exported as a file', async () => {
    const download = page.waitForEvent('download')
    await log.getByRole('button', { name: 'Export' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('audit-log.csv')
    const table = readFileSync(await file.path(), 'utf8')
    expect(table).toContain('ai_key.reveal')
    expect(table).not.toContain(apiKey)
  })

  await test.step('Its chain is unbroken; a row that was changed behind its back shows', async () => {
    const chain = page.getByRole('region', { name: 'Chain check' })
    await expect(chain).toContainText('Unbroken, 6 entries, last hash:')
    const [row] = await sql<{ id: number }[]>`
      select id::int as id from public.audit_entries where action = 'auto_posting.set'`
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`update public.audit_entries set actor_id = target_id where action = 'auto_posting.set'`
    })
    await chain.getByRole('button', { name: 'Check again' }).click()
    await expect(chain.getByRole('alert')).toContainText(`Broken at row ${row?.id}`)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
  })
})

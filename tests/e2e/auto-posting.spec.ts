import { readFileSync } from 'node:fs'
import { expect, type Page, test } from 'playwright/test'
import { type FakeOpenAi, randomPostText, startFakeOpenAi } from '../support/fake-openai-server.ts'
import { type IsolatedStack, startIsolatedStack } from '../support/isolated-stack.ts'
import { expectAccessible } from './support/accessibility.ts'
import { openAutoPosting } from './support/admin-panel.ts'
import { phoneViewport } from './support/page.ts'
import { createSignedInUser, promoteToCreator, type SignedInUser } from './support/users.ts'

// An instance has only one AI provider key, so these tests use their own stack with a fake provider.
let stack: IsolatedStack
let ai: FakeOpenAi
let admin: SignedInUser
let cora: SignedInUser

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  ai = await startFakeOpenAi()
  stack = await startIsolatedStack({ OPENAI_BASE_URL: ai.url })
  const options = { baseURL: stack.connection.apiUrl }
  admin = await createSignedInUser(browser, 'Ada Keys', options, stack.sql)
  cora = await createSignedInUser(browser, 'Cora Voice', options, stack.sql)
  await stack.sql`select private.grant_admin(${admin.account.email})`
  await promoteToCreator(cora, stack.sql)
})
test.afterAll(async () => {
  await admin?.context.close()
  await cora?.context.close()
  await stack?.discard()
  await ai?.stop()
})

const apiKey = `sk-proj-${'k'.repeat(40)}Z9y8`
const maskedKey = `sk-${'*'.repeat(20)}Z9y8`
const keyCard = (page: Page) => page.getByRole('region', { name: 'AI provider key' })
const toastContaining = (page: Page, text: string) => page.locator('#toasts').getByText(text)
const pendingDrafts = (page: Page) => page.getByRole('region', { name: 'Drafts to review' })
/** Backdates all previous runs by five minutes, because a creator gets at most one test post per minute. */
const backdateAutoRuns = () => stack.sql`
  update public.auto_post_runs set started_at = started_at - interval '5 minutes', ended_at = ended_at - interval '5 minutes'`
/** Triggers a test run and checks its outcome. */
async function runTestPost(page: Page, outcome: string): Promise<void> {
  await backdateAutoRuns()
  await keyCard(page).getByRole('button', { name: 'Test Auto-Post' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Publish a post for each creator?' })
  await expect(dialog).toContainText('The posts are public')
  await dialog.getByRole('button', { name: 'Publish posts' }).click()
  await expect(toastContaining(page, 'Auto-posting Triggered')).toBeVisible()
  await expect(keyCard(page).getByText(`Last test: ${outcome}`)).toBeVisible()
}

test.describe('Auto-posting', () => {
  test('validates the AI provider key, masks it, reveals it for 30 seconds and keeps it out of Web Storage', async ({
    browser,
  }) => {
    const page = await admin.context.newPage()
    const card = keyCard(page)
    const field = card.getByLabel('API Key')

    await test.step('rejects an invalid key and saves a valid one', async () => {
      await page.goto('/admin?tab=automation')
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
      await expect(toastContaining(page, 'API Key Saved')).toBeVisible()
      await expect(card.getByText('Configured', { exact: true })).toBeVisible()
      await expect(card.getByText(maskedKey, { exact: true })).toBeVisible()
      await expect(card.getByRole('button', { name: 'Edit' })).toBeFocused()
    })

    await test.step('reveals the key on request, and hides it on request or when the admin leaves the tab', async () => {
      await expect(card).toContainText('Viewing the key is recorded in the audit log.')
      await card.getByRole('button', { name: 'Show API Key' }).click()
      await expect(card.getByText(apiKey, { exact: true })).toBeVisible()
      await card.getByRole('button', { name: 'Hide API Key' }).click()
      await expect(card.getByText(maskedKey, { exact: true })).toBeVisible()
      await card.getByRole('button', { name: 'Show API Key' }).click()
      await expect(card.getByText(apiKey, { exact: true })).toBeVisible()
      await page.getByRole('tab', { name: 'Audit' }).click()
      await page.getByRole('tab', { name: 'Automation' }).click()
      await expect(card.getByText(maskedKey, { exact: true })).toBeVisible()
      const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
      expect(stored).not.toContain(apiKey)
      expect(await page.content()).not.toContain(apiKey)
    })

    await test.step('hides the key after 30 seconds', async () => {
      // The fake clock applies to a whole context, so this step needs its own.
      const otherContext = await browser.newContext({
        baseURL: stack.connection.apiUrl,
        storageState: await admin.context.storageState(),
      })
      const otherPage = await otherContext.newPage()
      await otherPage.clock.install()
      await otherPage.goto('/admin?tab=automation')
      await keyCard(otherPage).getByRole('button', { name: 'Show API Key' }).click()
      await expect(keyCard(otherPage).getByText(apiKey, { exact: true })).toBeVisible()
      await otherPage.clock.fastForward(30_000)
      await expect(keyCard(otherPage).getByText(maskedKey, { exact: true })).toBeVisible()
      await otherContext.close()
    })
    await page.close()
  })

  test('posts for a creator who has consented, and lets them review drafts first', async () => {
    const page = await admin.context.newPage()
    const coraPage = await cora.context.newPage()
    const consentState = coraPage.getByRole('region', { name: 'Posts written by AI' })
    const save = async () => {
      await coraPage.getByRole('button', { name: 'Save changes' }).click()
      await expect(coraPage.getByText('Profile updated successfully!')).toBeVisible()
    }

    await test.step('waits for the creator’s consent after an admin has enabled auto-posting', async () => {
      await page.goto(`/admin?q=${cora.account.username}`)
      await openAutoPosting(page, cora.account)
      await page.getByRole('button', { name: 'Enable Auto-Post: Cora Voice' }).click()
      await expect(toastContaining(page, 'Auto-posting Updated')).toBeVisible()
      await expect(page.getByText('Waiting for consent')).toBeVisible()
      await page.getByRole('tab', { name: 'Automation' }).click()
      await runTestPost(page, 'No creators with auto-posting on have agreed to it yet.')
      expect(ai.calls).toEqual([])
    })

    await test.step('asks the creator for consent in a notification', async () => {
      await coraPage.goto('/notifications')
      await coraPage.getByRole('main').getByText('The team would like to post in your name').click()
      await expect(coraPage).toHaveURL(/\/auto-posts$/)
      await expect(consentState).toContainText('Needs your consent')
      await expect(consentState).toContainText(
        'Unless you agree, nothing is written and none of your data is sent to the AI provider.',
      )
      await expect(pendingDrafts(coraPage).getByText('No drafts to review')).toBeVisible()
      await expectAccessible(coraPage)
      await consentState.getByRole('link', { name: 'Agree in Settings' }).click()
      const consent = coraPage.getByRole('switch', { name: 'Posts written by AI' })
      await expect(consent).toBeFocused()
      await coraPage.keyboard.press('Space')
      await save()
      await coraPage.getByRole('link', { name: 'Your auto-posts' }).click()
      await expect(consentState).toContainText('On: posts publish automatically')
    })

    await test.step('publishes a post that is marked as written with AI', async () => {
      ai.setBehavior({
        write: () => ({ post: 'The harbour was silver this morning, and I sang to nobody at all.' }),
      })
      await runTestPost(page, '1 published')
      expect(ai.calls.at(-1)?.authorization).toBe(`Bearer ${apiKey}`)
      const run = page
        .getByRole('region', { name: 'Auto-posts' })
        .getByRole('listitem')
        .filter({ hasText: 'Published' })
      await expect(run).toContainText('Cora Voice')
      await expect(run).toContainText('500 tokens')
      await run.getByRole('button', { name: 'Show prompt and answer: Cora Voice' }).click()
      await expect(run.getByText('The harbour was silver this morning')).toBeVisible()
      await expectAccessible(page)
      await run.getByRole('link', { name: 'View post: Cora Voice' }).click()
      await expect(page.getByRole('article')).toContainText('The harbour was silver this morning')
      const aiBadge = page.getByRole('button', { name: /^Written with AI\..*with their consent\.$/ })
      await aiBadge.click()
      await expect(page.getByRole('tooltip')).toContainText('with their consent')
      // Axe would report the open tooltip, because it is outside every landmark.
      await page.keyboard.press('Escape')
      await expect(page.getByRole('tooltip')).toBeHidden()
      await expectAccessible(page)
    })

    await test.step('creates a draft for a creator who reviews posts first, and publishes the edited draft', async () => {
      await coraPage.goto('/settings/creator?field=approveAutoPosts')
      await expect(coraPage.getByRole('switch', { name: 'Ask me before each post' })).toBeFocused()
      await coraPage.keyboard.press('Space')
      await save()
      ai.setBehavior({
        write: () => ({ post: 'Three covers sketched before lunch; the blue one keeps looking at me.' }),
      })
      await page.goto('/admin?tab=automation')
      await runTestPost(page, '1 draft')
      await coraPage.goto('/notifications')
      await coraPage.getByRole('main').getByText('An AI-written draft is ready for your review.').click()
      await expect(coraPage).toHaveURL(/\/auto-posts$/)
      const drafts = pendingDrafts(coraPage)
      await expect(drafts.getByText('Three covers sketched')).toBeVisible()
      await expect(drafts).toContainText('expires in 3 days')
      await drafts.getByRole('button', { name: 'Edit' }).click()
      const draftText = drafts.getByLabel('Post text')
      await expect(draftText).toBeFocused()
      await draftText.fill('  ')
      await drafts.getByRole('button', { name: 'Publish' }).click()
      await expect(drafts.getByText('Please write something first.')).toBeVisible()
      await coraPage.setViewportSize(phoneViewport)
      await expectAccessible(coraPage)
      await draftText.fill('Four covers sketched before lunch.')
      await coraPage.reload()
      await expect(draftText).toHaveValue('Four covers sketched before lunch.')
      await drafts.getByRole('button', { name: 'Publish' }).click()
      await expect(toastContaining(coraPage, 'Post created successfully!')).toBeVisible()
      const earlierDrafts = coraPage.getByRole('region', { name: 'Earlier drafts' })
      await expect(earlierDrafts).toContainText('Published')
      await earlierDrafts.getByRole('link', { name: 'View post' }).click()
      await expect(coraPage.getByRole('article')).toContainText('Four covers sketched before lunch.')
      await expect(coraPage.getByRole('button', { name: /^Written with AI/ })).toBeVisible()
    })

    await test.step('discards a draft', async () => {
      ai.setBehavior({ write: () => ({ post: randomPostText() }) })
      await runTestPost(page, '1 draft')
      await coraPage.goto('/auto-posts')
      await pendingDrafts(coraPage).getByRole('button', { name: 'Discard' }).click()
      await coraPage.getByRole('alertdialog').getByRole('button', { name: 'Discard draft' }).click()
      await expect(toastContaining(coraPage, 'Draft discarded')).toBeVisible()
      await expect(pendingDrafts(coraPage).getByText('No drafts to review')).toBeVisible()
      await expect(coraPage.getByRole('heading', { name: 'Drafts to review', exact: true })).toBeFocused()
      await expect(coraPage.getByRole('region', { name: 'Earlier drafts' })).toContainText('Discarded')
      await expectAccessible(coraPage)
    })

    await test.step('does not publish a post that the content checks reject, and says why', async () => {
      ai.setBehavior({ write: () => ({ post: 'Buy it now at https://spam.example before it is gone!' }) })
      await runTestPost(page, '1 not posted: It contained a link.')
    })
    await page.close()
    await coraPage.close()
  })

  test('reports that the provider rejects the key, removes the key and lists all actions in the audit log', async () => {
    const page = await admin.context.newPage()
    const card = keyCard(page)

    await test.step('warns while the provider rejects the key', async () => {
      await page.goto('/admin?tab=automation')
      ai.setBehavior({ write: () => ({ status: 401 }) })
      await runTestPost(page, '1 not posted: The provider rejected the API key.')
      const warning = card.getByRole('alert')
      await expect(warning).toContainText('Auto-posting is paused until you replace the key')
      await expectAccessible(page)
      ai.setBehavior({})
      await runTestPost(page, '1 draft')
      await expect(warning).toHaveCount(0)
    })

    await test.step('asks before removing the key', async () => {
      await card.getByRole('button', { name: 'Remove' }).click()
      const confirm = page.getByRole('alertdialog', { name: 'Remove the API key?' })
      await confirm.getByRole('button', { name: 'Cancel' }).click()
      await expect(card.getByText(maskedKey, { exact: true })).toBeVisible()
      await card.getByRole('button', { name: 'Remove' }).click()
      await confirm.getByRole('button', { name: 'Remove API Key' }).click()
      await expect(toastContaining(page, 'API Key Removed')).toBeVisible()
      await expect(card.getByText('Not configured')).toBeVisible()
      await expect(card.getByRole('heading')).toBeFocused()
      const refused = await admin.context.request.post('/api/admin/trigger-auto-posting')
      expect(await refused.json()).toMatchObject({ code: 'ai_key_missing' })
    })

    const log = page.getByRole('region', { name: 'Audit log' })
    const entries = log.getByRole('list', { name: 'Entries' }).getByRole('listitem')
    await test.step('filters the audit log by action, user and date', async () => {
      await page.getByRole('tab', { name: 'Audit' }).click()
      await expect(entries.first()).toContainText('Ada Keys removed the AI provider key')
      await expect(entries.last()).toContainText('Ada Keys set the AI provider key')
      await expectAccessible(page)
      await log.getByLabel('Action').selectOption('ai_key.reveal')
      await expect(entries).toHaveCount(3)
      await expect(entries.first()).toContainText('Ada Keys viewed the AI provider key')
      await expect(page).toHaveURL(/action=ai_key\.reveal/)
      await log.getByRole('button', { name: 'Clear filters' }).click()
      await log.getByRole('searchbox', { name: 'User' }).fill(cora.account.username)
      await log.getByRole('button', { name: 'Cora Voice' }).click()
      await expect(entries).toHaveCount(1)
      await expect(entries).toContainText('turned on auto-posting for Cora Voice')
      await expect(entries).toContainText('Frequency: Moderate (2–3 per day)')
      await page.reload()
      await expect(entries).toHaveCount(1)
      const firstDay = log.getByLabel('From (UTC)')
      // A year that is still being typed, such as 0002, is not applied.
      await firstDay.pressSequentially('01012')
      await firstDay.blur()
      await expect(firstDay).toHaveAccessibleDescription('Enter a complete date in 2000 or later.')
      expect(new URL(page.url()).searchParams.has('from')).toBe(false)
      await firstDay.fill('2999-01-01')
      await expect(log.getByText('No matching entries')).toBeVisible()
      await log.getByRole('button', { name: 'Clear filters' }).first().click()
      await expect(entries).toHaveCount(6)
    })

    await test.step('exports the audit log without the key', async () => {
      const download = page.waitForEvent('download')
      await log.getByRole('button', { name: 'Export' }).click()
      const file = await download
      expect(file.suggestedFilename()).toBe('audit-log.csv')
      const table = readFileSync(await file.path(), 'utf8')
      expect(table).toContain('ai_key.reveal')
      expect(table).not.toContain(apiKey)
    })

    await test.step('verifies the hash chain and detects a row that was changed in the database', async () => {
      const chain = page.getByRole('region', { name: 'Log integrity' })
      await expect(chain).toContainText('6 entries, all unchanged. Last hash:')
      const [row] = await stack.sql<{ id: number }[]>`
        select id::int as id from public.audit_entries where action = 'auto_posting.set'`
      await stack.sql.begin(async (tx) => {
        await tx`set local session_replication_role = replica`
        await tx`update public.audit_entries set actor_id = target_id where action = 'auto_posting.set'`
      })
      await chain.getByRole('button', { name: 'Check again' }).click()
      await expect(chain.getByRole('alert')).toContainText(`Broken at row ${row?.id}`)
      await page.setViewportSize(phoneViewport)
      await expectAccessible(page)
    })
  })
})

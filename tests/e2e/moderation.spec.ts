import { randomUUID } from 'node:crypto'
import { BulkDecisionAnswer, BulkDecisionRequest } from '@contract/moderation.ts'
import { Post } from '@contract/post.ts'
import { type BrowserContext, expect, type Locator, type Page, type Route, test } from 'playwright/test'
import { z } from 'zod'
import { expectAccessible } from './axe.ts'
import { forget, join, pickFromMenu, sql } from './support.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const postOf = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })
const discarding = (page: Page) => page.getByRole('alertdialog', { name: 'Discard what you wrote?' })
const caseOf = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Reports' }).getByRole('listitem').filter({ hasText: text })

/** Opens a menu and picks from it. */
async function pick(page: Page, button: Locator, name: string): Promise<void> {
  await button.click()
  await pickFromMenu(page, name)
}

/** Fills in the report that is open, and sends it. */
async function report(page: Page, reason: string, note = ''): Promise<void> {
  await dialog(page).getByRole('radio', { name: reason, exact: true }).check()
  await dialog(page).getByLabel('Note').fill(note)
  await dialog(page).getByRole('button', { name: 'Send report' }).click()
  await expect(dialog(page)).toBeHidden()
}

const idOf = async (context: BrowserContext) => {
  const answer = await context.request.get('/api/auth/user')
  return z.object({ id: z.string() }).parse(await answer.json()).id
}

/** Lets the first of several cases be decided, and answers as where there was no time for the others. */
async function decideFirst(route: Route): Promise<void> {
  const { ids, decision } = BulkDecisionRequest.parse(route.request().postDataJSON())
  const [first = '', ...late] = ids
  const answer = await route.fetch({ postData: JSON.stringify({ ids: [first], decision }) })
  const { decided, failed } = BulkDecisionAnswer.parse(await answer.json())
  const message = 'There was no time left. Please send the rest again.'
  const json = { decided, failed: [...failed, ...late.map((id) => ({ id, message }))] }
  await route.fulfill({ response: answer, json })
}

test('what is reported is decided, told with its reason, and appealed against', async ({ browser }) => {
  // Four people, one after the other.
  test.slow()
  const [rae, mal, abe, ada] = await Promise.all([
    join(browser, 'Rae Port'),
    join(browser, 'Mal Content'),
    join(browser, 'Abe Dean'),
    join(browser, 'Ada Judge'),
  ])
  const mark = randomUUID().slice(0, 8)
  const words = {
    post: `Buy my miracle pills ${mark}`,
    other: `Cheap watches here ${mark}`,
    comment: `Nobody likes this ${mark}`,
    message: `Answer me now ${mark}`,
    appeal: `They were sweets, not pills. ${mark}`,
  }
  await sql`select private.grant_admin(${abe.who.email}), private.grant_admin(${ada.who.email})`
  const write = async (by: BrowserContext, path: string, data: Record<string, unknown>) => {
    const answer = await by.request.post(path, { data })
    expect(answer.ok()).toBe(true)
    return await answer.json()
  }
  const publish = async (by: BrowserContext, content: string) =>
    Post.parse(await write(by, '/api/posts', { content }))
  const [raesId, malsId] = await Promise.all([idOf(rae.context), idOf(mal.context)])
  const [bad, other, raes] = await Promise.all([
    publish(mal.context, words.post),
    publish(mal.context, words.other),
    publish(rae.context, `A quiet day ${mark}`),
  ])
  await write(mal.context, `/api/posts/${raes.id}/comments`, { content: words.comment })
  await write(mal.context, '/api/messages', { id: randomUUID(), receiverId: raesId, content: words.message })
  const [page, mals, abes, adas] = await Promise.all([
    rae.context.newPage(),
    mal.context.newPage(),
    abe.context.newPage(),
    ada.context.newPage(),
  ])

  await test.step('A visitor who wants to report is led to sign in', async () => {
    const context = await browser.newContext()
    const visitor = await context.newPage()
    await visitor.goto(`/post/${bad.id}`)
    await pick(visitor, visitor.getByRole('button', { name: 'More about this post' }), 'Report post')
    await expect(visitor).toHaveURL(/\/login/)
    await context.close()
  })

  await test.step('A post: a reason is asked for, what fails is kept, and the same again is one report', async () => {
    await page.goto(`/post/${bad.id}`)
    const more = page.getByRole('button', { name: 'More about this post' })
    await pick(page, more, 'Report post')
    await dialog(page).getByRole('button', { name: 'Send report' }).click()
    await expect(dialog(page).getByText('Please choose a reason.')).toBeVisible()
    await expectAccessible(page)
    await page.route('**/api/reports', (route) => route.abort(), { times: 1 })
    await dialog(page).getByRole('radio', { name: 'Spam or a scam' }).check()
    await dialog(page).getByLabel('Note').fill('Sold like this for weeks')
    await dialog(page).getByRole('button', { name: 'Send report' }).click()
    await expect(dialog(page).getByText(/the connection was lost/)).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await discarding(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog(page).getByLabel('Note')).toHaveValue('Sold like this for weeks')
    await dialog(page).getByRole('button', { name: 'Send report' }).click()
    await expect(page.getByText('Report sent')).toBeVisible()
    await expect(more).toBeFocused()
    await pick(page, more, 'Report post')
    await report(page, 'Something else')
    await expect(page.getByText('You reported this already')).toBeVisible()
  })

  await test.step('A comment, a message and a person; nobody reports what is their own', async () => {
    await page.goto(`/post/${raes.id}`)
    await page.getByRole('button', { name: 'More about this post' }).click()
    await expect(page.getByRole('menuitem', { name: 'Edit post' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Report post' })).toBeHidden()
    await page.keyboard.press('Escape')
    await pick(
      page,
      page.getByRole('button', { name: 'More about the comment by Mal Content' }),
      'Report comment',
    )
    await report(page, 'Harassment or bullying')
    await expect(page.getByText('Report sent')).toBeVisible()

    await page.goto(`/messages?user=${malsId}`)
    const said = page.getByRole('group', { name: 'Messages', exact: true }).getByText(words.message)
    await said.hover()
    await pick(page, page.getByRole('button', { name: 'React and more actions' }).last(), 'Report message')
    await report(page, 'Violence or threats')
    await expect(page.getByText('Report sent')).toBeVisible()

    await page.goto(`/profile/${mal.who.username}`)
    await pick(page, page.getByRole('button', { name: 'More about Mal Content' }), 'Report person')
    await dialog(page).getByRole('checkbox', { name: 'Also block Mal Content' }).check()
    await report(page, 'Spam or a scam')
    await expect(page.getByText(/The moderators look at it\. You blocked/)).toBeVisible()
    await page.getByRole('button', { name: 'My reports' }).click()
    await expect(page).toHaveURL(/\/safety\?tab=reports/)
    const reports = page.getByRole('region', { name: 'My reports' })
    await expect(reports.getByRole('listitem')).toHaveCount(4)
    await expect(reports.getByText('Waiting', { exact: true })).toHaveCount(4)
    await expect(reports.getByText('Sold like this for weeks')).toBeVisible()
    await expectAccessible(page)
  })

  const malice = caseOf(abes, 'Person').filter({ hasText: `@${mal.who.username}` })
  await test.step('An admin reads the queue, dismisses two at once, hides one and suspends the person', async () => {
    await mals.goto('/')
    await abes.goto('/admin?tab=reports')
    await expect(caseOf(abes, words.post)).toContainText('Spam or a scam')
    await caseOf(abes, words.post)
      .getByRole('button', { name: /^Details/ })
      .click()
    await expect(dialog(abes).getByText('Sold like this for weeks')).toBeVisible()
    await expect(dialog(abes).getByRole('link', { name: 'Rae Port' })).toBeVisible()
    await abes.keyboard.press('Escape')
    await expectAccessible(abes)

    await caseOf(abes, words.comment).getByRole('checkbox').check()
    await caseOf(abes, words.message).getByRole('checkbox').check()
    const chosen = abes.getByRole('region', { name: 'Chosen cases' })
    await expect(chosen).toContainText('2 cases chosen')
    const dismiss = async () => {
      await chosen.getByRole('button', { name: 'Dismiss' }).click()
      await dialog(abes).getByRole('button', { name: 'Dismiss' }).click()
    }
    // As where there is time for one of them alone: the other one stays chosen, to be sent again.
    await abes.route('**/api/admin/cases/decide', decideFirst, { times: 1 })
    await dismiss()
    await expect(abes.getByText('Dismissed: 1 case')).toBeVisible()
    await expect(
      abes.getByText('1 was not: There was no time left. Please send the rest again.'),
    ).toBeVisible()
    await expect(chosen).toContainText('1 case chosen')
    await dismiss()
    await expect(chosen).toBeHidden()
    await expect(caseOf(abes, words.message)).toBeHidden()
    await expect(caseOf(abes, words.comment)).toBeHidden()

    await caseOf(abes, words.post).getByRole('button', { name: /^Hide/ }).click()
    await dialog(abes).getByRole('button', { name: 'Hide', exact: true }).click()
    await expect(dialog(abes).getByText('Please say why.')).toBeVisible()
    await expect(dialog(abes).getByLabel('Reason')).toBeFocused()
    await dialog(abes).getByLabel('Reason').fill('Medicine is not sold here.')
    await abes.keyboard.press('Escape')
    await expect(discarding(abes)).toContainText('Nothing was decided')
    await discarding(abes).getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog(abes).getByLabel('Reason')).toBeFocused()
    await expect(dialog(abes).getByLabel('Reason')).toHaveValue('Medicine is not sold here.')
    await dialog(abes).getByRole('button', { name: 'Hide', exact: true }).click()
    await expect(abes.getByText('Hidden: 1 case')).toBeVisible()

    await malice.getByRole('button', { name: /^Suspend/ }).click()
    await dialog(abes).getByLabel('For how long').selectOption('Another number of days')
    await dialog(abes).getByLabel('Reason').fill('You sell what must not be sold.')
    await dialog(abes).getByRole('button', { name: 'Suspend', exact: true }).click()
    await expect(dialog(abes).getByText('Please choose for how long.')).toBeVisible()
    await expectAccessible(abes)
    await dialog(abes).getByLabel('Days', { exact: true }).fill('14')
    await dialog(abes).getByRole('button', { name: 'Suspend', exact: true }).click()
    await expect(abes.getByText('Suspended: 1 case')).toBeVisible()
    await expect(malice).toBeHidden()
  })

  await test.step('Whoever reported reads what became of each', async () => {
    await page.reload()
    const reports = page.getByRole('region', { name: 'My reports' })
    await expect(reports.getByText('Acted', { exact: true })).toHaveCount(2)
    await expect(reports.getByText('May stay', { exact: true })).toHaveCount(2)
  })

  const banner = mals.getByRole('region', { name: 'Read-only account' })
  const decisions = mals.getByRole('region', { name: 'Decisions' })
  await test.step('The person concerned learns it on the page that is open, and why', async () => {
    await expect(banner).toContainText('Suspended until')
    await expect(banner).toContainText('You sell what must not be sold.')
    await expect(mals.getByPlaceholder("What's on your mind?")).toBeHidden()
    await mals.goto(`/post/${bad.id}`)
    await expect(postOf(mals, words.post)).toContainText('Hidden by the moderators — only you see it.')
    await expectAccessible(mals)
    await mals.getByRole('button', { name: /^Like/ }).first().click()
    await expect(mals.getByText(/^Suspended until .*must not be sold\.$/).last()).toBeVisible()
    await banner.getByRole('link', { name: 'See the decision' }).click()
    await expect(decisions.getByRole('listitem')).toHaveCount(2)
    await expect(decisions).toContainText('Your post was hidden')
    await expect(decisions).toContainText(words.post)
    await expect(decisions).toContainText('Medicine is not sold here.')
    await mals.getByRole('tab', { name: 'Account log' }).click()
    await expect(mals.getByText(/Your account was suspended: You sell/)).toBeVisible()
  })

  const suspension = decisions.getByRole('listitem').filter({ hasText: 'Your account was suspended' })
  await test.step('They appeal, once', async () => {
    await mals.getByRole('tab', { name: 'Decisions' }).click()
    await suspension.getByRole('button', { name: 'Appeal', exact: true }).click()
    await suspension.getByRole('button', { name: 'Send appeal' }).click()
    await expect(suspension.getByText('Please say why you disagree.')).toBeVisible()
    await suspension.getByLabel('Why do you disagree?').fill(words.appeal)
    await expectAccessible(mals)
    await mals.getByRole('tab', { name: 'Account log' }).click()
    await mals.reload()
    await mals.getByRole('tab', { name: 'Decisions' }).click()
    await suspension.getByRole('button', { name: 'Continue appeal' }).click()
    await expect(suspension.getByLabel('Why do you disagree?')).toHaveValue(words.appeal)
    await suspension.getByRole('button', { name: 'Send appeal' }).click()
    await expect(suspension).toContainText('Another moderator reads it.')
    await expect(suspension.getByRole('button', { name: /appeal/i })).toBeHidden()
    expect(
      await mals.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('appeal'))),
    ).toEqual([])
  })

  await test.step('Another admin answers it: who decided may not', async () => {
    await abes.getByRole('button', { name: /^Appeals( \d+)?$/ }).click()
    const grant = (at: Page) => caseOf(at, words.appeal).getByRole('button', { name: /^Grant/ })
    await expect(
      caseOf(abes, words.appeal).getByText('Another admin has to answer this appeal.'),
    ).toBeVisible()
    await expect(grant(abes)).toBeHidden()
    await adas.goto('/admin?tab=reports&cases=appealed')
    await expectAccessible(adas)
    await grant(adas).click()
    await dialog(adas).getByLabel('Answer').fill('Sweets may be sold.')
    await dialog(adas).getByRole('button', { name: 'Grant', exact: true }).click()
    await expect(adas.getByText('Appeal granted')).toBeVisible()
    await expect(banner).toBeHidden()
    await mals.reload()
    await expect(suspension).toContainText('Sweets may be sold.')
    await expect(suspension).toContainText('Taken back')
  })

  await test.step('An admin decides from where a thing is shown, and it is gone from the list', async () => {
    await adas.goto(`/profile/${mal.who.username}`)
    const shown = postOf(adas, words.other)
    const more = shown.getByRole('button', { name: 'More about this post' })
    await pick(adas, more, 'Moderate…')
    // An answer that is lost: what was decided is not decided again.
    const moderating = '**/api/admin/moderate'
    const loseAnswer = async (route: Route) => {
      await route.fetch()
      await route.abort()
    }
    await adas.route(moderating, loseAnswer, { times: 1 })
    await dialog(adas).getByRole('radio', { name: 'Warn' }).check()
    await dialog(adas).getByLabel('Reason').fill('No watches, please.')
    await dialog(adas).getByRole('button', { name: 'Warn', exact: true }).click()
    await expect(dialog(adas).getByText(/Sent again unchanged, it is decided once/)).toBeVisible()
    await dialog(adas).getByRole('button', { name: 'Warn', exact: true }).click()
    await expect(adas.getByText('Warned')).toBeVisible()
    expect(
      await sql`select decision from public.moderation_cases where subject_id = ${other.id}`,
    ).toMatchObject([{ decision: 'warn' }])

    await pick(adas, more, 'Moderate…')
    await dialog(adas).getByRole('button', { name: 'Decide' }).click()
    await expect(dialog(adas).getByText('Please choose what is to happen.')).toBeVisible()
    await dialog(adas).getByRole('radio', { name: 'Remove it' }).check()
    await dialog(adas).getByLabel('Reason').fill('Not even watches.')
    await expectAccessible(adas)
    await dialog(adas).getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(shown).toBeHidden()
  })
  await Promise.all([rae, mal, abe, ada].map(forget))
  // A case outlives the people in it.
  await sql`delete from public.moderation_cases where person_id = ${malsId}`
})

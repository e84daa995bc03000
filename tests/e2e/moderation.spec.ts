import { randomUUID } from 'node:crypto'
import { BulkDecisionRequest, BulkDecisionResponse } from '@contract/moderation.ts'
import { expect, type Locator, type Page, type Route, test } from 'playwright/test'
import { createPng } from '../support/media-files.ts'
import { expectAccessible } from './support/accessibility.ts'
import { addComment, postToApi, publish, sendMessage, uploadPicture } from './support/content.ts'
import { messageThread } from './support/conversation.ts'
import { pngFile } from './support/files.ts'
import { horizontalOverflow, phoneViewport, pickFromMenu, postWithText } from './support/page.ts'
import { abortNextRequest, dropResponse } from './support/requests.ts'
import { createAdmin, createSignedInUser, deleteUser, sql } from './support/users.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const discardPrompt = (page: Page) => page.getByRole('alertdialog', { name: 'Discard what you wrote?' })
const caseWithText = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Reports' }).getByRole('listitem').filter({ hasText: text })

const moreActions = (caseRow: Locator) => caseRow.getByRole('button', { name: /^More actions/ })

/** Opens a menu with its button and clicks an item. */
async function openMenuAndPick(page: Page, button: Locator, name: string): Promise<void> {
  await button.click()
  await pickFromMenu(page, name)
}

/** Fills in the open report form and sends it. */
async function sendReport(page: Page, reason: string, note = ''): Promise<void> {
  await dialog(page).getByRole('radio', { name: reason, exact: true }).check()
  await dialog(page).getByLabel('Note').fill(note)
  await dialog(page).getByRole('button', { name: 'Send report' }).click()
  await expect(dialog(page)).toBeHidden()
}

/**
 * Sends all cases of a bulk decision to the server, but responds as if another admin had decided all but the first in
 * the meantime.
 */
async function reportOthersAsDecided(route: Route): Promise<void> {
  const response = await route.fetch()
  const { decided } = BulkDecisionResponse.parse(await response.json())
  const [first = '', ...others] = decided
  const message = 'This case has already been decided.'
  await route.fulfill({ response, json: { decided: [first], failed: others.map((id) => ({ id, message })) } })
}

/** Sends only the first case of a bulk decision to the server, and responds that there was no time for the others. */
async function decideFirstCaseOnly(route: Route): Promise<void> {
  const { ids, decision } = BulkDecisionRequest.parse(route.request().postDataJSON())
  const [first = '', ...undecided] = ids
  const response = await route.fetch({ postData: JSON.stringify({ ids: [first], decision }) })
  const { decided, failed } = BulkDecisionResponse.parse(await response.json())
  const message = 'There was no time left for this case. Please try again.'
  const json = { decided, failed: [...failed, ...undecided.map((id) => ({ id, message }))] }
  await route.fulfill({ response, json })
}

test.describe('Moderation', () => {
  test('reports content, decides the cases, shows the reasons and grants an appeal', async ({ browser }) => {
    // This test takes a long time, because four users act one after another.
    test.slow()
    const [rae, mal, abe, ada] = await Promise.all([
      createSignedInUser(browser, 'Rae Port'),
      createSignedInUser(browser, 'Mal Content'),
      createAdmin(browser, 'Abe Dean'),
      createAdmin(browser, 'Ada Judge'),
    ])
    const suffix = randomUUID().slice(0, 8)
    const texts = {
      post: `Buy my miracle pills ${suffix}`,
      other: `Cheap watches here ${suffix}`,
      comment: `Nobody likes this ${suffix}`,
      harmless: `Good morning ${suffix}`,
      message: `Answer me now ${suffix}`,
      appeal: `They were sweets, not pills. ${suffix}`,
    }
    const imageUrl = await uploadPicture(mal, pngFile('bowl.png', createPng({ width: 64, height: 48 })))
    const [reportedPost, otherPost, harmlessPost, raePost] = await Promise.all([
      publish(mal, { content: texts.post }),
      publish(mal, { content: texts.other }),
      publish(mal, { content: texts.harmless, imageUrl, altText: 'A red bowl' }),
      publish(rae, { content: `A quiet day ${suffix}` }),
    ])
    await addComment(mal, raePost.id, texts.comment)
    await postToApi(ada, '/api/reports', { kind: 'post', id: harmlessPost.id, reason: 'spam' })
    await sendMessage(mal, rae, { content: texts.message })
    const [page, malPage, abePage, adaPage] = await Promise.all([
      rae.context.newPage(),
      mal.context.newPage(),
      abe.context.newPage(),
      ada.context.newPage(),
    ])

    await test.step('asks a visitor to sign in before reporting', async () => {
      const context = await browser.newContext()
      const visitor = await context.newPage()
      await visitor.goto(`/post/${reportedPost.id}`)
      await openMenuAndPick(
        visitor,
        visitor.getByRole('button', { name: 'More about this post' }),
        'Report post',
      )
      await expect(visitor).toHaveURL(/\/login/)
      await context.close()
    })

    await test.step('requires a reason, keeps the input after a failure and accepts one report per post', async () => {
      await page.goto(`/post/${reportedPost.id}`)
      const more = page.getByRole('button', { name: 'More about this post' })
      await openMenuAndPick(page, more, 'Report post')
      await dialog(page).getByRole('button', { name: 'Send report' }).click()
      await expect(dialog(page).getByText('Choose a reason.')).toBeVisible()
      await expectAccessible(page)
      await abortNextRequest(page, '**/api/reports')
      await dialog(page).getByRole('radio', { name: 'Spam or a scam' }).check()
      await dialog(page).getByLabel('Note').fill('Sold like this for weeks')
      await dialog(page).getByRole('button', { name: 'Send report' }).click()
      await expect(dialog(page).getByText(/the connection was lost/)).toBeVisible()
      await dialog(page).getByRole('button', { name: 'Cancel' }).click()
      await discardPrompt(page).getByRole('button', { name: 'Cancel' }).click()
      await expect(dialog(page).getByLabel('Note')).toHaveValue('Sold like this for weeks')
      await dialog(page).getByRole('button', { name: 'Send report' }).click()
      await expect(page.getByText('Report sent')).toBeVisible()
      await expect(more).toBeFocused()
      await openMenuAndPick(page, more, 'Report post')
      await sendReport(page, 'Something else')
      await expect(page.getByText('You’ve already reported this')).toBeVisible()
    })

    await test.step('reports a comment, a message and a user, but offers no way to report one’s own content', async () => {
      await page.goto(`/post/${raePost.id}`)
      await page.getByRole('button', { name: 'More about this post' }).click()
      await expect(page.getByRole('menuitem', { name: 'Edit post' })).toBeVisible()
      await expect(page.getByRole('menuitem', { name: 'Report post' })).toBeHidden()
      await page.keyboard.press('Escape')
      await openMenuAndPick(
        page,
        page.getByRole('button', { name: 'More about the comment by Mal Content' }),
        'Report comment',
      )
      await sendReport(page, 'Harassment or bullying')
      await expect(page.getByText('Report sent')).toBeVisible()

      await page.goto(`/messages?user=${mal.id}`)
      await messageThread(page).getByText(texts.message).hover()
      await openMenuAndPick(
        page,
        page.getByRole('button', { name: 'React and more actions' }).last(),
        'Report message',
      )
      await sendReport(page, 'Violence or threats')
      await expect(page.getByText('Report sent')).toBeVisible()

      await page.goto(`/profile/${mal.account.username}`)
      await openMenuAndPick(
        page,
        page.getByRole('button', { name: 'More about Mal Content' }),
        'Report person',
      )
      await dialog(page).getByRole('checkbox', { name: 'Also block Mal Content' }).check()
      await sendReport(page, 'Spam or a scam')
      await expect(page.getByText(/Our moderators will review it\. You blocked/)).toBeVisible()
      await page.getByRole('button', { name: 'My reports' }).click()
      await expect(page).toHaveURL(/\/safety\?tab=reports/)
      const reports = page.getByRole('region', { name: 'My reports' })
      await expect(reports.getByRole('listitem')).toHaveCount(4)
      await expect(reports.getByText('Waiting', { exact: true })).toHaveCount(4)
      await expect(reports.getByText('Sold like this for weeks')).toBeVisible()
      await expectAccessible(page)
    })

    const malCase = caseWithText(abePage, 'Profile').filter({ hasText: `@${mal.account.username}` })
    await test.step('lets an admin dismiss three cases, hide a post and suspend the author', async () => {
      await malPage.goto('/')
      await abePage.goto('/admin')
      const attention = abePage.getByRole('region', { name: 'Needs attention' })
      await expect(async () => {
        const counts = await attention.getByRole('heading', { level: 3 }).allInnerTexts()
        const sum = counts.reduce((total, text) => total + Number.parseInt(text, 10), 0)
        expect(sum).toBeGreaterThan(0)
        // The total also includes jobs that are late.
        expect(Number(await attention.locator('h2 + span').textContent())).toBeGreaterThanOrEqual(sum)
      }).toPass()
      const openReports = abePage.getByRole('region', { name: 'Open reports' })
      await openReports.getByRole('listitem').first().getByRole('link').click()
      await expect(abePage).toHaveURL(/tab=reports&cases=open&person=/)
      await abePage.goto('/admin?tab=reports')
      await abePage.getByLabel('Sort by').selectOption('Needs attention')
      await expect(abePage).toHaveURL(/sort=attention/)
      const postCase = caseWithText(abePage, texts.post)
      await expect(postCase).toContainText('1 reportSpam or a scam')
      await expect(
        postCase.getByRole('button', { name: /^(Dismiss|Hide): post by Mal Content$/ }),
      ).toHaveCount(2)
      const excerpt = postCase.getByRole('button', { name: texts.post })
      await excerpt.click()
      await expect(excerpt).toHaveAttribute('aria-expanded', 'true')
      await expect(postCase.getByRole('blockquote')).toHaveText(texts.post)
      await expect(postCase.getByRole('link', { name: 'View post' })).toHaveAttribute(
        'href',
        `/post/${reportedPost.id}`,
      )
      await abePage.setViewportSize(phoneViewport)
      expect(await horizontalOverflow(abePage)).toBe(0)
      await abePage.setViewportSize({ width: 1280, height: 720 })
      await excerpt.click()
      await expect(postCase.getByRole('blockquote')).toBeHidden()
      await openMenuAndPick(abePage, moreActions(postCase), 'See reports')
      await expect(dialog(abePage).getByText('Sold like this for weeks')).toBeVisible()
      await expect(dialog(abePage).getByRole('link', { name: 'Rae Port' })).toBeVisible()
      await abePage.keyboard.press('Escape')
      await expect(moreActions(postCase)).toBeFocused()
      await expectAccessible(abePage)

      // The time receives the pointer, although the whole row is a button.
      await postCase.locator('time').hover()

      const harmlessCase = caseWithText(abePage, texts.harmless)
      const thumbnail = harmlessCase.getByRole('button', { name: 'Show image: post by Mal Content' })
      await thumbnail.click()
      await expect(thumbnail).toHaveAttribute('aria-pressed', 'true')
      await expect(thumbnail).toHaveAccessibleName('Show image: post by Mal Content A red bowl')
      await expect(harmlessCase.getByRole('blockquote')).toBeHidden()
      // An image that was deleted has no thumbnail.
      await abePage.route('**/api/media/*', (route) => route.abort())
      await abePage.reload()
      await expect(harmlessCase).toBeVisible()
      await expect(thumbnail).toHaveCount(0)
      await abePage.unroute('**/api/media/*')

      await caseWithText(abePage, texts.comment).getByRole('checkbox').check()
      await caseWithText(abePage, texts.message).getByRole('checkbox').check()
      const chosen = abePage.getByRole('region', { name: 'Selected cases' })
      await expect(chosen).toContainText('2 cases selected')
      const dismiss = async () => {
        await chosen.getByRole('button', { name: 'Dismiss' }).click()
        await dialog(abePage).getByRole('button', { name: 'Dismiss' }).click()
      }
      // Simulates a server that has time for only one case. The other case stays selected, to be sent again.
      await abePage.route('**/api/admin/cases/decide', decideFirstCaseOnly, { times: 1 })
      await dismiss()
      await expect(
        chosen.getByText('1 case not decided: There was no time left for this case. Please try again.'),
      ).toBeVisible()
      await expect(chosen).toContainText('1 case selected')
      await caseWithText(abePage, texts.harmless).getByRole('checkbox').check()
      // The failed case is no longer listed. The selection bar still says what happened.
      await abePage.route('**/api/admin/cases/decide', reportOthersAsDecided, { times: 1 })
      await dismiss()
      const result = '1 case decided. 1 case not decided: This case has already been decided.'
      await expect(caseWithText(abePage, texts.harmless)).toBeHidden()
      await expect(chosen.getByText(result)).toBeVisible()
      await expectAccessible(abePage)
      await chosen.getByRole('button', { name: 'Close' }).click()
      await expect(chosen).toBeHidden()
      await expect(caseWithText(abePage, texts.message)).toBeHidden()
      await expect(caseWithText(abePage, texts.comment)).toBeHidden()

      await caseWithText(abePage, texts.post).getByRole('button', { name: /^Hide/ }).click()
      await dialog(abePage).getByRole('button', { name: 'Hide', exact: true }).click()
      await expect(dialog(abePage).getByText('Please say why.')).toBeVisible()
      await expect(dialog(abePage).getByLabel('Reason')).toBeFocused()
      await dialog(abePage).getByLabel('Reason').fill('Medicine is not sold here.')
      await abePage.keyboard.press('Escape')
      await expect(discardPrompt(abePage)).toContainText('No decision has been made.')
      await discardPrompt(abePage).getByRole('button', { name: 'Cancel' }).click()
      await expect(dialog(abePage).getByLabel('Reason')).toBeFocused()
      await expect(dialog(abePage).getByLabel('Reason')).toHaveValue('Medicine is not sold here.')
      await dialog(abePage).getByRole('button', { name: 'Hide', exact: true }).click()
      await expect(abePage.getByText('Hidden: 1 case')).toBeVisible()

      await openMenuAndPick(abePage, moreActions(malCase), 'Suspend')
      await dialog(abePage).getByLabel('Duration').selectOption('Custom')
      await dialog(abePage).getByLabel('Reason').fill('You sold prohibited goods.')
      await dialog(abePage).getByRole('button', { name: 'Suspend', exact: true }).click()
      await expect(dialog(abePage).getByText('Please choose a duration.')).toBeVisible()
      await expectAccessible(abePage)
      await dialog(abePage).getByLabel('Days', { exact: true }).fill('14')
      await dialog(abePage).getByRole('button', { name: 'Suspend', exact: true }).click()
      await expect(abePage.getByText('Suspended: 1 case')).toBeVisible()
      await expect(malCase).toBeHidden()
    })

    await test.step('shows the reporter the outcome of each report', async () => {
      await page.reload()
      const reports = page.getByRole('region', { name: 'My reports' })
      await expect(reports.getByText('Action taken', { exact: true })).toHaveCount(2)
      await expect(reports.getByText('No violation', { exact: true })).toHaveCount(2)
    })

    const banner = malPage.getByRole('region', { name: 'Read-only account' })
    const decisions = malPage.getByRole('region', { name: 'Decisions' })
    await test.step('shows the suspended user the decision and the reason on the open page', async () => {
      await expect(banner).toContainText('Suspended until')
      await expect(banner).toContainText('You sold prohibited goods.')
      await expect(malPage.getByPlaceholder("What's on your mind?")).toBeHidden()
      await malPage.goto(`/post/${reportedPost.id}`)
      await expect(postWithText(malPage, texts.post)).toContainText(
        'Hidden by moderators. Only you can see it.',
      )
      await expectAccessible(malPage)
      await malPage.getByRole('button', { name: /^Like/ }).first().click()
      await expect(malPage.getByText(/^Suspended until .*prohibited goods\.\u2069$/).last()).toBeVisible()
      await banner.getByRole('link', { name: 'See the decision' }).click()
      await expect(decisions.getByRole('listitem')).toHaveCount(2)
      await expect(decisions).toContainText('Your post was hidden')
      await expect(decisions).toContainText(texts.post)
      await expect(decisions).toContainText('Medicine is not sold here.')
      await malPage.getByRole('tab', { name: 'Account log' }).click()
      await expect(malPage.getByText(/Your account was suspended\. Reason: .?You sold/)).toBeVisible()
    })

    const suspension = decisions.getByRole('listitem').filter({ hasText: 'Your account was suspended' })
    await test.step('lets the suspended user appeal once and keeps the draft', async () => {
      await malPage.getByRole('tab', { name: 'Decisions' }).click()
      await suspension.getByRole('button', { name: 'Appeal', exact: true }).click()
      await suspension.getByRole('button', { name: 'Send appeal' }).click()
      await expect(suspension.getByText('Please say why you disagree.')).toBeVisible()
      await suspension.getByLabel('Why do you disagree?').fill(texts.appeal)
      await expectAccessible(malPage)
      await malPage.getByRole('tab', { name: 'Account log' }).click()
      await malPage.reload()
      await malPage.getByRole('tab', { name: 'Decisions' }).click()
      await suspension.getByRole('button', { name: 'Continue appeal' }).click()
      await expect(suspension.getByLabel('Why do you disagree?')).toHaveValue(texts.appeal)
      await suspension.getByRole('button', { name: 'Send appeal' }).click()
      await expect(suspension).toContainText('A different moderator will review it')
      await expect(suspension.getByRole('button', { name: /appeal/i })).toBeHidden()
      expect(
        await malPage.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('appeal'))),
      ).toEqual([])
    })

    await test.step('lets only another admin answer the appeal', async () => {
      await abePage.getByRole('button', { name: /^Appeals( \d+)?$/ }).click()
      const grantButton = (admin: Page) =>
        caseWithText(admin, texts.appeal).getByRole('button', { name: /^Grant/ })
      await expect(
        caseWithText(abePage, texts.appeal).getByText('Another admin has to answer this appeal.'),
      ).toBeVisible()
      await expect(grantButton(abePage)).toBeHidden()
      await adaPage.goto('/admin?tab=reports&cases=appealed')
      await expectAccessible(adaPage)
      await grantButton(adaPage).click()
      await dialog(adaPage).getByLabel('Answer').fill('Sweets may be sold.')
      await dialog(adaPage).getByRole('button', { name: 'Grant', exact: true }).click()
      await expect(adaPage.getByText('Appeal granted')).toBeVisible()
      await expect(banner).toBeHidden()
      await malPage.reload()
      await expect(suspension).toContainText('Sweets may be sold.')
      await expect(suspension).toContainText('Overturned')
    })

    await test.step('lets an admin moderate a post from a profile, and removes the post from the list', async () => {
      await adaPage.goto(`/profile/${mal.account.username}`)
      const post = postWithText(adaPage, texts.other)
      const more = post.getByRole('button', { name: 'More about this post' })
      await openMenuAndPick(adaPage, more, 'Moderate…')
      // The response to the first attempt is lost. The second attempt must not apply the decision again.
      await adaPage.route('**/api/admin/moderate', dropResponse, { times: 1 })
      await dialog(adaPage).getByRole('radio', { name: 'Warn' }).check()
      await dialog(adaPage).getByLabel('Reason').fill('No watches, please.')
      await dialog(adaPage).getByRole('button', { name: 'Warn', exact: true }).click()
      await expect(dialog(adaPage).getByText(/it won't be applied twice/)).toBeVisible()
      await dialog(adaPage).getByRole('button', { name: 'Warn', exact: true }).click()
      await expect(adaPage.getByText('Warned')).toBeVisible()
      expect(
        await sql`select decision from public.moderation_cases where subject_id = ${otherPost.id}`,
      ).toMatchObject([{ decision: 'warn' }])

      await openMenuAndPick(adaPage, more, 'Moderate…')
      await dialog(adaPage).getByRole('button', { name: 'Apply' }).click()
      await expect(dialog(adaPage).getByText('Choose an action.')).toBeVisible()
      await dialog(adaPage).getByRole('radio', { name: 'Remove' }).check()
      await dialog(adaPage).getByLabel('Reason').fill('Not even watches.')
      await expectAccessible(adaPage)
      await dialog(adaPage).getByRole('button', { name: 'Remove', exact: true }).click()
      await expect(post).toBeHidden()
    })
    await Promise.all([rae, mal, abe, ada].map(deleteUser))
    // Deleting the users does not delete the cases.
    await sql`delete from public.moderation_cases where user_id = ${mal.id}`
  })
})

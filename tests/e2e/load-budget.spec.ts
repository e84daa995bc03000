import { expect, test } from 'playwright/test'
import { findExceededBudgets, measureDownloads } from '../load/page-load.mjs'
import { readConnection } from '../support/connection.ts'
import { publish } from './support/content.ts'
import { createSignedInUser } from './support/users.ts'

test('the landing page and the feed stay within their download budgets', async ({ browser }) => {
  const { apiUrl } = readConnection()
  const visitor = await browser.newContext()
  expect(findExceededBudgets('landing', await measureDownloads(visitor, apiUrl, 'landing'))).toEqual([])
  await visitor.close()
  const { context } = await createSignedInUser(browser, 'Feed Reader')
  await publish({ context }, { content: 'A post for the feed.' })
  expect(findExceededBudgets('feed', await measureDownloads(context, apiUrl, 'feed'))).toEqual([])
  await context.close()
})

import { expect, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { respondToNextRequest } from './support/requests.ts'
import { createAdmin } from './support/users.ts'

test('the system tab offers a retry after a failure, and shows the system’s health, schedule and recent errors', async ({
  browser,
}) => {
  const admin = await createAdmin(browser, 'Ada Operator')
  const page = await admin.context.newPage()
  await respondToNextRequest(page, '**/api/admin/system', {
    status: 503,
    json: { message: 'Not now.', code: 'unavailable' },
  })
  await page.goto('/admin?tab=system')
  await page.getByRole('button', { name: 'Try again' }).click()
  const health = page.getByRole('region', { name: 'Health' })
  for (const part of ['Database', 'Sign-in', 'Storage', 'Realtime', 'Data API']) {
    await expect(health.getByRole('listitem').filter({ hasText: part })).toContainText('Working')
  }
  await expect(health).toContainText(/Disk space.+ free of /)
  await expect(health).toContainText('LedgerBalanced')
  await expect(page.getByRole('region', { name: 'Schedule' })).toContainText('auto-posts')
  await expect(page.getByRole('region', { name: 'Recent errors' })).toContainText(/warnings (and|or) errors/i)
  await expectAccessible(page)
})

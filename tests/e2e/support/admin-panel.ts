import { expect, type Page } from 'playwright/test'
import type { Account } from './users.ts'

/** Returns the topmost open dialog. */
export const topDialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog')).last()

export const clickDialogButton = (page: Page, name: string) =>
  topDialog(page).getByRole('button', { name, exact: true }).click()

/** Returns the toast title or message whose whole text is `text`. */
export const toastWithText = (page: Page, text: string) =>
  page.locator('#toasts').getByText(text, { exact: true }).first()

/** Returns the rows of the list of users, without the header. */
export const userRows = (page: Page) =>
  page.getByRole('region', { name: 'User management' }).getByRole('row').filter({ hasText: '@' })

/** Returns the row of a user in the admin panel. */
export const userRow = (page: Page, { username }: Account) =>
  userRows(page).filter({ has: page.getByText(`@${username}`, { exact: true }) })

/** Returns the button that opens a user's action menu. */
export const userMenuButton = (page: Page, account: Account) =>
  userRow(page, account).getByRole('button', { name: `More about ${account.fullName}` })

/** Clicks an action for a user: the button in the user's row if there is one, or else the menu item. */
export async function clickUserAction(page: Page, account: Account, action: string): Promise<void> {
  const menuButton = userMenuButton(page, account)
  const button = userRow(page, account).getByRole('button', { name: `${action}: ${account.fullName}` })
  await expect(menuButton).toBeVisible()
  if (await button.isVisible()) return button.click()
  await menuButton.click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** Opens a creator's auto-posting panel. */
export async function openAutoPosting(page: Page, account: Account): Promise<void> {
  await userMenuButton(page, account).click()
  await page.getByRole('menuitem', { name: 'Auto-posting', exact: true }).click()
  await expect(page.getByRole('group', { name: `Auto-posting for ${account.fullName}` })).toBeVisible()
}

/** Searches the admin panel for users by part of the name, username or email address. */
export async function searchUsers(page: Page, query: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search by name, username or email' }).fill(query)
  await expect(page).toHaveURL((url) => url.searchParams.get('q') === query)
}

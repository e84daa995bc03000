import { expect, type Page } from 'playwright/test'
import { join, type Member, sql } from './support.ts'

/** The dialog that is on top. */
export const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog')).last()
/** Presses a button of it. */
export const press = (page: Page, name: string) =>
  dialog(page).getByRole('button', { name, exact: true }).click()
/** What a toast says. */
export const said = (page: Page, title: string) =>
  page.locator('#toasts').getByText(title, { exact: true }).first()
/** Somebody's card in the panel. */
export const cardOf = (page: Page, who: Member) =>
  page.getByRole('listitem').filter({ has: page.getByText(`@${who.username}`, { exact: true }) })
/** Presses what is to be done with somebody. */
export const does = (page: Page, who: Member, action: string) =>
  cardOf(page, who)
    .getByRole('button', { name: `${action}: ${who.fullName}` })
    .click()

export async function idOf({ email }: Member): Promise<string> {
  const [row] = await sql<
    { id: string }[]
  >`select a.user_id as id from public.accounts a where a.email = ${email}`
  return row?.id ?? ''
}

/** Somebody signed up, an admin by the operator's word. */
export async function admin(...[browser, fullName]: Parameters<typeof join>) {
  const joined = await join(browser, fullName)
  await sql`select private.grant_admin(${joined.who.email})`
  return joined
}

/** Looks for somebody, by a part of their name, username or email. */
export async function find(page: Page, words: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search by name, username or email' }).fill(words)
  await expect(page).toHaveURL((url) => url.searchParams.get('q') === words)
}

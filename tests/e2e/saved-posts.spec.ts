import { expect, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { publish } from './support/content.ts'
import { postWithText } from './support/page.ts'
import { failNextRequest } from './support/requests.ts'
import { createSignedInUser, createUserOnHomeFeed, deleteUser, sql } from './support/users.ts'

test.describe('Saved posts', () => {
  test('saves and unsaves posts, and lists saved posts', async ({ browser }) => {
    // Other tests may delete their posts at any moment, so this test creates the post that it saves.
    const author = await createSignedInUser(browser, 'Ana Sander')
    await publish(author, { content: 'Save this one.' })
    const ivo = await createUserOnHomeFeed(browser, 'Ivo Sander')
    const { page } = ivo
    const articles = page.getByRole('main').getByRole('article')
    const sidebar = page.getByRole('navigation', { name: 'Main' })
    await sidebar.getByRole('link', { name: 'Saved' }).click()
    await expect(page.getByText('No saved posts yet')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Explore posts' }).click()
    await expect(page).toHaveURL('/discover')
    await page.getByRole('button', { name: 'Newest' }).click()
    await postWithText(page, 'Save this one.').getByRole('link').first().click()
    await expect(page).toHaveURL(/\/post\//)

    const save = postWithText(page, 'Save this one.').getByRole('button', { name: 'Save' })
    await failNextRequest(page, '**/save')
    await save.click()
    await expect(page.getByText('Failed to save post')).toBeVisible()
    await expect(save).toHaveAttribute('aria-pressed', 'false')
    const saved = page.waitForResponse((response) => response.url().endsWith('/save'))
    await save.click()
    await expect(save).toHaveAttribute('aria-pressed', 'true')
    await saved
    await expect(save).toHaveAccessibleName('Saved')
    await sidebar.getByRole('link', { name: 'Saved' }).click()
    await expect(articles).toHaveCount(1)
    await expect(save).toHaveAttribute('aria-pressed', 'true')
    await save.click()
    await expect(save).toHaveAttribute('aria-pressed', 'false')
    await expect(articles).toHaveCount(1)
    await sidebar.getByRole('link', { name: 'Discover' }).click()
    await sidebar.getByRole('link', { name: 'Saved' }).click()
    await expect(page.getByText('No saved posts yet')).toBeVisible()

    // The oldest posts are demo data, which no test deletes.
    await sql`
      insert into public.saves (user_id, post_id)
      select ${ivo.id}, p.id
      from public.posts p join public.profiles a on a.id = p.author_id where a.visibility = 'public'
      order by p.created_at limit 12`
    await page.reload()
    await expect(articles).toHaveCount(10)
    await page.getByRole('button', { name: 'Load More Saved Posts' }).click()
    await expect(articles).toHaveCount(12)
    await expect(page.getByText("You've reached the end!")).toBeVisible()
    await deleteUser(ivo)
    await deleteUser(author)
  })
})

import { expect, type Page, test } from 'playwright/test'
import { arrive, openConversation, say, thread, watchErrors } from './support.ts'

const online = (page: Page) =>
  page.getByRole('region', { name: 'Conversation', exact: true }).getByText(/· Online/)

/** Well before the page would ask by itself. */
const live = { timeout: 10_000 }

test('two people sign up, post, follow and chat live', async ({ browser }) => {
  const [ana, ben] = [await arrive(browser, 'Ana Torres'), await arrive(browser, 'Ben Okafor')]
  const watched = [watchErrors(ana.page), watchErrors(ben.page)]

  // Others may have posted after her.
  const post = ben.page.getByRole('article').filter({ hasText: ana.who.username })

  await test.step('Ana posts, and Ben finds it in his feed', async () => {
    await ana.page
      .getByRole('textbox', { name: "What's on your mind?" })
      .fill('First light on the ridge this morning. https://example.com/ridge')
    await ana.page.getByRole('button', { name: 'Post', exact: true }).click()
    await expect(ana.page.getByText('Post created successfully!')).toBeVisible()
    await expect(ana.page.getByRole('article').first()).toContainText('First light on the ridge')
    await ben.page.reload()
    await expect(post).toContainText('First light on the ridge')
    await expect(post.getByRole('link', { name: /example\.com\/ridge/ })).toHaveAttribute('rel', /noopener/)
  })

  await test.step('Ben likes it, and Ana is told without a reload', async () => {
    await post.getByRole('button', { name: /^like/i }).click()
    await expect(ana.page.getByRole('button', { name: /notifications.*1/i })).toBeVisible()
  })

  await test.step('Ben follows Ana from her profile', async () => {
    await ben.page.goto(`/profile/${ana.who.username}`)
    await ben.page.getByRole('button', { name: /follow me/i }).click()
    await expect(ben.page.getByRole('button', { name: /unfollow/i })).toBeVisible()
    await expect(ana.page.getByRole('button', { name: /notifications.*2/i })).toBeVisible()
    await ana.page.getByRole('button', { name: /notifications/i }).click()
    await expect(ana.page.getByText(/Ben Okafor/).first()).toBeVisible()
    await ana.page.keyboard.press('Escape')
  })

  await test.step('They talk: each message is on the other page without a reload', async () => {
    await openConversation(ben.page, ana.who)
    await openConversation(ana.page, ben.who)
    await say(ben.page, 'Hello Ana, is the ridge open?')
    await expect(thread(ana.page).getByText('Hello Ana, is the ridge open?')).toBeVisible(live)
    // She sees that he is here; of herself she shows nothing before she has answered.
    await expect(online(ana.page)).toBeVisible(live)
    await ana.page.getByPlaceholder('Type a message...').pressSequentially('It is')
    await ben.page.getByPlaceholder('Type a message...').pressSequentially('Thanks')
    await expect(ana.page.getByText(/is typing/i)).toBeAttached()
    await expect(online(ben.page)).toBeHidden()
    expect(await ben.page.getByText(/is typing/i).count()).toBe(0)
    await ana.page.keyboard.press('Enter')
    await expect(thread(ben.page).getByText('It is', { exact: true })).toBeVisible(live)
    await expect(online(ben.page)).toBeVisible(live)
    await expect(ana.page.getByText(/Seen/).last()).toBeVisible()
  })

  expect(watched.flatMap((page) => page.errors)).toEqual([])
  await ana.context.close()
  await ben.context.close()
})

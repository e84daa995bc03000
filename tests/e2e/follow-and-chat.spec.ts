import { expect, type Page, test } from 'playwright/test'
import { messageInput, messageThread, openConversation, sendChatMessage } from './support/conversation.ts'
import { collectPageErrors } from './support/page.ts'
import { createUserOnHomeFeed } from './support/users.ts'

const onlineStatus = (page: Page) =>
  page.getByRole('region', { name: 'Conversation', exact: true }).getByText(/· Online/)

/** A timeout that is shorter than every polling interval (15 seconds or more), so only a live update arrives in time. */
const liveTimeout = { timeout: 10_000 }

// This test runs with animations. Most other tests run without them.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test.describe('Follow and chat', () => {
  test('lets two users post, like, follow and chat with live updates', async ({ browser }) => {
    const [ana, ben] = [
      await createUserOnHomeFeed(browser, 'Ana Torres'),
      await createUserOnHomeFeed(browser, 'Ben Okafor'),
    ]
    const collected = [collectPageErrors(ana.page), collectPageErrors(ben.page)]

    // Ana's post may not be the first one, because other tests may have posted after Ana.
    const post = ben.page.getByRole('article').filter({ hasText: ana.account.username })

    await test.step('shows a new post in the other user’s feed', async () => {
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

    await test.step('notifies the author about a like without a reload', async () => {
      await post.getByRole('button', { name: /^like/i }).click()
      await expect(ana.page.getByRole('button', { name: /notifications.*1/i })).toBeVisible()
    })

    await test.step('follows from the profile and notifies the followed user', async () => {
      await ben.page.goto(`/profile/${ana.account.username}`)
      await ben.page.getByRole('button', { name: /follow me/i }).click()
      await expect(ben.page.getByRole('button', { name: /unfollow/i })).toBeVisible()
      await expect(ana.page.getByRole('button', { name: /notifications.*2/i })).toBeVisible()
      await ana.page.getByRole('button', { name: /notifications/i }).click()
      await expect(ana.page.getByText(/Ben Okafor/).first()).toBeVisible()
      await ana.page.keyboard.press('Escape')
    })

    await test.step('delivers messages and shows typing and online status without a reload', async () => {
      await openConversation(ben.page, ana.account)
      await openConversation(ana.page, ben.account)
      await sendChatMessage(ben.page, 'Hello Ana, is the ridge open?')
      await expect(messageThread(ana.page).getByText('Hello Ana, is the ridge open?')).toBeVisible(
        liveTimeout,
      )
      // Ana sees that Ben is online. Ben does not see Ana's status until she replies.
      await expect(onlineStatus(ana.page)).toBeVisible(liveTimeout)
      await messageInput(ana.page).pressSequentially('It is')
      await messageInput(ben.page).pressSequentially('Thanks')
      await expect(ana.page.getByText(/is typing/i)).toBeAttached()
      await expect(onlineStatus(ben.page)).toBeHidden()
      expect(await ben.page.getByText(/is typing/i).count()).toBe(0)
      await ana.page.keyboard.press('Enter')
      await expect(messageThread(ben.page).getByText('It is', { exact: true })).toBeVisible(liveTimeout)
      await expect(onlineStatus(ben.page)).toBeVisible(liveTimeout)
      await expect(ana.page.getByText(/Seen/).last()).toBeVisible()
    })

    expect(collected.flatMap(({ errors }) => errors)).toEqual([])
    await ana.context.close()
    await ben.context.close()
  })
})

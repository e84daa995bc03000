import { Post } from '@contract/post.ts'
import { expect, test } from 'playwright/test'
import { findAxeViolations } from './support/accessibility.ts'
import { horizontalOverflow, phoneViewport, postWithText } from './support/page.ts'
import { createGate, failNextRequest } from './support/requests.ts'
import { createUserOnHomeFeed, deleteUser } from './support/users.ts'

test('A repost appears in the Following feed, on the profile, and in the notifications of the author', async ({
  browser,
}) => {
  const ada = await createUserOnHomeFeed(browser, 'Ada Author')
  const ben = await createUserOnHomeFeed(browser, 'Ben Sharing')
  const cara = await createUserOnHomeFeed(browser, 'Cara Reader')
  const text = `The tide table of ${ada.account.username}`
  const { id } = Post.parse(
    await (await ada.context.request.post('/api/posts', { data: { content: text } })).json(),
  )
  await cara.context.request.post(`/api/users/${ben.id}/follow`)
  const { page } = ben
  const button = page.getByRole('button', { name: /^Repost(ed)?, / })
  const chooseFromMenu = async (name: string) => {
    await button.click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }

  await test.step('keeps the button and its focus while the menu loads, and if loading fails', async () => {
    await page.goto(`/post/${id}`)
    await page.route('**/assets/RepostMenu-*.js', (route) => route.abort())
    await button.focus()
    await button.press('Enter')
    await expect(page.getByText("Couldn't load this")).toBeVisible()
    await expect(button).toBeFocused()
    await page.unroute('**/assets/RepostMenu-*.js')
    const gate = createGate()
    await page.route('**/assets/RepostMenu-*.js', async (route) => {
      await gate.opened
      await route.continue()
    })
    await page.reload()
    await button.focus()
    await button.press('Enter')
    await expect(button).toBeFocused()
    gate.open()
    await expect(page.getByRole('menu')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(button).toBeFocused()
  })

  await test.step('is rolled back if the request fails, and can be undone', async () => {
    await page.goto(`/post/${id}`)
    await failNextRequest(page, `**/api/posts/${id}/repost`)
    await chooseFromMenu('Repost')
    await expect(page.getByText('Failed to update repost')).toBeVisible()
    await expect(button).toHaveAccessibleName('Repost, 0 reposts')
    await chooseFromMenu('Repost')
    await expect(button).toHaveAccessibleName('Reposted, 1 repost')
    await chooseFromMenu('Undo repost')
    await expect(button).toHaveAccessibleName('Repost, 0 reposts')
  })

  await test.step('updates the count on other pages that show the post', async () => {
    await ada.page.goto(`/post/${id}`)
    await expect(ada.page.getByRole('button', { name: 'Repost, 0 reposts' })).toBeVisible()
    await chooseFromMenu('Repost')
    await expect(ada.page.getByRole('button', { name: 'Repost, 1 repost' })).toBeVisible()
    await page.reload()
    await expect(button).toHaveAccessibleName('Reposted, 1 repost')
  })

  await test.step('shows the post to followers, with the name of the user who reposted it', async () => {
    await cara.page.getByRole('tab', { name: 'Following' }).click()
    const card = postWithText(cara.page, text)
    await expect(card.getByRole('link', { name: 'Ben Sharing reposted' })).toBeVisible()
    expect(await findAxeViolations(cara.page)).toEqual([])
    await cara.page.setViewportSize(phoneViewport)
    expect(await horizontalOverflow(cara.page)).toBe(0)
    await card.getByRole('button', { name: 'Like, 0 likes' }).click()
    await expect(card.getByRole('button', { name: 'Like, 1 like' })).toBeVisible()
    await expect(card.getByRole('link', { name: 'Ben Sharing reposted' })).toBeVisible()
    // The post's own page does not mention the repost, even while it shows the cached post.
    const gate = createGate()
    await cara.page.route(`**/api/posts/${id}`, async (route) => {
      await gate.opened
      await route.continue()
    })
    await card.getByText(text).click()
    await expect(cara.page).toHaveURL(`/post/${id}`)
    await expect(postWithText(cara.page, text)).toBeVisible()
    await expect(cara.page.getByRole('link', { name: 'Ben Sharing reposted' })).toHaveCount(0)
    gate.open()
    await cara.page.goBack()
    await card.getByRole('link', { name: 'Ben Sharing reposted' }).click()
    await cara.page.getByRole('button', { name: 'Reposts' }).click()
    await expect(postWithText(cara.page, text)).toBeVisible()
  })

  await test.step("appears on the user's own profile", async () => {
    await page.goto('/profile?kind=reposts')
    await expect(postWithText(page, text).getByRole('link', { name: 'You reposted' })).toBeVisible()
  })

  await test.step('notifies the author', async () => {
    await ada.page.goto('/notifications')
    await ada.page.getByRole('link', { name: 'Ben Sharing reposted your post' }).click()
    await expect(ada.page).toHaveURL(`/post/${id}`)
  })

  await test.step('disappears when the author limits who can find their posts', async () => {
    await ada.context.request.patch('/api/settings/privacy', { data: { contentDiscoverable: false } })
    await cara.page.reload()
    await expect(cara.page.getByText('No reposts yet')).toBeVisible()
    await page.goto(`/post/${id}`)
    await button.click()
    await expect(page.getByText(/^The author limits who can see or find this post/)).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Quote post' })).toBeDisabled()
    await page.getByRole('menuitem', { name: 'Undo repost' }).click()
    await expect(button).toHaveAccessibleName('Repost, 0 reposts')
  })

  for (const user of [ada, ben, cara]) await deleteUser(user)
})

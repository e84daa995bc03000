import { expect, test } from 'playwright/test'
import { findAxeViolations } from './support/accessibility.ts'
import { publish, uploadPicture } from './support/content.ts'
import { drawGradientPng, pngFile } from './support/files.ts'
import { horizontalOverflow, phoneViewport, postWithText } from './support/page.ts'
import { createGate } from './support/requests.ts'
import { createUserOnHomeFeed, deleteUser, sql } from './support/users.ts'

test('A quote embeds a post, links to it, and notifies the author of the post', async ({ browser }) => {
  const ada = await createUserOnHomeFeed(browser, 'Ada Quoted')
  const ben = await createUserOnHomeFeed(browser, 'Ben Quoting')
  const { page } = ben
  const text = `The tide table of ${ada.account.username}`
  const original = await publish(ada, { content: text })
  const photoText = `A photo by ${ben.account.username}`
  const quoteText = `Pinned to my door by ${ben.account.username}`
  const quote = postWithText(page, quoteText)
  const image = pngFile('dusk.png', await drawGradientPng(page, 20))
  const openComposer = async () => {
    await page.goto(`/post/${original.id}`)
    await page.getByRole('button', { name: /^Repost/ }).click()
    await page.getByRole('menuitem', { name: 'Quote post' }).click()
    await expect(page.getByRole('dialog').getByRole('group', { name: 'Quoted post' })).toContainText(text)
  }

  await test.step('shows the quoted post in the composer, where it can be removed', async () => {
    await openComposer()
    await page.getByRole('button', { name: 'Remove quoted post' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(text)).toHaveCount(0)
    await expect(dialog.getByRole('textbox')).toBeFocused()
  })

  await test.step('leaves a draft unchanged when the composer is closed without a change', async () => {
    await page.goto('/')
    const draft = page.getByRole('form', { name: 'New post' })
    await draft.getByRole('textbox').fill('Unsent')
    await openComposer()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.goto('/')
    await expect(draft.getByRole('textbox')).toHaveValue('Unsent')
    await expect(draft.getByRole('group', { name: 'Quoted post' })).toHaveCount(0)
  })

  await test.step('does not add a quote to a post that is being published', async () => {
    const upload = createGate()
    await page.route('**/api/upload', async (route) => {
      await upload.opened
      await route.continue()
    })
    const draft = page.getByRole('form', { name: 'New post' })
    await draft.getByRole('textbox').fill(photoText)
    await draft.locator('input[type=file]').first().setInputFiles(image)
    await draft.getByRole('button', { name: 'Post', exact: true }).click()
    await postWithText(page, text)
      .getByRole('button', { name: /^Repost/ })
      .click()
    await page.getByRole('menuitem', { name: 'Quote post' }).click()
    await expect(page.getByText(/^Your post is still being published/)).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    upload.open()
    await expect(postWithText(page, photoText)).toBeVisible()
    await expect(postWithText(page, photoText).getByRole('link', { name: 'Quoted post:' })).toHaveCount(0)
    await page.unrouteAll({ behavior: 'wait' })
  })

  await test.step('keeps the quoted post in the draft after a reload', async () => {
    await openComposer()
    await page.getByRole('dialog').getByRole('textbox').fill(quoteText)
    await page.goto('/')
    const draft = page.getByRole('form', { name: 'New post' })
    await expect(draft.getByRole('group', { name: 'Quoted post' })).toContainText(text)
    await expect(draft.getByRole('textbox')).toHaveValue(quoteText)
    await draft.getByRole('button', { name: 'Post', exact: true }).click()
    await expect(quote.getByRole('link', { name: 'Quoted post:' })).toContainText(text)
  })

  await test.step('names the media of a quoted post without text, and a quoted product', async () => {
    const { id: photoId } = await publish(ada, { imageUrl: await uploadPicture(ada, image) })
    const inserted = await sql<{ id: string }[]>`
      insert into public.posts (author_id, content, media_type, product) values
        (${ada.id}, '', 'video', null),
        (${ada.id}, 'Holds your tea', null, ${sql.json({ name: 'Stage mug', price: 24.5, storeUrl: 'https://store.example' })})
      returning id`
    for (const quotedPostId of [photoId, ...inserted.map(({ id }) => id)])
      await publish(ada, { content: 'Look', quotedPostId })
    await page.goto(`/profile/${ada.account.username}`)
    const links = page.getByRole('link', { name: /^Quoted post:/ })
    for (const name of [/Photo$/, /Video$/, /Stage mug\s*Holds your tea$/])
      await expect(links.and(page.getByRole('link', { name }))).toBeVisible()
    await page.goto('/')
  })

  await test.step('opens the quoted post on a phone', async () => {
    expect(await findAxeViolations(page)).toEqual([])
    await page.setViewportSize(phoneViewport)
    expect(await horizontalOverflow(page)).toBe(0)
    await quote.getByRole('link', { name: 'Quoted post:' }).click()
    await expect(page).toHaveURL(`/post/${original.id}`)
  })

  await test.step('notifies the quoted author', async () => {
    await ada.page.goto('/notifications')
    await ada.page.getByRole('link', { name: 'Ben Quoting quoted your post' }).click()
    await expect(postWithText(ada.page, quoteText)).toContainText(text)
  })

  await test.step('shows nothing of the quoted post once it is deleted', async () => {
    await ada.context.request.delete(`/api/posts/${original.id}`)
    await page.goto('/')
    await expect(quote.getByText('This post is not available.')).toBeVisible()
    await expect(quote.getByText(text)).toHaveCount(0)
  })

  await deleteUser(ada)
  await deleteUser(ben)
})

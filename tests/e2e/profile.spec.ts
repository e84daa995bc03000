import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { postToApi, publish } from './support/content.ts'
import { collectPageErrors, phoneViewport, pickFromMenu } from './support/page.ts'
import { abortNextRequest, createGate } from './support/requests.ts'
import {
  createSignedInUser,
  createUserOnHomeFeed,
  deleteUser,
  promoteToCreator,
  sql,
} from './support/users.ts'

test.describe('Profile', () => {
  test('filters and searches the posts, and shows photos as a grid', async ({ browser }) => {
    const ines = await createSignedInUser(browser, 'Ines Prado')
    const omar = await createUserOnHomeFeed(browser, 'Omar Nasser')
    const { page } = omar
    await promoteToCreator(ines)
    await sql`
      insert into public.posts (author_id, content, media_type, created_at)
      select ${ines.id}, 'Harbour ' || coalesce(type, 'text') || ' ' || n, type, now() - n * interval '1 minute'
      from unnest(array['image', null]) type, generate_series(1, 3) n`
    await sql`
      insert into public.posts (author_id, teaser, is_premium, premium_price, media_type)
      values (${ines.id}, 'Harbour teaser', true, 5, 'image')`
    const profile = `/profile/${ines.account.username}`
    const filters = page.getByRole('group', { name: 'Filter posts' })
    const posts = page.getByRole('main').getByRole('article')

    await page.goto('/discover')
    await page.goto(profile)
    await expect(filters.getByRole('button')).toHaveText(['All7', 'Premium1', 'Photos4', 'Text3'])
    await expect(posts).toHaveCount(7)

    await filters.getByRole('button', { name: 'Photos' }).click()
    await expect(page).toHaveURL(`${profile}?kind=image`)
    await expect(posts).toHaveCount(4)
    await expect(posts.first()).toContainText('$5.00')
    await expectAccessible(page)
    await page.reload()
    await expect(filters.getByRole('button', { name: 'Photos' })).toHaveAttribute('aria-pressed', 'true')

    await filters.getByRole('button', { name: 'All' }).click()
    await page.setViewportSize(phoneViewport)
    await page.getByRole('button', { name: 'Search posts' }).click()
    await page.getByRole('searchbox', { name: 'Search posts' }).fill('text 2')
    await expect(posts).toHaveCount(1)
    await expect(page).toHaveURL(`${profile}?q=text+2`)
    await page.mouse.move(0, 0)
    await expect(page.getByRole('tooltip')).toHaveCount(0)
    await expectAccessible(page)
    await filters.getByRole('button', { name: 'Premium' }).click()
    await expect(page.getByText('No posts found', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Show all posts' }).click()
    await expect(posts).toHaveCount(7)
    await expect(page.getByRole('searchbox', { name: 'Search posts' })).toHaveCount(0)

    // A filter that matches no posts is shown as selected, and can be cleared.
    await filters.getByRole('button', { name: 'All' }).click()
    await page.evaluate((path) => history.replaceState(history.state, '', path), `${profile}?kind=video`)
    await page.reload()
    await expect(filters.getByRole('button', { name: 'Videos' })).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByText('No posts found', { exact: true })).toBeVisible()
    await filters.getByRole('button', { name: 'All' }).click()
    await expect(posts).toHaveCount(7)

    // Changing a filter replaces the history entry, so going back leaves the profile.
    await page.goBack()
    await expect(page).toHaveURL('/discover')
    await deleteUser(omar)
    await deleteUser(ines)
  })

  test('shows all posts as a grid, and remembers the choice', async ({ browser }) => {
    const iris = await createSignedInUser(browser, 'Iris Prado')
    const otto = await createUserOnHomeFeed(browser, 'Otto Nasser')
    const { page } = otto
    await promoteToCreator(iris)
    await sql`
      insert into public.posts (author_id, content, created_at)
      select ${iris.id}, 'Harbour text ' || n, now() - n * interval '1 minute' from generate_series(1, 11) n`
    await sql`
      insert into public.posts (author_id, teaser, is_premium, premium_price, media_type, pinned)
      values (${iris.id}, 'Harbour teaser', true, 5, 'image', true)`
    const profile = `/profile/${iris.account.username}`
    const posts = page.getByRole('main').getByRole('article')
    const tile = page.getByRole('link', {
      name: /^Locked photo by .*Iris Prado.*, \$5\.00: .*Harbour teaser/,
    })
    const showAsList = page.getByRole('button', { name: 'Show as list' })
    const showAsGrid = page.getByRole('button', { name: 'Show as grid' })

    await page.goto(profile)
    await showAsGrid.click()
    await expect(tile).toHaveAttribute('href', /^\/post\//)
    await expect(posts.first()).toContainText('Pinned')
    // The grid has three columns.
    const tops = await posts.evaluateAll((all) =>
      all.slice(0, 4).map((post) => post.getBoundingClientRect().top),
    )
    expect(new Set(tops.slice(0, 3)).size).toBe(1)
    expect(tops[3]).toBeGreaterThan(tops[0] ?? 0)
    await page.mouse.move(0, 0)
    await expect(page.getByRole('tooltip')).toHaveCount(0)
    await expectAccessible(page)
    await expect(posts).toHaveCount(10)
    await posts.last().scrollIntoViewIfNeeded()
    await expect(posts).toHaveCount(12)

    await page.setViewportSize(phoneViewport)
    await expectAccessible(page)
    await tile.click()
    await expect(page.getByRole('button', { name: 'Unlock for $5.00' }).first()).toBeVisible()
    await page.goBack()
    await expect(showAsList).toBeVisible()
    await expect(tile).toBeVisible()
    await page.reload()
    await expect(showAsList).toBeVisible()
    await expect(tile).toBeVisible()

    // A choice in another tab does not change this one.
    const otherTab = await otto.context.newPage()
    await otherTab.goto(profile)
    await otherTab.getByRole('button', { name: 'Show as list' }).click()
    await expect(otherTab.getByRole('button', { name: 'Show as grid' })).toBeVisible()
    await otherTab.close()
    await page.getByRole('group', { name: 'Filter posts' }).getByRole('button', { name: 'Text' }).click()
    await expect(page.getByRole('link', { name: /^Open post by .*: .*Harbour text 1\b/ })).toBeVisible()
    await showAsList.click()
    await expect(showAsGrid).toBeFocused()
    await expect(posts.first().getByRole('button', { name: /^Like/ })).toBeVisible()
    await page.reload()
    await expect(showAsGrid).toBeVisible()
    await deleteUser(otto)
    await deleteUser(iris)
  })

  test('shows a preview of the premium posts and the first post on a phone, below a long bio', async ({
    browser,
  }) => {
    const [vida, ben, ana] = await Promise.all([
      createSignedInUser(browser, 'Vida Lang'),
      createSignedInUser(browser, 'Ben Lang'),
      createSignedInUser(browser, 'Ana Lang', { viewport: phoneViewport, hasTouch: true }),
    ])
    await promoteToCreator(vida)
    const bio = 'Potter in Marseille, from Amman. '.repeat(6).trim()
    await vida.context.request.patch('/api/profile', { data: { bio }, failOnStatusCode: true })
    const premium = { isPremium: true, premiumPrice: 5, teaser: 'Kiln diary' }
    for (const number of [1, 2, 3]) await publish(vida, { content: `Paid ${number}`, ...premium })
    await publish(vida, { content: 'Free to read' })
    await postToApi(ben, `/api/users/${vida.id}/follow`)
    await postToApi(ana, `/api/users/${ben.id}/follow`)
    const page = await ana.context.newPage()
    await page.goto(`/profile/${vida.account.username}`)
    const preview = page.getByRole('link', { name: '3 premium posts' })
    await expect(page.getByText(/^Followed by .?Ben/)).toBeVisible()
    await expect(preview).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('group', { name: 'Filter posts' })).toBeVisible()
    const firstPost = await page.getByRole('article').first().boundingBox()
    expect(firstPost?.y).toBeLessThan(560)
    await expectAccessible(page)

    const showMore = page.getByRole('main').getByRole('button', { name: 'Show more' })
    // The touch target is larger than the button.
    const button = await showMore.boundingBox()
    if (!button) throw new Error('The button is not rendered.')
    await page.touchscreen.tap(button.x + button.width / 2, button.y - 10)
    await expect(showMore).toHaveCount(0)
    await expect(page.getByText(bio)).toBeVisible()
    await preview.tap()
    await expect(page).toHaveURL(/\?kind=premium$/)
    await Promise.all([vida, ben, ana].map(deleteUser))
  })

  test('shows the owner the views, a draft, what they liked and saved, and what the profile lacks', async ({
    browser,
  }) => {
    const lena = await createUserOnHomeFeed(browser, 'Lena Ortiz')
    const other = await createSignedInUser(browser, 'Piet Maas')
    const { page } = lena
    await sql`
      insert into public.posts (author_id, content, created_at)
      select ${lena.id}, 'Own post ' || n, now() - n * interval '1 minute' from generate_series(1, 5) n`
    await sql`
      insert into public.post_days (post_id, author_id, day, views)
      select p.id, p.author_id, (now() at time zone 'UTC')::date, 1178
      from public.posts p where p.author_id = ${lena.id} and p.content = 'Own post 1'`
    await sql`
      insert into public.creator_days (creator_id, day, views)
      values (${lena.id}, (now() at time zone 'UTC')::date, 1178)`
    const { id } = await publish(other, { content: 'Liked by Lena' })
    await postToApi(lena, `/api/posts/${id}/like`)
    await page.getByRole('textbox', { name: "What's on your mind?" }).fill('To be continued')
    const main = page.getByRole('main')

    await page.goto('/profile')
    await expect(main.getByText('1,178 views this week')).toBeVisible()
    await expect(main.getByRole('article').filter({ hasText: 'Own post 1' })).toContainText('1,178 views')
    await expect(page.getByRole('region', { name: 'Complete your profile' })).toContainText('0 of 5')
    await expectAccessible(page)
    const tabs = page.getByRole('tablist', { name: 'Profile' })
    const search = page.getByRole('button', { name: 'Search posts' })
    for (const viewport of [{ width: 1280, height: 900 }, phoneViewport]) {
      await page.setViewportSize(viewport)
      const [searchBox, tabsBox] = [await search.boundingBox(), await tabs.boundingBox()]
      expect(searchBox?.y).toBeCloseTo(tabsBox?.y ?? 0, 0)
    }
    await expect(page.getByRole('link', { name: 'Settings' })).toHaveAttribute('href', '/settings')
    await expectAccessible(page)

    const draft = page.getByRole('region', { name: 'Draft' })
    await expect(draft).toContainText('To be continued')
    await draft.getByRole('button', { name: 'Continue writing' }).click()
    await expect(page.getByRole('dialog').getByRole('textbox').first()).toHaveValue('To be continued')
    await page.keyboard.press('Escape')

    await page.getByRole('tab', { name: 'Liked' }).click()
    await expect(page).toHaveURL('/profile?tab=liked')
    await expect(main.getByRole('article', { name: 'Post by Piet Maas' })).toContainText('Liked by Lena')
    await expect(search).toHaveCount(0)
    await page.getByRole('tab', { name: 'Saved' }).click()
    await expect(page.getByText('No saved posts yet')).toBeVisible()
    await deleteUser(lena)
    await deleteUser(other)
  })

  test('shows each viewer what the owner allows, and changes with subscriptions, privacy settings and blocks', async ({
    browser,
  }) => {
    const vera = await createSignedInUser(browser, 'Vera Stern')
    const noah = await createUserOnHomeFeed(browser, 'Noah Licht')
    const { page } = noah
    const collected = collectPageErrors(page)
    const profile = `/profile/${vera.account.username}`
    const patchAsVera = async (path: string, data: Record<string, unknown>) => {
      const response = await vera.context.request.patch(path, { data })
      expect(response.status()).toBe(200)
    }
    await patchAsVera('/api/profile', {
      isCreator: true,
      bio: 'Light, mostly.',
      livesIn: 'Bergen',
      age: '34',
      showAge: false,
      relationshipStatus: 'in-relationship',
      website: 'stern.example/light',
      youtubeUrl: 'youtube.com/@stern',
    })
    const { id: postId } = await publish(vera, {
      content: 'What only subscribers read',
      isPremium: true,
      premiumPrice: 5,
      teaser: 'A teaser',
    })
    await patchAsVera(`/api/posts/${postId}`, { includedInSubscription: true })
    const visitor = await browser.newContext({ viewport: phoneViewport })
    const visitorPage = await visitor.newPage()
    const about = page.getByRole('tabpanel', { name: 'About' })

    await test.step('shows only the details that the owner made visible', async () => {
      await page.goto(profile)
      await expect(page).toHaveTitle('Vera Stern · Ovation')
      await expect(page.getByText('All posts for subscribers, old and new. Cancel any time.')).toBeVisible()
      await expect(page.getByRole('region', { name: 'More creators' }).getByRole('listitem')).toHaveCount(3)
      await page.getByRole('tab', { name: 'About' }).click()
      await expect(page).toHaveURL(`${profile}?tab=about`)
      await expect(about.getByText('Bergen')).toBeVisible()
      await expect(about.getByText('In a relationship')).toBeVisible()
      await expect(about.getByText('34')).toHaveCount(0)
      const site = about.getByRole('link', { name: 'stern.example/light' })
      await expect(site).toHaveAttribute('rel', /noopener.*nofollow/)
      await expect(about.getByRole('link', { name: 'YouTube' })).toHaveAttribute(
        'href',
        'https://youtube.com/@stern',
      )
      await expectAccessible(page)
      // Details that are hidden while the profile is open disappear on the next load.
      await patchAsVera('/api/profile', { showLivesIn: false, showSocialLinks: false })
      await page.reload()
      await expect(about.getByText('In a relationship')).toBeVisible()
      await expect(about.getByText('Bergen')).toHaveCount(0)
      await expect(about.getByRole('link', { name: 'YouTube' })).toHaveCount(0)
    })

    await test.step('lets the author include a post in the subscription or exclude it', async () => {
      const veraPage = await vera.context.newPage()
      await veraPage.goto(`/post/${postId}`)
      const toggleIncluded = async (before: boolean) => {
        await veraPage.getByRole('button', { name: 'More about this post' }).click()
        await pickFromMenu(veraPage, 'Edit post')
        const dialog = veraPage.getByRole('dialog', { name: 'Edit post' })
        const included = dialog.getByRole('switch', { name: 'Included in my subscription' })
        await expect(included).toBeChecked({ checked: before })
        await included.press('Space')
        await dialog.getByRole('button', { name: 'Save', exact: true }).click()
        await expect(dialog).toBeHidden()
      }
      await toggleIncluded(true)
      await toggleIncluded(false)
      await veraPage.close()
    })

    await test.step('shows the pinned post first, even on open pages, until it is unpinned or deleted', async () => {
      const { id: laterId } = await publish(vera, { content: 'Written later' })
      await page.goto(profile)
      const firstPost = (on: Page) => on.getByRole('feed').getByRole('article').first()
      await expect(firstPost(page)).toContainText('Written later')
      const veraPage = await vera.context.newPage()
      await veraPage.goto('/profile')
      const menuOf = (text: string) =>
        veraPage
          .getByRole('article')
          .filter({ hasText: text })
          .getByRole('button', { name: 'More about this post' })
      await menuOf('What only subscribers read').click()
      await pickFromMenu(veraPage, 'Pin to profile')
      await expect(veraPage.getByText('Pinned to your profile')).toBeVisible()
      for (const openPage of [veraPage, page]) {
        await expect(firstPost(openPage).getByText('Pinned', { exact: true })).toBeVisible()
        await expect(openPage.getByRole('feed').getByRole('article')).toHaveCount(2)
      }
      await expect(firstPost(page)).toContainText('A teaser')
      await expectAccessible(veraPage)
      // Only one post can be pinned.
      await menuOf('Written later').click()
      await pickFromMenu(veraPage, 'Pin to profile')
      await expect(firstPost(page)).toContainText('Written later')
      await expect(page.getByText('Pinned', { exact: true })).toHaveCount(1)
      await menuOf('Written later').click()
      await pickFromMenu(veraPage, 'Unpin from profile')
      await expect(page.getByText('Pinned', { exact: true })).toHaveCount(0)
      await vera.context.request.delete(`/api/posts/${laterId}`)
      await expect(firstPost(page)).toContainText('A teaser')
      await veraPage.close()
    })

    await test.step('charges once for a subscription, unlocks its posts, then cancels and resumes it', async () => {
      await page.goto(`/post/${postId}`)
      const post = page.getByRole('article').filter({ hasText: 'A teaser' })
      await expect(post.getByRole('button', { name: 'Unlock for $5.00' })).toBeVisible()
      await expect(page.getByText('Unlock the post, or subscribe, to read and write comments.')).toBeVisible()
      await post.getByRole('link', { name: 'or subscribe for $9.99/mo' }).click()
      await expect(page).toHaveURL(profile)

      // The buttons do not wait for the offer, and do not move when it arrives.
      const offer = createGate()
      await page.route('**/subscription-offer', async (route) => {
        await offer.opened
        await route.fulfill({ json: { price: 9.99, posts: 0, lengths: [] } })
      })
      await page.reload()
      const subscribeButton = page.getByRole('button', { name: 'Subscribe $9.99/mo', exact: true })
      await expect(subscribeButton).toBeVisible()
      await page.evaluate(() => document.fonts.ready.then(() => undefined))
      const box = await subscribeButton.boundingBox()
      offer.open()
      await expect(page.getByText('Nothing included yet')).toBeVisible()
      expect(await subscribeButton.boundingBox()).toEqual(box)
      await page.unrouteAll({ behavior: 'wait' })
      await page.reload()
      await expect(page.getByText('All posts for subscribers, old and new.')).toBeVisible()
      expect(await subscribeButton.boundingBox()).toEqual(box)

      // One subscribe button is filled: the one in the header or, while that is out of view, the one in the sidebar.
      const offerCard = page.getByRole('region', { name: 'Subscribe to Vera Stern' })
      const cardButton = offerCard.getByRole('button', { name: 'Subscribe $9.99/mo: Vera Stern' })
      const transparent = 'rgba(0, 0, 0, 0)'
      await expect(cardButton).toHaveCSS('background-color', transparent)
      await page.evaluate(() => {
        const post = document.querySelector('article')
        if (post) post.style.minHeight = '3000px'
      })
      // Moves the button under the top bar, while the lower part of the header is still in view.
      await subscribeButton.evaluate((button) => window.scrollBy(0, button.getBoundingClientRect().top))
      await expect(cardButton).not.toHaveCSS('background-color', transparent)
      await page.evaluate(() => window.scrollTo(0, 1500))
      await expect(cardButton).not.toHaveCSS('background-color', transparent)
      await expect(cardButton).toBeInViewport()
      await expect(page.getByRole('group', { name: 'Subscribe' })).toHaveCount(0)
      await expect(offerCard.getByRole('link', { name: 'Unlock for $5.00' })).toHaveAttribute(
        'href',
        `/post/${postId}`,
      )
      await page.evaluate(() => window.scrollTo(0, 0))
      await expect(cardButton).toHaveCSS('background-color', transparent)

      await subscribeButton.click()
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByText('Includes 1 premium post right now.')).toBeVisible()
      await expect(dialog.getByText("Test mode. You won't be charged.")).toBeVisible()
      await expectAccessible(page)
      await abortNextRequest(page, '**/api/subscriptions')
      await dialog.getByRole('button', { name: 'Pay $9.99' }).click()
      await expect(page.getByText('Failed to subscribe')).toBeVisible()
      // Delays the refetch after the payment. Meanwhile, a second click in the same place must not hit another button.
      await page.route('**/api/users/**', async (route) => {
        await page.waitForTimeout(700)
        await route.fallback()
      })
      const payBox = await dialog.getByRole('button', { name: 'Pay $9.99' }).boundingBox()
      if (!payBox) throw new Error('The pay button is not rendered.')
      const clickSamePlace = () => page.mouse.click(payBox.x + payBox.width / 2, payBox.y + payBox.height / 2)
      await dialog.getByRole('button', { name: 'Pay $9.99' }).dblclick()
      const subscribedButton = page.getByRole('button', { name: 'Subscribed', includeHidden: true })
      await subscribedButton.waitFor({ state: 'attached' })
      await clickSamePlace()
      await expect(dialog).toBeHidden()
      await page.unrouteAll({ behavior: 'wait' })
      const afterPayment = await page.request.get('/api/user/subscriptions')
      expect(await afterPayment.json()).toMatchObject([{ creatorId: vera.id, cancelled: false }])
      await expect(page.getByText('What only subscribers read')).toBeVisible()
      await expect(page.locator('dl > div').filter({ hasText: 'Subscriber' })).toHaveText('Subscriber1')
      const card = page.getByRole('region', { name: 'Your subscription' })
      await expect(card.getByText(/^\$9\.99 per month, renews on /)).toBeVisible()
      await expect(card.getByText('Includes 1 premium post right now.')).toBeVisible()
      const premium = { content: 'Sold alone', teaser: 'Another teaser', isPremium: true, premiumPrice: 3 }
      const { id: excludedId } = await publish(vera, premium)
      await page.reload()
      await expect(card.getByText('Includes 1 of 2 premium posts.')).toBeVisible()
      await vera.context.request.delete(`/api/posts/${excludedId}`)
      await subscribedButton.click()
      const manageItem = page.getByRole('menuitem', { name: 'Manage subscription' })
      await expect(page.getByRole('menu').getByText(/^\$9\.99 per month, renews on /)).toBeVisible()
      await manageItem.click()
      // The creator does not offer longer subscriptions, so nothing follows the price.
      await expect(dialog).toContainText(/\$9\.99(?!\d)/)
      await dialog.getByRole('button', { name: 'Cancel subscription' }).click()
      const endsButton = page.getByRole('button', { name: 'Subscription ends' })
      await expect(endsButton).toBeVisible()
      await expect(card.getByText(/^Ends on /)).toBeVisible()
      await expect(endsButton).toBeFocused()
      await endsButton.click()
      await manageItem.click()
      await dialog.getByRole('button', { name: 'Resume subscription' }).click()
      await expect(subscribedButton).toBeVisible()
      const afterResume = await page.request.get('/api/user/subscriptions')
      expect(await afterResume.json()).toMatchObject([
        { creatorId: vera.id, state: 'active', cancelled: false, price: 9.99 },
      ])
    })

    await test.step('lists the followers unless the owner hides the follower count', async () => {
      await page.getByRole('button', { name: /^Follow Me/ }).click()
      await page.getByRole('link', { name: 'Follower' }).click()
      await expect(page.getByRole('heading', { name: /^Followers of .*Vera Stern/ })).toBeVisible()
      await expect(page.getByRole('article', { name: 'Noah Licht' })).toBeVisible()
      await patchAsVera('/api/settings/privacy', { showFollowerCount: false })
      await page.reload()
      await expect(page.getByText(/Vera Stern.? doesn’t show this list\./)).toBeVisible()
      await page.getByRole('link', { name: 'Back to profile' }).click()
      await expect(page.getByRole('heading', { name: 'Vera Stern' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Follower' })).toHaveCount(0)
    })

    await test.step('asks a visitor on a phone to sign in', async () => {
      await visitorPage.goto(profile)
      await expect(visitorPage.getByRole('button', { name: '+ Follow Me' })).toBeVisible()
      await expectAccessible(visitorPage)
      // The first post begins in the upper two thirds of the screen, and “Subscribe” stays visible while scrolling.
      const firstPost = await visitorPage.getByRole('article').first().boundingBox()
      expect(firstPost?.y).toBeLessThan(560)
      await visitorPage.evaluate(() => {
        const post = document.querySelector('article')
        if (post) post.style.minHeight = '3000px'
        window.scrollTo(0, 1500)
      })
      await expect(
        visitorPage.getByRole('button', { name: 'Subscribe $9.99/mo: Vera Stern' }),
      ).toBeInViewport()
      // The bar has no height of its own, so Playwright would not consider it visible.
      await expect(visitorPage.getByRole('group', { name: 'Subscribe' })).toHaveCount(1)
      await visitorPage.evaluate(() => window.scrollTo(0, 0))
      await expect(visitorPage.getByRole('group', { name: 'Subscribe' })).toHaveCount(0)
      await visitorPage.getByRole('button', { name: 'Subscribe $9.99/mo', exact: true }).click()
      await expect(visitorPage).toHaveURL(/\/login/)
    })

    await test.step('hides a private profile, even from subscribers, and does not offer messages to a user who disabled them', async () => {
      await patchAsVera('/api/settings/privacy', { profileVisibility: 'private' })
      await page.reload()
      await expect(page.getByText('This profile is private')).toBeVisible()
      await expect(page.getByText('What only subscribers read')).toHaveCount(0)
      await visitorPage.goto(profile)
      await expect(visitorPage.getByText('This profile is private')).toBeVisible()
      await patchAsVera('/api/settings/privacy', { profileVisibility: 'public', allowDirectMessages: false })
      await page.reload()
      await page.getByRole('button', { name: 'Message', exact: true }).hover()
      await expect(page.getByRole('tooltip')).toHaveText('This user has disabled direct messages')
    })

    await test.step('hides the profile from a blocked user and cancels the subscription', async () => {
      expect((await vera.context.request.post(`/api/users/${noah.id}/block`)).status()).toBe(200)
      await page.goto(profile)
      await expect(page.getByText('User not found')).toBeVisible()
      const subscriptions = await page.request.get('/api/user/subscriptions')
      expect(await subscriptions.json()).toMatchObject([{ cancelled: true }])
    })

    await test.step('links from the user’s own profile to the settings', async () => {
      await page.goto('/profile')
      await page.getByRole('link', { name: 'Edit Profile' }).click()
      await expect(page).toHaveURL('/settings/profile')
    })
    expect(collected.errors.filter((error) => !/404|Failed to load|ERR_FAILED/.test(error))).toEqual([])
    await visitor.close()
    await deleteUser(noah)
    await deleteUser(vera)
  })
})

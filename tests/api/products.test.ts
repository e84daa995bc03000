import { randomUUID } from 'node:crypto'
import { limits } from '@contract/limits.ts'
import { Post } from '@contract/post.ts'
import { fillAllFields, invalidStoreUrl } from '@contract/product.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import { clearRateLimits, exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUsers, makeCreator, type TestUser } from '../support/users.ts'

const Posts = z.array(Post)
const path = '/api/products'
let seller: TestUser
let fan: TestUser

beforeAll(async () => {
  ;({ seller, fan } = await createUsers('seller', 'fan'))
})

/** The required fields of a product. */
const mug = {
  name: 'Stage mug',
  description: 'Fired twice.',
  price: 24.5,
  storeUrl: 'https://store.example/mugs?size=2#blue',
}

const publish = async (body: Record<string, unknown>, user = seller) =>
  (await apiAs(user).post(path, Post, { ...mug, ...body }, 201)).body
const expectProductError = (body: unknown, status = 400, user: TestUser | null = seller) =>
  apiAs(user).expectError('POST', path, status, { body })
const omitField = (field: keyof typeof mug) =>
  Object.fromEntries(Object.entries(mug).filter(([name]) => name !== field))

/** Stores an image upload that has already been checked, and returns its URL. */
async function createImage(user: TestUser): Promise<string> {
  const id = randomUUID()
  await sql`
    insert into public.media (id, owner_id, kind, state, path, content_type, bytes, width, height)
    values (${id}, ${user.id}, 'image', 'ready', ${`${user.id}/${id}`}, 'image/png', 10, 640, 480)`
  return `/api/media/${id}`
}

describe('POST /api/products', () => {
  it('creates a post that appears unchanged in lists, for visitors too', async () => {
    const tag = `p${randomUUID().slice(0, 8)}`
    const imageUrl = await createImage(seller)
    const post = await publish({
      name: '  Stage   mug ',
      description: ` Fired twice. #${tag} `,
      category: ' Home ',
      imageUrl,
      altText: 'A mug',
    })
    const product = { name: 'Stage mug', price: 24.5, storeUrl: mug.storeUrl, category: 'Home' }
    expect(post).toMatchObject({
      product,
      content: `Fired twice. #${tag}`,
      imageUrl,
      altText: 'A mug',
      mediaType: 'image',
      mediaWidth: 640,
      isPremium: false,
      locked: false,
      mine: true,
      userId: seller.id,
    })
    const publicPost = { ...post, mine: false, viewsCount: null }
    expect((await apiAs(null).get(`/api/posts/${post.id}`, Post)).body).toEqual(publicPost)
    await apiAs(fan).post(`/api/posts/${post.id}/save`, z.object({ saved: z.literal(true) }))
    for (const [list, viewer, expected] of [
      [`/api/users/${seller.username}/posts`, null, publicPost],
      [`/api/topics/${tag}/posts`, null, publicPost],
      ['/api/posts?limit=50', fan, { ...publicPost, saved: true }],
      ['/api/discover/posts?limit=50', fan, { ...publicPost, saved: true }],
      ['/api/user/saved-posts', fan, { ...publicPost, saved: true }],
    ] as const) {
      const { body } = await apiAs(viewer).get(list, Posts)
      expect({ list, post: body.find(({ id }) => id === post.id) }).toEqual({ list, post: expected })
    }
  })

  it('requires a name, a description, a price and a store URL', async () => {
    for (const field of ['name', 'description', 'price', 'storeUrl'] as const) {
      for (const value of field === 'price' ? [undefined, null] : [undefined, '', '  ']) {
        const body = value === undefined ? omitField(field) : { ...mug, [field]: value }
        const { message, errors } = await expectProductError(body)
        expect({ field, message, errors }).toEqual({
          field,
          message: fillAllFields,
          errors: { [field]: [fillAllFields] },
        })
      }
    }
    for (const field of ['name', 'description']) {
      expect((await expectProductError({ ...mug, [field]: '\u200b\u2800' })).code).toBe('validation_failed')
    }
  })

  it('accepts prices in whole cents and limits text lengths', async () => {
    for (const price of [0, -1, 0.001, 100_000, 1.005, '12', Number.MAX_SAFE_INTEGER]) {
      await expectProductError({ ...mug, price })
    }
    for (const price of [0.01, 4.35, 99_999.99]) expect((await publish({ price })).product?.price).toBe(price)
    await expectProductError({ ...mug, name: 'x'.repeat(limits.product.name + 1) })
    await expectProductError({ ...mug, category: 'x'.repeat(limits.product.category + 1) })
    await expectProductError({ ...mug, description: 'x'.repeat(limits.postContent.max + 1) })
    await expectProductError({ ...mug, name: 'Mug \u202egum' })
    for (const category of ['', ' \u200b', null]) {
      expect((await publish({ category })).product?.category).toBeNull()
    }
  })

  it('accepts only public web URLs as the store URL', async () => {
    for (const storeUrl of [
      'javascript:alert(1)',
      'JavaScript://store.example/%0aalert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:x',
      'file:///etc/passwd',
      'ftp://store.example',
      'mailto:a@store.example',
      'https://ada:secret@store.example',
      'https://store.example@evil.example',
      'https://',
      'https://localhost/x',
      'store',
      'https://store .example',
      `https://store.example/${'x'.repeat(300)}`,
      7,
    ]) {
      const { message, errors } = await expectProductError({ ...mug, storeUrl })
      const text = storeUrl === 7 ? fillAllFields : invalidStoreUrl
      expect({ storeUrl, message, errors }).toEqual({ storeUrl, message: text, errors: { storeUrl: [text] } })
    }
    // A missing scheme is added. An @ in the path is allowed.
    expect((await publish({ storeUrl: 'Store.example/a' })).product?.storeUrl).toBe('https://store.example/a')
    expect((await publish({ storeUrl: 'http://store.example/@ada' })).product?.storeUrl).toBe(
      'http://store.example/@ada',
    )
  })

  it('rejects premium fields and videos', async () => {
    for (const field of [{ isPremium: true }, { premiumPrice: 5 }, { teaser: 'x' }, { videoUrl: 'x' }]) {
      await expectProductError({ ...mug, ...field })
    }
    await makeCreator(seller)
    const { id } = await publish({})
    await apiAs(seller).expectError('PATCH', `/api/posts/${id}`, 400, { body: { premiumPrice: 5 } })
    await expect(
      sql`update public.posts set is_premium = true, premium_price = 5, content = '' where id = ${id}`,
    ).rejects.toMatchObject({ code: '23514' })
  })

  it('accepts only unused images uploaded by the seller', async () => {
    for (const imageUrl of [
      await createImage(fan),
      `/api/media/${randomUUID()}`,
      'https://evil.example/x.png',
    ]) {
      expect((await expectProductError({ ...mug, imageUrl })).code).toBe('media_not_usable')
    }
    const imageUrl = await createImage(seller)
    await publish({ imageUrl })
    expect((await expectProductError({ ...mug, imageUrl })).code).toBe('media_not_usable')
  })

  it('stores a product once when a request with the same ID is repeated', async () => {
    const body = { ...mug, id: randomUUID(), imageUrl: await createImage(seller) }
    const headers = authorizationHeader(seller)
    const responses = await Promise.all([1, 2, 3, 4].map(() => call('POST', path, { body, headers })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201])
    const repeated = await apiAs(seller).post(path, Post, { ...body, name: 'Another' })
    expect(repeated.body.product?.name).toBe(mug.name)
    await expectProductError(body, 409, fan)
  })

  it('rejects visitors and read-only accounts, and shares the rate limit for posts', async () => {
    await expectProductError(mug, 401, null)
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${fan.id}`
    expect((await expectProductError(mug, 403, fan)).code).toBe('account_read_only')
    expect((await expectProductError({}, 403, fan)).code).toBe('account_read_only')
    await sql`update public.accounts set read_only_reason = null where user_id = ${fan.id}`
    await exhaustRateLimit('posts', fan.id, 30, '1 minute')
    await expectProductError(mug, 429, fan)
    await clearRateLimits(fan.id, 'posts')
  })
})

describe('PATCH /api/posts/:id with a product', () => {
  it('changes the description and the product, but cannot clear either of them', async () => {
    await clearRateLimits(seller.id, 'posts')
    const post = await publish({ imageUrl: await createImage(seller), category: 'Home' })
    const edit = (body: unknown) => apiAs(seller).patch(`/api/posts/${post.id}`, Post, body)
    expect((await edit({ content: 'Fired once.' })).body).toMatchObject({
      content: 'Fired once.',
      product: post.product,
    })
    const product = { name: 'Cup', price: 9, storeUrl: 'https://other.example/' }
    expect((await edit({ product })).body).toMatchObject({
      content: 'Fired once.',
      imageUrl: post.imageUrl,
      product: { ...product, category: null },
    })
    for (const body of [
      { content: ' ' },
      { product: {} },
      { product: { ...product, name: ' ' } },
      { product: { ...product, price: 0 } },
      { product: { ...product, storeUrl: 'javascript:alert(1)' } },
      { product: { ...product, isPremium: true } },
      { product: null },
    ]) {
      await apiAs(seller).expectError('PATCH', `/api/posts/${post.id}`, 400, { body })
    }
    await apiAs(fan).expectError('PATCH', `/api/posts/${post.id}`, 403, { body: { product } })
    const ordinaryPost = await createPost(seller, 'Words')
    await apiAs(seller).expectError('PATCH', `/api/posts/${ordinaryPost.id}`, 400, { body: { product } })
    await apiAs(seller).expectNoContent('DELETE', `/api/posts/${post.id}`)
  })
})

describe('the Data API', () => {
  it('returns products but rejects writes', async () => {
    const { id, product } = await publish({})
    const callDataApi = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
      call(method, `/rest/v1/${path}`, {
        ...(body === undefined ? {} : { body }),
        headers: { apikey: stack.publishableKey, ...authorizationHeader(seller) },
      })
    const shown = await callDataApi('GET', `posts?id=eq.${id}&select=product`)
    expect(await shown.json()).toEqual([{ product: { name: mug.name, price: 24.5, storeUrl: mug.storeUrl } }])
    const forged = { name: 'Mug', price: 1, storeUrl: 'javascript:alert(1)' }
    const newPostId = randomUUID()
    for (const attempt of [
      callDataApi('PATCH', `posts?id=eq.${id}`, { product: forged }),
      callDataApi('POST', 'posts', { id: newPostId, author_id: seller.id, content: 'x', product: forged }),
    ]) {
      expect((await attempt).status).toBe(403)
    }
    const rpcResponse = await callDataApi('POST', 'rpc/publish_product', {
      new_post_id: newPostId,
      product_name: 'Mug',
    })
    expect(rpcResponse.status).toBe(404)
    expect((await apiAs(null).get(`/api/posts/${id}`, Post)).body.product).toEqual(product)
    expect(await sql`select from public.posts where id = ${newPostId}`).toHaveLength(0)
  })
})

import { randomUUID } from 'node:crypto'
import { limits } from '@contract/limits.ts'
import { Post } from '@contract/post.ts'
import { fillAllFields, invalidStoreUrl } from '@contract/product.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, call } from '../support/api.ts'
import { clearRateLimits, exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const Posts = z.array(Post)
const path = '/api/products'
let seller: TestUser
let fan: TestUser

beforeAll(async () => {
  ;({ seller, fan } = await createUsers('seller', 'fan'))
})

/** All that has to be said of a product, and nothing more. */
const mug = {
  name: 'Stage mug',
  description: 'Fired twice.',
  price: 24.5,
  storeUrl: 'https://store.example/mugs?size=2#blue',
}

const publish = async (body: Record<string, unknown>, person = seller) =>
  (await apiAs(person).post(path, Post, { ...mug, ...body }, 201)).body
const refused = (body: unknown, status = 400, person: TestUser | null = seller) =>
  apiAs(person).expectError('POST', path, status, { body })
/** A product without one of its fields. */
const without = (field: keyof typeof mug) =>
  Object.fromEntries(Object.entries(mug).filter(([name]) => name !== field))

/** A picture as it is once it was looked at; answers its address. */
async function picture(person: TestUser): Promise<string> {
  const id = randomUUID()
  await sql`
    insert into public.media (id, owner_id, kind, state, path, content_type, bytes, width, height)
    values (${id}, ${person.id}, 'image', 'ready', ${`${person.id}/${id}`}, 'image/png', 10, 640, 480)`
  return `/api/media/${id}`
}

describe('a product', () => {
  it('is a post of anybody with an account, the same in every list and to visitors', async () => {
    const tag = `p${randomUUID().slice(0, 8)}`
    const imageUrl = await picture(seller)
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
    const seen = { ...post, mine: false }
    expect((await apiAs(null).get(`/api/posts/${post.id}`, Post)).body).toEqual(seen)
    await apiAs(fan).post(`/api/posts/${post.id}/save`, z.object({ saved: z.literal(true) }))
    for (const [list, as_, expected] of [
      [`/api/users/${seller.username}/posts`, null, seen],
      [`/api/topics/${tag}/posts`, null, seen],
      ['/api/posts?limit=50', fan, { ...seen, saved: true }],
      ['/api/discover/posts?limit=50', fan, { ...seen, saved: true }],
      ['/api/user/saved-posts', fan, { ...seen, saved: true }],
    ] as const) {
      const { body } = await apiAs(as_).get(list, Posts)
      expect({ list, post: body.find(({ id }) => id === post.id) }).toEqual({ list, post: expected })
    }
  })

  it('needs a name, a description, a price and a store', async () => {
    for (const field of ['name', 'description', 'price', 'storeUrl'] as const) {
      for (const value of field === 'price' ? [undefined, null] : [undefined, '', '  ']) {
        const body = value === undefined ? without(field) : { ...mug, [field]: value }
        const { message, errors } = await refused(body)
        expect({ field, message, errors }).toEqual({
          field,
          message: fillAllFields,
          errors: { [field]: [fillAllFields] },
        })
      }
    }
    for (const field of ['name', 'description']) {
      expect((await refused({ ...mug, [field]: '\u200b\u2800' })).code).toBe('validation_failed')
    }
  })

  it('has a price of whole cents, and words that are not endless', async () => {
    for (const price of [0, -1, 0.001, 100_000, 1.005, '12', Number.MAX_SAFE_INTEGER]) {
      await refused({ ...mug, price })
    }
    for (const price of [0.01, 4.35, 99_999.99]) expect((await publish({ price })).product?.price).toBe(price)
    await refused({ ...mug, name: 'x'.repeat(limits.product.name + 1) })
    await refused({ ...mug, category: 'x'.repeat(limits.product.category + 1) })
    await refused({ ...mug, description: 'x'.repeat(limits.postContent.max + 1) })
    await refused({ ...mug, name: 'Mug \u202egum' })
    for (const category of ['', ' \u200b', null]) {
      expect((await publish({ category })).product?.category).toBeNull()
    }
  })

  it('leads to a store of the web and nowhere else', async () => {
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
      const { message, errors } = await refused({ ...mug, storeUrl })
      const text = storeUrl === 7 ? fillAllFields : invalidStoreUrl
      expect({ storeUrl, message, errors }).toEqual({ storeUrl, message: text, errors: { storeUrl: [text] } })
    }
    // As people type it; an @ behind the host is a name in the store.
    expect((await publish({ storeUrl: 'Store.example/a' })).product?.storeUrl).toBe('https://store.example/a')
    expect((await publish({ storeUrl: 'http://store.example/@ada' })).product?.storeUrl).toBe(
      'http://store.example/@ada',
    )
  })

  it('is never premium', async () => {
    for (const field of [{ isPremium: true }, { premiumPrice: 5 }, { teaser: 'x' }, { videoUrl: 'x' }]) {
      await refused({ ...mug, ...field })
    }
    await sql`update public.profiles set is_creator = true where id = ${seller.id}`
    const { id } = await publish({})
    await apiAs(seller).expectError('PATCH', `/api/posts/${id}`, 400, { body: { premiumPrice: 5 } })
    await expect(
      sql`update public.posts set is_premium = true, premium_price = 5, content = '' where id = ${id}`,
    ).rejects.toMatchObject({ code: '23514' })
  })

  it('shows a picture of its seller that no other post has', async () => {
    for (const imageUrl of [await picture(fan), `/api/media/${randomUUID()}`, 'https://evil.example/x.png']) {
      expect((await refused({ ...mug, imageUrl })).code).toBe('media_not_usable')
    }
    const imageUrl = await picture(seller)
    await publish({ imageUrl })
    expect((await refused({ ...mug, imageUrl })).code).toBe('media_not_usable')
  })

  it('is stored once, however often it is sent', async () => {
    const body = { ...mug, id: randomUUID(), imageUrl: await picture(seller) }
    const headers = { Authorization: `Bearer ${seller.token}` }
    const answers = await Promise.all([1, 2, 3, 4].map(() => call('POST', path, { body, headers })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201])
    const again = await apiAs(seller).post(path, Post, { ...body, name: 'Another' })
    expect(again.body.product?.name).toBe(mug.name)
    await refused(body, 409, fan)
  })

  it('is for accounts that may write, within the limit of posts', async () => {
    await refused(mug, 401, null)
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${fan.id}`
    expect((await refused(mug, 403, fan)).code).toBe('account_read_only')
    expect((await refused({}, 403, fan)).code).toBe('account_read_only')
    await sql`update public.accounts set read_only_reason = null where user_id = ${fan.id}`
    await exhaustRateLimit('posts', fan.id, 30, '1 minute')
    await refused(mug, 429, fan)
    await clearRateLimits(fan.id, 'posts')
  })
})

describe('editing a product', () => {
  it('changes its words and what it offers, and empties neither', async () => {
    await clearRateLimits(seller.id, 'posts')
    const post = await publish({ imageUrl: await picture(seller), category: 'Home' })
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
    const plain = (await apiAs(seller).post('/api/posts', Post, { content: 'Words' }, 201)).body
    await apiAs(seller).expectError('PATCH', `/api/posts/${plain.id}`, 400, { body: { product } })
    await apiAs(seller).expectNoContent('DELETE', `/api/posts/${post.id}`)
  })
})

describe('the Data API', () => {
  it('shows products and lets nobody write one', async () => {
    const { id, product } = await publish({})
    const rest = (method: 'GET' | 'POST' | 'PATCH', to: string, body?: unknown) =>
      call(method, `/rest/v1/${to}`, {
        ...(body === undefined ? {} : { body }),
        headers: { apikey: stack.publishableKey, Authorization: `Bearer ${seller.token}` },
      })
    const shown = await rest('GET', `posts?id=eq.${id}&select=product`)
    expect(await shown.json()).toEqual([{ product: { name: mug.name, price: 24.5, storeUrl: mug.storeUrl } }])
    const forged = { name: 'Mug', price: 1, storeUrl: 'javascript:alert(1)' }
    const own = randomUUID()
    for (const attempt of [
      rest('PATCH', `posts?id=eq.${id}`, { product: forged }),
      rest('POST', 'posts', { id: own, author_id: seller.id, content: 'x', product: forged }),
    ]) {
      expect((await attempt).status).toBe(403)
    }
    const call_ = await rest('POST', 'rpc/publish_product', { post: own, product_name: 'Mug' })
    expect(call_.status).toBe(404)
    expect((await apiAs(null).get(`/api/posts/${id}`, Post)).body.product).toEqual(product)
    expect(await sql`select from public.posts where id = ${own}`).toHaveLength(0)
  })
})

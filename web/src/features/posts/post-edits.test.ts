import { EditPostRequest } from '@contract/post.ts'
import { describe, expect, it } from 'vitest'
import {
  applyUnsavedEdits,
  changedFields,
  dropStaleEdits,
  editsFromPost,
  recordEdits,
  validateEdits,
} from './post-edits'
import { postFixture } from './post-fixture'

const freePost = postFixture('p')
const premiumPost = postFixture('p', {
  isPremium: true,
  premiumPrice: 9.99,
  teaser: 'Look',
  mediaType: 'image',
  altText: 'A cat',
})
const product = { name: 'Mug', price: 24.5, storeUrl: 'https://store.example/', category: 'Home' }
const productPost = postFixture('o', { product })

describe('changedFields', () => {
  it('returns undefined when nothing differs', () => {
    const edits = editsFromPost(premiumPost)
    expect(changedFields(premiumPost, edits)).toBeUndefined()
    expect(
      changedFields(premiumPost, { ...edits, content: ` ${premiumPost.content} `, price: '9.990' }),
    ).toBeUndefined()
  })

  it('returns only what differs, and null for an emptied field', () => {
    const changes = changedFields(premiumPost, {
      ...editsFromPost(premiumPost),
      content: 'new',
      teaser: '',
      altText: 'A dog',
      price: '12',
      included: true,
      showUnlocks: true,
    })
    expect(changes).toEqual({
      content: 'new',
      teaser: null,
      altText: 'A dog',
      premiumPrice: 12,
      includedInSubscription: true,
      showUnlocks: true,
    })
    expect(EditPostRequest.safeParse(changes).success).toBe(true)
  })

  it('ignores inputs that do not apply to the post', () => {
    const edits = editsFromPost(freePost)
    expect(
      changedFields(freePost, {
        ...edits,
        teaser: 't',
        price: '5',
        altText: 'a',
        included: true,
        showUnlocks: true,
      }),
    ).toBeUndefined()
    expect(changedFields(freePost, { ...edits, name: 'Mug' })).toBeUndefined()
  })

  it('returns the whole product when one of its fields differs', () => {
    const edits = editsFromPost(productPost)
    expect(changedFields(productPost, { ...edits, productPrice: '24.50', name: ' Mug ' })).toBeUndefined()
    const changes = changedFields(productPost, { ...edits, productPrice: '20', category: '' })
    expect(changes).toEqual({ product: { ...product, price: 20, category: null } })
    expect(EditPostRequest.safeParse(changes).success).toBe(true)
  })
})

describe('unsaved edits', () => {
  it('do not overwrite what was saved elsewhere in the meantime', () => {
    const initial = editsFromPost(premiumPost)
    const unsaved = recordEdits(initial, recordEdits(initial, {}, { content: 'ne' }), { content: 'new' })
    const changesTo = (post: typeof premiumPost) =>
      changedFields(
        post,
        applyUnsavedEdits(editsFromPost(post), dropStaleEdits(editsFromPost(post), unsaved)),
      )
    expect(changesTo({ ...premiumPost, premiumPrice: 15 })).toEqual({ content: 'new' })
    expect(changesTo({ ...premiumPost, content: 'saved elsewhere' })).toBeUndefined()
  })
})

describe('validateEdits', () => {
  it('rejects an empty post without media, and a price out of range', () => {
    expect(validateEdits(freePost, { ...editsFromPost(freePost), content: ' ' }).content).toMatch(
      /^Please enter some content/,
    )
    expect(validateEdits(premiumPost, { ...editsFromPost(premiumPost), content: '' })).toEqual({})
    expect(validateEdits(premiumPost, { ...editsFromPost(premiumPost), price: '0.5' }).price).toMatch(
      /between/,
    )
  })

  it('requires a name, a description and a valid store URL for a product', () => {
    const edits = editsFromPost(productPost)
    expect(validateEdits(productPost, edits)).toEqual({})
    const required = 'Please fill in all required fields.'
    expect(
      validateEdits(productPost, { ...edits, name: '', content: ' ', storeUrl: 'javascript:alert(1)' }),
    ).toEqual({
      content: required,
      product: { name: required, storeUrl: 'Please enter a valid store URL.' },
    })
  })
})

import { EditPostRequest } from '@contract/post.ts'
import { expect, test } from 'vitest'
import {
  applyUnsavedEdits,
  changedFields,
  dropStaleEdits,
  editProblems,
  editsFromPost,
  recordEdits,
} from './post-edits'
import { postFixture } from './post-fixture'

const sold = postFixture('p', {
  isPremium: true,
  premiumPrice: 9.99,
  teaser: 'Look',
  mediaType: 'image',
  altText: 'A cat',
})

test('nothing is sent where nothing differs', () => {
  expect(changedFields(sold, editsFromPost(sold))).toBeUndefined()
  expect(
    changedFields(sold, { ...editsFromPost(sold), content: ` ${sold.content} `, price: '9.990' }),
  ).toBeUndefined()
})

test('only what differs is sent; emptied fields are taken back', () => {
  const changes = changedFields(sold, {
    ...editsFromPost(sold),
    content: 'new',
    teaser: '',
    altText: 'A dog',
    price: '12',
    included: true,
  })
  expect(changes).toEqual({
    content: 'new',
    teaser: null,
    altText: 'A dog',
    premiumPrice: 12,
    includedInSubscription: true,
  })
  expect(EditPostRequest.safeParse(changes).success).toBe(true)
})

test('a free post has neither teaser nor price, and alt text only with a picture or video', () => {
  const free = postFixture('p')
  expect(
    changedFields(free, { ...editsFromPost(free), teaser: 't', price: '5', altText: 'a', included: true }),
  ).toBeUndefined()
})

test('what was left unsaved undoes nothing that was saved from elsewhere since', () => {
  const kept = recordEdits(sold, recordEdits(sold, {}, { content: 'ne' }), { content: 'new' })
  const priced = { ...sold, premiumPrice: 15 }
  expect(changedFields(priced, applyUnsavedEdits(priced, dropStaleEdits(priced, kept)))).toEqual({
    content: 'new',
  })
  const mended = { ...sold, content: 'mended' }
  expect(changedFields(mended, applyUnsavedEdits(mended, dropStaleEdits(mended, kept)))).toBeUndefined()
})

test('a post cannot be emptied, nor priced out of bounds', () => {
  const free = postFixture('p')
  expect(editProblems(free, { ...editsFromPost(free), content: ' ' }).content).toMatch(
    /^Please enter some content/,
  )
  expect(editProblems(sold, { ...editsFromPost(sold), content: '' })).toEqual({})
  expect(editProblems(sold, { ...editsFromPost(sold), price: '0.5' }).price).toMatch(/between/)
})

test('a product is sent as a whole where anything of it differs, and never without what is required', () => {
  const product = { name: 'Mug', price: 24.5, storeUrl: 'https://store.example/', category: 'Home' }
  const offer = postFixture('o', { product })
  const edits = editsFromPost(offer)
  expect(changedFields(offer, { ...edits, productPrice: '24.50', name: ' Mug ' })).toBeUndefined()
  const changes = changedFields(offer, { ...edits, productPrice: '20', category: '' })
  expect(changes).toEqual({ product: { ...product, price: 20, category: null } })
  expect(EditPostRequest.safeParse(changes).success).toBe(true)
  expect(editProblems(offer, edits)).toEqual({})
  const all = 'Please fill in all required fields.'
  expect(editProblems(offer, { ...edits, name: '', content: ' ', storeUrl: 'javascript:alert(1)' })).toEqual({
    content: all,
    product: { name: all, storeUrl: 'Please enter a valid store URL.' },
  })
  expect(changedFields(postFixture('p'), { ...editsFromPost(postFixture('p')), name: 'Mug' })).toBeUndefined()
})

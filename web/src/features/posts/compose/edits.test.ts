import { EditPostRequest } from '@contract/post.ts'
import { expect, test } from 'vitest'
import { postOf } from '../api/testPost'
import { changesOf, editsOf, editsWith, keep, keptStill, problemsOf } from './edits'

const sold = postOf('p', {
  isPremium: true,
  premiumPrice: 9.99,
  teaser: 'Look',
  mediaType: 'image',
  altText: 'A cat',
})

test('nothing is sent where nothing differs', () => {
  expect(changesOf(sold, editsOf(sold))).toBeUndefined()
  expect(changesOf(sold, { ...editsOf(sold), content: ` ${sold.content} `, price: '9.990' })).toBeUndefined()
})

test('only what differs is sent; emptied fields are taken back', () => {
  const changes = changesOf(sold, {
    ...editsOf(sold),
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
  const free = postOf('p')
  expect(
    changesOf(free, { ...editsOf(free), teaser: 't', price: '5', altText: 'a', included: true }),
  ).toBeUndefined()
})

test('what was left unsaved undoes nothing that was saved from elsewhere since', () => {
  const kept = keep(sold, keep(sold, {}, { content: 'ne' }), { content: 'new' })
  const priced = { ...sold, premiumPrice: 15 }
  expect(changesOf(priced, editsWith(priced, keptStill(priced, kept)))).toEqual({ content: 'new' })
  const mended = { ...sold, content: 'mended' }
  expect(changesOf(mended, editsWith(mended, keptStill(mended, kept)))).toBeUndefined()
})

test('a post cannot be emptied, nor priced out of bounds', () => {
  const free = postOf('p')
  expect(problemsOf(free, { ...editsOf(free), content: ' ' }).content).toMatch(/^Please enter some content/)
  expect(problemsOf(sold, { ...editsOf(sold), content: '' })).toEqual({})
  expect(problemsOf(sold, { ...editsOf(sold), price: '0.5' }).price).toMatch(/between/)
})

test('a product is sent as a whole where anything of it differs, and never without what is required', () => {
  const product = { name: 'Mug', price: 24.5, storeUrl: 'https://store.example/', category: 'Home' }
  const offer = postOf('o', { product })
  const edits = editsOf(offer)
  expect(changesOf(offer, { ...edits, productPrice: '24.50', name: ' Mug ' })).toBeUndefined()
  const changes = changesOf(offer, { ...edits, productPrice: '20', category: '' })
  expect(changes).toEqual({ product: { ...product, price: 20, category: null } })
  expect(EditPostRequest.safeParse(changes).success).toBe(true)
  expect(problemsOf(offer, edits)).toEqual({})
  const all = 'Please fill in all required fields.'
  expect(problemsOf(offer, { ...edits, name: '', content: ' ', storeUrl: 'javascript:alert(1)' })).toEqual({
    content: all,
    product: { name: all, storeUrl: 'Please enter a valid store URL.' },
  })
  expect(changesOf(postOf('p'), { ...editsOf(postOf('p')), name: 'Mug' })).toBeUndefined()
})

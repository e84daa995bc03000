import { CreatePostRequest } from '@contract/post.ts'
import { expect, test } from 'vitest'
import {
  createPostRequest,
  draftAfterPosting,
  emptyDraft,
  isDraftEmpty,
  parseDraft,
  updateDraft,
} from './post-draft'

const image = { kind: 'image', imageUrl: '/api/media/1' } as const

test('a draft comes back as it was, an older one with what it lacked, a broken one not at all', () => {
  const draft = updateDraft(emptyDraft(), {
    text: 'Hi',
    isPremium: true,
    price: '4.50',
    teaser: 't',
    media: image,
  })
  expect(parseDraft(JSON.stringify(draft))).toEqual(draft)
  expect(parseDraft('{"id":"1","text":"old"}')).toEqual({ ...emptyDraft(), id: '1', text: 'old' })
  expect(parseDraft('{"id":1}')).toBeUndefined()
  expect(parseDraft('{')).toBeUndefined()
  expect(parseDraft(null)).toBeUndefined()
})

test('only an untouched draft is empty', () => {
  expect(isDraftEmpty(emptyDraft())).toBe(true)
  for (const fields of [
    { text: ' ' },
    { isPremium: true },
    { price: '5' },
    { altText: 'a' },
    { media: image },
  ])
    expect(isDraftEmpty(updateDraft(emptyDraft(), fields))).toBe(false)
})

test('another content is another post', () => {
  const draft = updateDraft(emptyDraft(), { text: 'a' })
  expect(updateDraft(draft, { text: 'ab' }).id).not.toBe(draft.id)
})

test('posting empties the draft, but for what was written since; its picture is used up', () => {
  const posted = updateDraft(emptyDraft(), { text: 'a', altText: 'b', media: image })
  expect(isDraftEmpty(draftAfterPosting(posted, posted))).toBe(true)
  const since = updateDraft(posted, { text: 'ab' })
  expect(draftAfterPosting(since, posted)).toMatchObject({ text: 'ab', altText: '', media: null })
  const other = updateDraft(posted, { media: { kind: 'image', imageUrl: '/api/media/2' } })
  expect(draftAfterPosting(other, posted)).toBe(other)
})

test('what is sent holds only what belongs to the post', () => {
  const draft = updateDraft(emptyDraft(), { text: ' Hi ', price: '7', teaser: 'secret', altText: 'nobody' })
  expect(createPostRequest(draft)).toEqual({ id: draft.id, content: 'Hi', isPremium: false })
  const premium = updateDraft(draft, { isPremium: true, teaser: ' ', media: image })
  const sent = {
    content: 'Hi',
    isPremium: true,
    premiumPrice: 7,
    teaser: null,
    imageUrl: '/api/media/1',
    altText: 'nobody',
  }
  expect(createPostRequest(premium)).toEqual({ id: premium.id, ...sent })
  expect(CreatePostRequest.safeParse(createPostRequest(premium)).success).toBe(true)
})

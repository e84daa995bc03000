import { CreatePostRequest } from '@contract/post.ts'
import { describe, expect, it } from 'vitest'
import {
  createPostRequest,
  differOnlyInMedia,
  draftAfterPosting,
  draftToPublish,
  emptyDraft,
  isDraftEmpty,
  parseDraft,
  updateDraft,
} from './post-draft'

const image = { kind: 'image', imageUrl: '/api/media/1' } as const

describe('parseDraft', () => {
  it('restores a draft, with default values for fields that an older draft lacks', () => {
    const draft = updateDraft(emptyDraft(), {
      text: 'Hi',
      isPremium: true,
      price: '4.50',
      teaser: 't',
      media: image,
    })
    expect(parseDraft(JSON.stringify(draft))).toEqual(draft)
    expect(parseDraft('{"id":"1","text":"old"}')).toEqual({ ...emptyDraft(), id: '1', text: 'old' })
  })

  it('rejects an invalid draft', () => {
    expect(parseDraft('{"id":1}')).toBeUndefined()
    expect(parseDraft('{')).toBeUndefined()
    expect(parseDraft(null)).toBeUndefined()
  })
})

describe('isDraftEmpty', () => {
  it('returns true only for an unchanged draft', () => {
    expect(isDraftEmpty(emptyDraft())).toBe(true)
    for (const fields of [
      { text: ' ' },
      { isPremium: true },
      { price: '5' },
      { altText: 'a' },
      { media: image },
      { quotedPostId: 'q' },
      { publishAt: '2026-12-01T09:00:00.000Z' },
    ])
      expect(isDraftEmpty(updateDraft(emptyDraft(), fields))).toBe(false)
  })
})

describe('updateDraft', () => {
  it('gives a changed draft a new id', () => {
    const draft = updateDraft(emptyDraft(), { text: 'a' })
    expect(updateDraft(draft, { text: 'ab' }).id).not.toBe(draft.id)
  })
})

describe('draftToPublish', () => {
  const pressed = updateDraft(emptyDraft(), { text: 'a' })

  it('adds media that was uploaded after the button was pressed, and keeps the id of the current draft', () => {
    const current = updateDraft(pressed, { media: image })
    expect(differOnlyInMedia(pressed, current)).toBe(true)
    expect(draftToPublish(pressed, current)).toEqual(current)
  })

  it('leaves out other later changes, which stay in the draft', () => {
    for (const fields of [{ quotedPostId: 'q' }, { text: 'ab' }, { isPremium: true }]) {
      const current = updateDraft(pressed, { media: image, ...fields })
      const published = draftToPublish(pressed, current)
      expect(published).toEqual({ ...pressed, media: image, id: published.id })
      expect(published.id).not.toBe(current.id)
      expect(draftAfterPosting(current, published)).toMatchObject({ ...fields, media: null })
    }
  })
})

describe('draftAfterPosting', () => {
  const posted = updateDraft(emptyDraft(), { text: 'a', altText: 'b', media: image })

  it('returns an empty draft if nothing has changed since posting', () => {
    expect(isDraftEmpty(draftAfterPosting(posted, posted))).toBe(true)
  })

  it('keeps later changes, but not the posted media', () => {
    const changed = updateDraft(posted, { text: 'ab' })
    expect(draftAfterPosting(changed, posted)).toMatchObject({ text: 'ab', altText: '', media: null })
    const withOtherMedia = updateDraft(posted, { media: { kind: 'image', imageUrl: '/api/media/2' } })
    expect(draftAfterPosting(withOtherMedia, posted)).toBe(withOtherMedia)
  })

  it('keeps later changes, but not the quoted post', () => {
    const quoting = updateDraft(emptyDraft(), { text: 'a', quotedPostId: 'q' })
    const changed = updateDraft(quoting, { text: 'ab' })
    expect(draftAfterPosting(changed, quoting)).toMatchObject({ text: 'ab', quotedPostId: null })
    const withOtherQuote = updateDraft(quoting, { quotedPostId: 'r' })
    expect(draftAfterPosting(withOtherQuote, quoting)).toBe(withOtherQuote)
  })
})

describe('createPostRequest', () => {
  it('contains only the fields that apply to the post', () => {
    const hidden = { price: '7', teaser: 'secret', altText: 'nobody', showUnlocks: true }
    const draft = updateDraft(emptyDraft(), { text: ' Hi ', ...hidden })
    expect(createPostRequest(draft)).toEqual({ id: draft.id, content: 'Hi', isPremium: false })
    const premium = updateDraft(draft, { isPremium: true, teaser: ' ', media: image })
    expect(createPostRequest(premium)).toEqual({
      id: premium.id,
      content: 'Hi',
      isPremium: true,
      premiumPrice: 7,
      teaser: null,
      showUnlocks: true,
      imageUrl: '/api/media/1',
      altText: 'nobody',
    })
    expect(CreatePostRequest.safeParse(createPostRequest(premium)).success).toBe(true)
  })
})

import { SubjectKind } from '@contract/moderation.ts'
import { describe, expect, it } from 'vitest'
import { availableDecisions, isCommonDecision, subjectExcerpt } from './model'

describe('subjectExcerpt', () => {
  it('returns the text on one line, with the teaser first', () => {
    expect(subjectExcerpt('comment', { content: ' One\n\ntwo ' })).toBe('One two')
    expect(subjectExcerpt('post', { content: 'Paid text', teaser: 'Teaser' })).toBe('Teaser Paid text')
    expect(subjectExcerpt('post', { content: 'Blue', product: { name: 'Bowl' } })).toBe('Bowl Blue')
  })

  it('shortens long text without splitting an emoji', () => {
    expect(subjectExcerpt('message', { content: '😀'.repeat(200) })).toBe('😀'.repeat(200))
    expect(subjectExcerpt('message', { content: '😀'.repeat(201) })).toBe(`${'😀'.repeat(199)}…`)
  })

  it('says what was reported if there is no text', () => {
    expect(subjectExcerpt('post', { content: ' ', mediaType: 'image' })).toBe('Photo')
    expect(subjectExcerpt('post', { mediaType: 'video' })).toBe('Video')
    expect(subjectExcerpt('message', { mediaType: 'audio' })).toBe('Voice message')
    expect(subjectExcerpt('post', {})).toBe('No text')
  })

  it('returns the bio of a user, or else the name', () => {
    expect(subjectExcerpt('user', { fullName: 'Noor Haddad', bio: 'Potter' })).toBe('Potter')
    expect(subjectExcerpt('user', { fullName: 'Noor Haddad' })).toBe('Noor Haddad')
    expect(subjectExcerpt('user', { username: 'noor' })).toBe('noor')
  })
})

describe('isCommonDecision', () => {
  it('is true for two of the decisions on each kind of subject', () => {
    for (const kind of SubjectKind.options) {
      const common = availableDecisions([kind]).filter((decision) => isCommonDecision(decision, kind))
      expect([kind, ...common]).toEqual([kind, 'dismiss', kind === 'user' ? 'warn' : 'hide'])
    }
  })
})

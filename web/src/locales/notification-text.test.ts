import { LenientNotification, type Notification } from '@contract/notification.ts'
import { describe, expect, it } from 'vitest'
import { notificationText } from './notification-text'

const ana = {
  id: '00000000-0000-4000-8000-000000000001',
  username: 'ana',
  handle: 'ana',
  displayName: 'Ana',
  fullName: 'Ana',
  firstName: null,
  lastName: null,
  profileImageUrl: null,
  isCreator: false,
  isAdmin: false,
}

const notification: Notification = {
  id: '00000000-0000-4000-8000-000000000002',
  kind: 'message',
  title: 'Title from the server',
  message: 'Message from the server',
  isRead: false,
  createdAt: '2026-01-01T00:00:00Z',
  relatedUser: ana,
  othersCount: 0,
  actors: [],
  post: null,
  commentText: null,
  comment: null,
  follower: null,
  amount: null,
  href: '/',
  details: {},
}

/** Returns the title and the message, without the characters that isolate names. */
function textOf(kind: Notification['kind'], fields: Partial<Notification> = {}): [string, string] {
  const { title, message } = notificationText({ ...notification, kind, ...fields })
  return [title, message.replace(/[\u2068\u2069]/g, '')]
}

describe('notificationText', () => {
  it('names one user and counts the others', () => {
    expect(textOf('like')).toEqual(['New like', 'Ana liked your post.'])
    expect(textOf('like', { details: { liked: 'comment' }, othersCount: 1 })[1]).toBe(
      'Ana and 1 other liked your comment.',
    )
    expect(textOf('follow', { othersCount: 1 })[1]).toBe('Ana and 1 other started following you.')
    expect(textOf('comment', { othersCount: 3 })[1]).toBe('Ana and 3 others commented on your post.')
    expect(textOf('unlock', { relatedUser: null })).toEqual(['Post unlocked', 'Someone unlocked your post.'])
    const photo = { othersCount: 2, details: { unlocked: 'photo' as const } }
    expect(textOf('unlock', photo)).toEqual(['Photo unlocked', 'Ana and 2 others unlocked your photo.'])
    const photos = { othersCount: 0, details: { unlocked: 'photos' as const } }
    expect(textOf('unlock', photos)).toEqual(['Photos unlocked', 'Ana unlocked your photos.'])
  })

  it('states the number of posts in a notification about new posts', () => {
    expect(textOf('new_post', { details: { postsCount: 1 } })).toEqual(['New post', 'Ana published a post.'])
    expect(textOf('new_post', { details: { postsCount: 3 } })).toEqual([
      'New posts',
      'Ana published 3 posts.',
    ])
  })

  it("returns the server's text for an unknown kind or unknown details", () => {
    const later = { ...notification, kind: 'constructor', details: { event: 'eclipse' } }
    expect(notificationText(LenientNotification.parse(later))).toEqual({
      title: 'Title from the server',
      message: 'Message from the server',
    })
  })

  it("isolates the text direction of the user's name", () => {
    const message = notificationText({
      ...notification,
      relatedUser: { ...ana, displayName: 'أنا\u202E' },
    }).message
    expect(message).toBe('\u2068أنا\u2069 sent you a message.')
  })

  it('contains the details of the notification', () => {
    expect(textOf('tip')).toEqual(['New tip', 'Ana sent you a tip.'])
    expect(textOf('tip', { details: { amount: 12.5 } })[1]).toBe('Ana sent you a tip of $12.50.')
    expect(textOf('tip', { details: { amount: 3, note: 'Bravo' } })[1]).toBe(
      'Ana sent you a tip of $3.00: Bravo',
    )
    expect(textOf('mention', { details: { mentionedIn: 'comment' } })).toEqual([
      'New mention',
      'Ana mentioned you in a comment.',
    ])
    expect(textOf('sign_in', { details: { device: 'Chrome on Linux' } })).toEqual([
      'New sign-in',
      'New sign-in to your account from Chrome on Linux.',
    ])
    const device = { device: 'Chrome on Linux', browser: 'Firefox', system: 'Windows' }
    expect(textOf('sign_in', { details: device })[1]).toBe(
      'New sign-in to your account from Firefox on Windows.',
    )
    expect(textOf('sign_in')[1]).toBe('New sign-in to your account from an unknown device.')
    expect(textOf('payout', { details: { payout: 'paid', amount: 1234 } })).toEqual([
      'Payout sent',
      'Your payout of $1,234.00 is on its way.',
    ])
    expect(textOf('payout', { details: { payout: 'failed', amount: 50, note: 'Closed' } })).toEqual([
      'Payout failed',
      'Your payout of $50.00 failed, and the money is back in your balance: Closed',
    ])
  })

  it('says what moderators and admins decided', () => {
    const decided = (decision: NonNullable<Notification['details']>['decision']) =>
      textOf('moderation', { details: { decision } })
    expect(decided({ kind: 'post', decision: 'hide', reason: 'Spam: again' })).toEqual([
      'From the moderators',
      'Your post was hidden: Spam: again',
    ])
    expect(decided({ kind: 'user', decision: 'warn', reason: 'Rude' })[1]).toBe(
      'You were warned about your profile: Rude',
    )
    expect(decided({ kind: 'comment', decision: 'suspend', reason: 'Rude' })[1]).toBe(
      'Your account was suspended: Rude',
    )
    expect(
      decided({
        kind: 'comment',
        decision: 'suspend',
        reason: 'Rude',
        suspendedUntil: '2026-11-21T12:00:00Z',
      })[1],
    ).toMatch(/^Your account was suspended until .*2026.*: Rude$/)
    expect(textOf('moderation', { details: { appeal: { outcome: 'upheld', answer: 'No' } } })[1]).toBe(
      'Your appeal was turned down: No',
    )
    expect(textOf('moderation', { details: { appeal: { outcome: 'overturned', answer: 'Yes' } } })[1]).toBe(
      'Your appeal was granted: Yes',
    )
    expect(textOf('moderation', { details: { event: 'suspension_lifted' } })[1]).toBe(
      'Your suspension was lifted. Welcome back.',
    )
    expect(textOf('report', { details: { event: 'report_acted' } })).toEqual([
      'Your report',
      'We reviewed what you reported and took action. Thank you.',
    ])
    expect(textOf('admin', { details: { event: 'post_published' } })[1]).toBe(
      'The team published a post in your name.',
    )
    expect(textOf('auto_post', { details: { event: 'draft_ready' } })[1]).toBe(
      'An AI-written draft is ready for your review.',
    )
  })

  it("uses the server's text if the details are missing", () => {
    expect(textOf('moderation')).toEqual(['From the moderators', 'Message from the server'])
    expect(textOf('payout')).toEqual(['Title from the server', 'Message from the server'])
    expect(textOf('tip', { details: undefined })[1]).toBe('Message from the server')
  })
})

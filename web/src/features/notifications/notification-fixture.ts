import type { Notification } from '@contract/notification.ts'

/** Returns an unread notification. */
export const notification = (id: string): Notification => ({
  id,
  kind: 'like',
  title: 'New like',
  message: 'Ada liked your post.',
  isRead: false,
  createdAt: '2026-01-01T00:00:00Z',
  relatedUser: null,
  othersCount: 0,
  actors: [],
  post: null,
  commentText: null,
  comment: null,
  follower: null,
  amount: null,
  href: '/',
})

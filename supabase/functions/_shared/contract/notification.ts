import { z } from 'zod'
import { Id, Timestamp } from './common.ts'
import { UserCard } from './user.ts'

const NotificationKind = z.enum([
  'follow',
  'follow_request',
  'follow_accepted',
  'like',
  'comment',
  'reply',
  'mention',
  'unlock',
  'message',
])

export const Notification = z.object({
  id: Id,
  kind: NotificationKind,
  title: z.string(),
  message: z.string(),
  isRead: z.boolean(),
  createdAt: Timestamp,
  relatedUser: UserCard.nullable(),
  /** The path of this site that it leads to. */
  href: z.string(),
})
export type Notification = z.infer<typeof Notification>

import { queryKeys } from '@/lib/queryKeys'

export const notificationKeys = {
  all: queryKeys.notifications,
  list: [...queryKeys.notifications, 'list'] as const,
  unread: queryKeys.unreadNotifications,
}

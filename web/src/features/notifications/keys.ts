import { queryKeys } from '@/lib/query-keys'

export const notificationKeys = {
  all: queryKeys.notifications,
  list: [...queryKeys.notifications, 'list'] as const,
  unread: queryKeys.unreadNotifications,
}

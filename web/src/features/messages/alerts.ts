import { Count } from '@contract/common.ts'
import { limits } from '@contract/limits.ts'
import type { ChatMessage } from '@contract/message.ts'
import { Notification } from '@contract/notification.ts'
import type { NotificationSettings } from '@contract/notification-settings.ts'
import { api, withQuery } from '@/lib/api'
import { browserNotificationState, showBrowserNotification } from '@/lib/browser'
import { paths } from '@/lib/paths'
import { captureCount, invalidateQueries } from '@/lib/query-cache'
import { queryClient } from '@/lib/query-client'
import { queryKeys } from '@/lib/query-keys'
import { displayName } from '@/lib/text'
import { messageKeys } from './api/keys'
import { recipientQuery } from './api/recipients'
import { claimAlert } from './claim-alert'
import type { ConversationList } from './model/conversations'
import { canPlaySound, playMessageSound } from './sound'
import { isAnyTabVisible } from './tab-visibility'

/** Who is told, what they want to be told of, and how a click leads somewhere. */
export interface AlertRecipient {
  userId: string
  settings: NotificationSettings
  navigate: (href: string) => void
}

/** Milliseconds that a tab nobody is in leaves the word to the one where somebody is. */
const deference = 300

/** A message came: sounds, and shows a notification of the browser, as its reader wants; once over all tabs. */
export async function announceMessage(
  { userId, settings, navigate }: AlertRecipient,
  message: ChatMessage,
  otherUserId: string,
): Promise<void> {
  const [sound, popup] = [`sound:${message.id}`, `popup:${message.id}`]
  if (isRead(otherUserId)) {
    // Read as it comes: that needs no announcement, in no tab.
    await Promise.all([claimAlert(userId, sound), claimAlert(userId, popup)])
    return
  }
  if (!document.hasFocus()) await new Promise((resolve) => setTimeout(resolve, deference))
  if (settings.messageSounds && canPlaySound() && (await claimAlert(userId, sound))) void playMessageSound()
  if (!(await wantsPopup(settings)) || !(await claimAlert(userId, popup))) return
  showBrowserNotification({
    title: await nameOf(otherUserId),
    body: message.content || 'Photo',
    tag: message.id,
    onClick: () => navigate(paths.messages.getHref(otherUserId)),
  })
}

/** Something else happened: shows a notification of the browser, if wanted; once over all tabs. */
export async function announceNotification(
  { userId, settings, navigate }: AlertRecipient,
  id: string,
): Promise<void> {
  if (!(await wantsPopup(settings)) || !(await claimAlert(userId, `popup:${id}`))) return
  const newest = await api.page(
    withQuery('/api/notifications', { limit: limits.page.notifications }),
    Notification,
  )
  const news = newest.items.find((one) => one.id === id)
  if (!news) return
  showBrowserNotification({
    title: news.title,
    body: news.message,
    tag: id,
    onClick: () => {
      navigate(news.href)
      void markRead(id)
    },
  })
}

/** Marks a notification read, as a press on it in the list does. One that fails stays unread. */
async function markRead(id: string): Promise<void> {
  const takeCount = captureCount(queryClient, queryKeys.unreadNotifications)
  try {
    takeCount(await api.post(`/api/notifications/${id}/read`, undefined, Count))
  } catch {
    // It is in the list, and counted.
  }
  invalidateQueries(queryClient, { queryKey: queryKeys.notifications })
}

async function wantsPopup(settings: NotificationSettings): Promise<boolean> {
  if (!settings.pushNotifications || browserNotificationState() !== 'granted') return false
  return !(await isAnyTabVisible())
}

/** Somebody has the conversation before their eyes, in this tab. */
function isRead(otherUserId: string): boolean {
  const open = new URLSearchParams(window.location.search).get('user')?.toLowerCase()
  return window.location.pathname === paths.messages.path && open === otherUserId && document.hasFocus()
}

async function nameOf(userId: string): Promise<string> {
  const list = queryClient.getQueryData<ConversationList>(messageKeys.conversations)
  const known = list?.items.find((one) => one.otherUserId === userId)?.otherUser
  const person = known ?? (await queryClient.fetchQuery(recipientQuery(userId)).catch(() => null))
  return displayName(person)
}

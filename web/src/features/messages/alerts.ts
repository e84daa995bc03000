import { Count } from '@contract/common.ts'
import { userEvents } from '@contract/events.ts'
import { limits } from '@contract/limits.ts'
import type { ChatMessage } from '@contract/message.ts'
import { LenientNotification } from '@contract/notification.ts'
import type { NotificationSettings } from '@contract/notification-settings.ts'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router-dom'
import { api, withQuery } from '@/lib/api'
import { browserNotificationState, showBrowserNotification } from '@/lib/browser'
import { paths } from '@/lib/paths'
import { captureCount, invalidateQueries } from '@/lib/query-cache'
import { queryClient, queryKeys } from '@/lib/query-client'
import { type UserStorage, userStorage } from '@/lib/storage'
import { displayName } from '@/lib/text'
import { useUserChannel } from '@/realtime/channel-hooks'
import { showUnreadInTitle } from '@/ui/useDocumentTitle'
import { recipientQuery } from './api/conversations'
import { messageKeys } from './api/keys'
import type { ConversationList } from './model/conversations'
import { contentPreview } from './model/post-link'

/**
 * Alerts the user to new messages and notifications with an unread count in the document title and, depending on the
 * user's settings, a sound and browser notifications.
 */
export function useAlerts(user: OwnUser | null): void {
  const navigate = useNavigate()
  const unreadCount = useCachedCount(queryKeys.unreadMessages) + useCachedCount(queryKeys.unreadNotifications)
  useEffect(() => showUnreadInTitle(unreadCount), [unreadCount])
  useEffect(() => () => showUnreadInTitle(0), [])
  useEffect(announceTabVisibility, [])

  useUserChannel(user?.id, {
    onEvent: (event, payload) => {
      if (!user) return
      const recipient = {
        userId: user.id,
        settings: user.notificationSettings,
        navigate: (href: string) => void navigate(href),
      }
      if (event === 'message.created') {
        const data = userEvents['message.created'].safeParse(payload).data
        if (!data || data.message.senderId === user.id) return
        announceMessage(recipient, data.message, data.otherUserId).catch(ignoreError)
      }
      if (event === 'notification.created') {
        const data = userEvents['notification.created'].safeParse(payload).data
        // `message.created` already alerts the user to a new message.
        if (!data || data.kind === 'message') return
        announceNotification(recipient, data.notificationId).catch(ignoreError)
      }
    },
    onJoined: () => undefined,
  })
}

/** A failed alert is not retried: the list and the unread count still show the message or notification. */
const ignoreError = () => undefined

/** Returns a count that another component keeps in the cache; 0 until it is loaded. */
function useCachedCount(queryKey: QueryKey): number {
  const client = useQueryClient()
  const subscribe = useCallback(
    (listener: () => void) => client.getQueryCache().subscribe(listener),
    [client],
  )
  return useSyncExternalStore(subscribe, () => client.getQueryData<{ count: number }>(queryKey)?.count ?? 0)
}

interface AlertRecipient {
  userId: string
  settings: NotificationSettings
  /** Opens the page that a clicked notification links to. */
  navigate: (href: string) => void
}

/** How long a tab without focus waits, so that a focused tab claims the alert first. */
const unfocusedTabDelayMs = 300

/**
 * Announces a new message, as the user's settings allow: plays a sound and, if no tab is visible, shows a browser
 * notification. Only one tab plays the sound, and only one shows the notification.
 */
async function announceMessage(
  { userId, settings, navigate }: AlertRecipient,
  message: ChatMessage,
  otherUserId: string,
): Promise<void> {
  const [soundId, popupId] = [`sound:${message.id}`, `popup:${message.id}`]
  if (isConversationFocused(otherUserId)) {
    // The user reads the message as it arrives, so no tab announces it.
    await Promise.all([claimAlert(userId, soundId), claimAlert(userId, popupId)])
    return
  }
  if (!document.hasFocus()) await new Promise((resolve) => setTimeout(resolve, unfocusedTabDelayMs))
  if (settings.messageSounds && canPlaySound() && (await claimAlert(userId, soundId))) void playMessageSound()
  if (!(await shouldShowPopup(settings)) || !(await claimAlert(userId, popupId))) return
  showBrowserNotification({
    title: await getPartnerName(otherUserId),
    body:
      contentPreview(message.content, message.voice?.seconds) ||
      (message.paidPhoto?.unlocked === false ? t`Locked photo` : t`Photo`),
    tag: message.id,
    onClick: () => navigate(paths.messages.getHref(otherUserId)),
  })
}

/**
 * If no tab is visible and the user's settings allow it, shows a browser notification for a new notification. Only one
 * tab shows it.
 */
async function announceNotification(
  { userId, settings, navigate }: AlertRecipient,
  id: string,
): Promise<void> {
  if (!(await shouldShowPopup(settings)) || !(await claimAlert(userId, `popup:${id}`))) return
  const firstPage = await api.page(
    withQuery('/api/notifications', { limit: limits.page.notifications }),
    LenientNotification,
  )
  const notification = firstPage.items.find((item) => item.id === id)
  if (!notification) return
  // Loaded only when it is needed, so that opening a page loads less code.
  const { notificationText } = await import('@/locales/notification-text')
  const { title, message } = notificationText(notification)
  showBrowserNotification({
    title,
    body: message,
    tag: id,
    onClick: () => {
      navigate(notification.href)
      void markNotificationRead(id)
    },
  })
}

/** Marks a notification as read, like a click on it in the list. */
async function markNotificationRead(id: string): Promise<void> {
  const applyCount = captureCount(queryClient, queryKeys.unreadNotifications)
  try {
    applyCount(await api.post(`/api/notifications/${id}/read`, undefined, Count))
  } catch {
    // The notification stays unread.
  }
  invalidateQueries(queryClient, { queryKey: queryKeys.notifications })
}

async function shouldShowPopup(settings: NotificationSettings): Promise<boolean> {
  if (!settings.pushNotifications || browserNotificationState() !== 'granted') return false
  return !(await isAnyTabVisible())
}

/** Returns true if this tab shows the conversation and has focus. */
function isConversationFocused(otherUserId: string): boolean {
  const openUserId = new URLSearchParams(window.location.search).get('user')?.toLowerCase()
  return window.location.pathname === paths.messages.path && openUserId === otherUserId && document.hasFocus()
}

async function getPartnerName(userId: string): Promise<string> {
  const list = queryClient.getQueryData<ConversationList>(messageKeys.conversations)
  const cachedUser = list?.items.find((item) => item.otherUserId === userId)?.otherUser
  const user = cachedUser ?? (await queryClient.fetchQuery(recipientQuery(userId)).catch(() => null))
  return displayName(user)
}

const claimsKey = 'announced'
const maxClaims = 100

/** Stores a claim for the alert, newest claims first. Returns false if it is already claimed. */
export function tryClaim(storage: Pick<UserStorage, 'get' | 'set'>, alertId: string): boolean {
  const claims = (storage.get(claimsKey) ?? '').split('\n').filter(Boolean)
  if (claims.includes(alertId)) return false
  storage.set(claimsKey, [alertId, ...claims].slice(0, maxClaims).join('\n'))
  return true
}

/** Resolves to true in only one tab, so that an event that all tabs receive is announced once. */
async function claimAlert(userId: string, alertId: string): Promise<boolean> {
  const claim = () => tryClaim(userStorage(userId), alertId)
  if (!hasLocks()) return claim()
  return navigator.locks.request(`ovation-announce:${userId}`, async () => claim())
}

const visibilityLockName = 'ovation-visible-tab'

/** Returns true if the browser has the Web Locks API, which requires a secure context (HTTPS or localhost). */
const hasLocks = () => 'locks' in navigator

/**
 * Holds a shared lock while this tab is visible, so that other tabs can detect this. The browser releases the lock of a
 * tab that is closed or crashes. Returns a function that releases the lock.
 */
function announceTabVisibility(): () => void {
  let releaseLock: (() => void) | undefined
  const update = () => {
    const visible = document.visibilityState === 'visible'
    if (visible && !releaseLock && hasLocks()) {
      const released = new Promise<void>((resolve) => {
        releaseLock = resolve
      })
      void navigator.locks.request(visibilityLockName, { mode: 'shared' }, () => released)
    }
    if (!visible) {
      releaseLock?.()
      releaseLock = undefined
    }
  }
  update()
  document.addEventListener('visibilitychange', update)
  return () => {
    document.removeEventListener('visibilitychange', update)
    releaseLock?.()
  }
}

/** Returns true if any tab of the site is visible; without the Web Locks API, if this tab is. */
async function isAnyTabVisible(): Promise<boolean> {
  if (document.visibilityState === 'visible') return true
  if (!hasLocks()) return false
  const { held: heldLocks } = await navigator.locks.query()
  return heldLocks?.some((lock) => lock.name === visibilityLockName) ?? false
}

let audioContext: AudioContext | undefined

/** Returns true if the user has interacted with the page: browsers block sound until then. */
function canPlaySound(): boolean {
  return typeof AudioContext !== 'undefined' && (navigator.userActivation?.hasBeenActive ?? true)
}

/** Plays two short notes a fifth apart, or nothing if the browser blocks sound. */
async function playMessageSound(): Promise<void> {
  try {
    audioContext ??= new AudioContext()
    await audioContext.resume()
  } catch {
    return
  }
  const start = audioContext.currentTime + 0.01
  playNote(audioContext, 660, start)
  playNote(audioContext, 990, start + 0.09)
}

function playNote(context: AudioContext, frequencyHz: number, start: number): void {
  const oscillator = context.createOscillator()
  const gain = context.createGain()
  oscillator.frequency.value = frequencyHz
  // Fades in and out to avoid clicks.
  gain.gain.setValueAtTime(0, start)
  gain.gain.linearRampToValueAtTime(0.12, start + 0.01)
  gain.gain.exponentialRampToValueAtTime(0.001, start + 0.16)
  oscillator.connect(gain).connect(context.destination)
  oscillator.start(start)
  oscillator.stop(start + 0.18)
}

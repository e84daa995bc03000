import { z } from 'zod'
import { hasChange } from './common.ts'

/** Which notifications a user receives, and how they are delivered. */
export const NotificationSettings = z.object({
  /**
   * Emails about notifications and messages that have been unread for 15 minutes, and about new sign-ins and access
   * tokens. The unsubscribe link in an email does not turn off emails about new sign-ins and access tokens.
   */
  emailNotifications: z.boolean(),
  /** Browser notifications while a page is open. */
  pushNotifications: z.boolean(),
  newFollowers: z.boolean(),
  /** Comments and replies. */
  newComments: z.boolean(),
  /** Quotes and reposts. */
  newQuotes: z.boolean(),
  /** Likes, and reactions to messages. */
  newLikes: z.boolean(),
  subscriptionUpdates: z.boolean(),
  /** Unlocks and tips. */
  paymentAlerts: z.boolean(),
  /** New posts by users whom the user follows. `PostAlerts` controls which ones. */
  newPosts: z.boolean(),
  /** Groups notifications, as in 'Ana and 3 others liked your post.' */
  groupNotifications: z.boolean(),
  messageSounds: z.boolean(),
  /** Sign-ins from a new device, and new access tokens, by notification and email. */
  loginAlerts: z.boolean(),
})
export type NotificationSettings = z.infer<typeof NotificationSettings>

export const NotificationSettingsRequest = z
  .strictObject(NotificationSettings.partial().shape)
  .refine(hasChange, 'Please change at least one setting.')
export type NotificationSettingsRequest = z.infer<typeof NotificationSettingsRequest>

export const UnsubscribeResponse = z.object({ unsubscribed: z.literal(true) })

import { z } from 'zod'

/** Which news a person wants, and how they come. */
export const NotificationSettings = z.object({
  /** One mail for what stayed unread for 15 minutes. */
  emailNotifications: z.boolean(),
  /** By the browser, while a page is open. */
  pushNotifications: z.boolean(),
  newFollowers: z.boolean(),
  /** Comments and replies. */
  newComments: z.boolean(),
  /** Likes, and reactions to messages. */
  newLikes: z.boolean(),
  subscriptionUpdates: z.boolean(),
  /** Unlocks and tips. */
  paymentAlerts: z.boolean(),
  /** 'Ana and 3 others liked your post.' as one. */
  groupNotifications: z.boolean(),
  messageSounds: z.boolean(),
  /** A sign-in from a new device. */
  loginAlerts: z.boolean(),
})
export type NotificationSettings = z.infer<typeof NotificationSettings>

/** What of it is to change: one field or more, each saved as it is switched. */
export const NotificationSettingsRequest = z
  .strictObject(NotificationSettings.partial().shape)
  .refine(
    (fields) => Object.values(fields).some((value) => value !== undefined),
    'Please change at least one setting.',
  )
export type NotificationSettingsRequest = z.infer<typeof NotificationSettingsRequest>

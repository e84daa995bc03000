import { NotificationSettingsRequest } from '@contract/notification-settings.ts'
import { PrivacyRequest, SecurityRequest } from '@contract/settings.ts'
import type { OwnUser } from '@contract/user.ts'
import { z } from 'zod'

/** A change that is saved as it is made: of which part of one's own record, and what is to be there. */
export const SettingChange = z.discriminatedUnion('of', [
  z.object({ of: z.literal('privacy'), fields: PrivacyRequest }),
  z.object({ of: z.literal('notifications'), fields: NotificationSettingsRequest }),
  z.object({ of: z.literal('security'), fields: SecurityRequest }),
])
export type SettingChange = z.infer<typeof SettingChange>

/** The record as it will be once every change that has no answer yet is saved, the latest last. */
export function applyChanges(user: OwnUser, changes: readonly SettingChange[]): OwnUser {
  let shown = user
  for (const { of, fields } of changes) {
    shown =
      of === 'notifications'
        ? { ...shown, notificationSettings: { ...shown.notificationSettings, ...fields } }
        : { ...shown, ...fields }
  }
  return shown
}

/** True if what a change wants has been decided anew by those after it: then it need not be sent. */
export function isSuperseded(change: SettingChange, later: SettingChange[]): boolean {
  const again = new Set(
    later.filter((one) => one.of === change.of).flatMap(({ fields }) => Object.keys(fields)),
  )
  return Object.keys(change.fields).every((name) => again.has(name))
}

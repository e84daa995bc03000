import { z } from 'zod'
import { ProfileVisibility } from './user.ts'

/** What of one's privacy is to change: one field or more, each saved as it is switched. */
export const PrivacyRequest = z
  .strictObject({
    profileVisibility: ProfileVisibility.optional(),
    allowDirectMessages: z.boolean().optional(),
    showFollowerCount: z.boolean().optional(),
    contentDiscoverable: z.boolean().optional(),
    showProfileInDirectory: z.boolean().optional(),
    /** To people one has a conversation with. */
    showOnline: z.boolean().optional(),
    showLastSeen: z.boolean().optional(),
    showTyping: z.boolean().optional(),
  })
  .refine(
    (fields) => Object.values(fields).some((value) => value !== undefined),
    'Please change at least one setting.',
  )
export type PrivacyRequest = z.infer<typeof PrivacyRequest>

/** What of one's profile is to change: one field or more. */
export const ProfileRequest = z
  .strictObject({
    /** The Creator Account switch. */
    isCreator: z.boolean().optional(),
  })
  .refine(
    (fields) => Object.values(fields).some((value) => value !== undefined),
    'Please change at least one setting.',
  )
export type ProfileRequest = z.infer<typeof ProfileRequest>

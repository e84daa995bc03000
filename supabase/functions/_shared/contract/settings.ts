import { z } from 'zod'
import { AboutShown, aboutFields, ageFrom } from './about.ts'
import { accountFields } from './auth.ts'
import { countryCodes } from './country.ts'
import { limits } from './limits.ts'
import { clearable, personName } from './text.ts'
import { ProfileVisibility, SessionTimeout } from './user.ts'

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

const optionalName = clearable(
  personName(
    { min: 1, max: limits.fullName.max },
    {
      tooShort: 'Please enter a name.',
      tooLong: 'A name can have at most 80 characters.',
      unusable: 'This name contains characters that cannot be used',
    },
  ),
)

/** What somebody says of themselves. */
export const bioField = clearable(
  z
    .string()
    .trim()
    .refine((text) => [...text].length <= limits.bio.max, 'A bio can have at most 500 characters.'),
)

const country = clearable(z.enum(countryCodes, 'Please choose a country.'))

/** The fields of a profile, as the person themselves changes them. */
const profileFields = {
  fullName: accountFields.fullName.optional(),
  firstName: optionalName.optional(),
  lastName: optionalName.optional(),
  username: accountFields.username.optional(),
  /** Another address takes effect once the link in the mail to it is followed. */
  email: accountFields.email.optional(),
  phoneNumber: accountFields.phoneNumber.optional(),
  bio: bioField.optional(),
  /** The Creator Account switch. */
  isCreator: z.boolean().optional(),
  ...aboutFields,
  age: ageFrom(limits.age.min).optional(),
  ...AboutShown.partial().shape,
  country: country.optional(),
  allowAutoPosting: z.boolean().optional(),
  approveAutoPosts: z.boolean().optional(),
}

/** What of one's profile is to change: one field, the whole form, or anything between. */
export const ProfileRequest = z
  .strictObject(profileFields)
  .refine(
    (fields) => Object.values(fields).some((value) => value !== undefined),
    'Please change at least one setting.',
  )
export type ProfileRequest = z.output<typeof ProfileRequest>

export const SecurityRequest = z.strictObject({ sessionTimeout: SessionTimeout.nullable() })
export type SecurityRequest = z.infer<typeof SecurityRequest>

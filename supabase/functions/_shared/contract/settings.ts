import { z } from 'zod'
import { AboutVisibility, aboutFields, ageField } from './about.ts'
import { accountFields } from './auth.ts'
import { hasChange } from './common.ts'
import { countryCodes } from './country-codes.ts'
import { Tag } from './discover.ts'
import { limits } from './limits.ts'
import { ProfileVisibility } from './profile-visibility.ts'
import { clearable, maxCharacters, nameField, numberField } from './text.ts'
import { SessionTimeout } from './user.ts'

export const PrivacyRequest = z
  .strictObject({
    profileVisibility: ProfileVisibility.optional(),
    allowDirectMessages: z.boolean().optional(),
    showFollowerCount: z.boolean().optional(),
    contentDiscoverable: z.boolean().optional(),
    showProfileInDirectory: z.boolean().optional(),
    /**
     * This setting and the next two determine which parts of this user's status are visible to users whom this user
     * has messaged. Other users see none of it.
     */
    showOnline: z.boolean().optional(),
    showLastSeen: z.boolean().optional(),
    showTyping: z.boolean().optional(),
  })
  .refine(hasChange, 'Please change at least one setting.')
export type PrivacyRequest = z.infer<typeof PrivacyRequest>

const optionalName = clearable(
  nameField(
    { min: 1, max: limits.fullName.max },
    {
      tooShort: 'Please enter a name.',
      tooLong: 'A name can have at most 80 characters.',
      unusable: 'This name contains characters that cannot be used',
    },
  ),
)

export const bioField = clearable(
  z.string().trim().check(maxCharacters(limits.bio.max, 'A bio can have at most 500 characters.')),
)

const country = clearable(z.enum(countryCodes, 'Please choose a country.'))

const discount = numberField(
  z.literal(limits.subscriptionDiscounts, 'Please choose an option from the list.'),
)

export const UsernameQuery = z.object({ username: accountFields.username })

export const UsernameAvailability = z.object({
  /** Why the user cannot have the username, or null if they can. */
  problem: z.enum(['username_reserved', 'username_taken']).nullable(),
})
export type UsernameAvailability = z.infer<typeof UsernameAvailability>

/** The profile fields that users can edit themselves. */
const profileFields = {
  fullName: accountFields.fullName.optional(),
  firstName: optionalName.optional(),
  lastName: optionalName.optional(),
  username: accountFields.username.optional(),
  /** A new email address takes effect when the user opens the link that is sent to it. */
  email: accountFields.email.optional(),
  phoneNumber: accountFields.phoneNumber.optional(),
  bio: bioField.optional(),
  /** The Creator Account switch. */
  isCreator: z.boolean().optional(),
  ...aboutFields,
  age: ageField(limits.age.min).optional(),
  ...AboutVisibility.partial().shape,
  country: country.optional(),
  allowAutoPosting: z.boolean().optional(),
  approveAutoPosts: z.boolean().optional(),
  quarterlyDiscount: discount.optional(),
  halfYearlyDiscount: discount.optional(),
  yearlyDiscount: discount.optional(),
}

export const ProfileRequest = z
  .strictObject(profileFields)
  .refine(hasChange, 'Please change at least one setting.')
export type ProfileRequest = z.output<typeof ProfileRequest>

export const SecurityRequest = z.strictObject({ sessionTimeout: SessionTimeout.nullable() })
export type SecurityRequest = z.infer<typeof SecurityRequest>

/** A tab that a user pins to the home feed: the posts of creators they subscribe to, or those with a hashtag. */
const HomeTab = z.union([
  z.literal('subscriptions'),
  z
    .string()
    .startsWith('#')
    .pipe(Tag)
    .transform((tag) => `#${tag}`),
])

export const HomeRequest = z.strictObject({
  /** The pinned tabs in order, or null for the default: `subscriptions` while the user has subscriptions. */
  homeTabs: z
    .array(HomeTab)
    .max(limits.homeTabs)
    .transform((tabs) => [...new Set(tabs)])
    .nullable(),
})
export type HomeRequest = z.output<typeof HomeRequest>

import type { About } from '@contract/about.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** The form fields of the About section and the social links, apart from the switches. */
export const aboutTextFields = [
  'studiedAt',
  'livesIn',
  'fromLocation',
  'relationshipStatus',
  'gender',
  'age',
  'website',
  'tiktokUrl',
  'xUrl',
  'instagramUrl',
  'facebookUrl',
  'pinterestUrl',
  'twitchUrl',
  'snapchatUrl',
  'youtubeUrl',
  'onlyfansUrl',
  'fanfixUrl',
] as const
/** The switches that show these fields to others. A single switch shows all social links. */
export const aboutSwitchFields = [
  'showStudiedAt',
  'showLivesIn',
  'showFrom',
  'showRelationshipStatus',
  'showGender',
  'showAge',
  'showWebsite',
  'showSocialLinks',
] as const

/** The labels of the fields, in settings, on profiles and in the admin area. Translate them with `t` to show them. */
export const aboutLabels = {
  studiedAt: msg`Studied at`,
  livesIn: msg`Lives in`,
  fromLocation: msg({ message: 'From', context: 'place of origin' }),
  relationshipStatus: msg`Relationship`,
  gender: msg`Gender`,
  age: msg`Age`,
  website: msg`Website`,
} as const
export type AboutField = keyof typeof aboutLabels

export const relationshipLabels: Record<NonNullable<About['relationshipStatus']>, MessageDescriptor> = {
  single: msg({ message: 'Single', context: 'relationship' }),
  'in-relationship': msg`In a relationship`,
  married: msg({ message: 'Married', context: 'relationship' }),
  engaged: msg({ message: 'Engaged', context: 'relationship' }),
  complicated: msg`It’s complicated`,
  'prefer-not-to-say': msg`Prefer not to say`,
}

export const genderLabels: Record<NonNullable<About['gender']>, MessageDescriptor> = {
  male: msg({ message: 'Male', context: 'gender' }),
  female: msg({ message: 'Female', context: 'gender' }),
  'non-binary': msg`Non-binary`,
  other: msg({ message: 'Other', context: 'gender' }),
  'prefer-not-to-say': msg`Prefer not to say`,
}

/** The switch that shows each field to others. */
export const visibilitySwitches = {
  studiedAt: 'showStudiedAt',
  livesIn: 'showLivesIn',
  fromLocation: 'showFrom',
  relationshipStatus: 'showRelationshipStatus',
  gender: 'showGender',
  age: 'showAge',
  website: 'showWebsite',
} as const

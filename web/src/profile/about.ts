import type { About } from '@contract/about.ts'

/** The "about" fields of a profile as form values: text (the age too), and switches that show them to others. */
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

/** Labels of the fields, in settings, on profiles and in the admin area. */
export const aboutLabels = {
  studiedAt: 'Studied at',
  livesIn: 'Lives in',
  fromLocation: 'From',
  relationshipStatus: 'Relationship',
  gender: 'Gender',
  age: 'Age',
  website: 'Website',
} as const
export type AboutField = keyof typeof aboutLabels

export const relationshipLabels: Record<NonNullable<About['relationshipStatus']>, string> = {
  single: 'Single',
  'in-relationship': 'In a relationship',
  married: 'Married',
  engaged: 'Engaged',
  complicated: 'It’s complicated',
  'prefer-not-to-say': 'Prefer not to say',
}

export const genderLabels: Record<NonNullable<About['gender']>, string> = {
  male: 'Male',
  female: 'Female',
  'non-binary': 'Non-binary',
  other: 'Other',
  'prefer-not-to-say': 'Prefer not to say',
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

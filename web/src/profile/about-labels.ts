import type { About } from '@contract/about.ts'

/** What is called how, in Settings and on profiles alike. */
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

/** The switch that shows each of them to others. */
export const visibilitySwitches = {
  studiedAt: 'showStudiedAt',
  livesIn: 'showLivesIn',
  fromLocation: 'showFrom',
  relationshipStatus: 'showRelationshipStatus',
  gender: 'showGender',
  age: 'showAge',
  website: 'showWebsite',
} as const

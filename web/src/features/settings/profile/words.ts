import type { genders, relationshipStatuses } from '@contract/about.ts'

export const relationshipNames: Record<(typeof relationshipStatuses)[number], string> = {
  single: 'Single',
  'in-relationship': 'In a relationship',
  married: 'Married',
  engaged: 'Engaged',
  complicated: 'It’s complicated',
  'prefer-not-to-say': 'Prefer not to say',
}

export const genderNames: Record<(typeof genders)[number], string> = {
  male: 'Male',
  female: 'Female',
  'non-binary': 'Non-binary',
  other: 'Other',
  'prefer-not-to-say': 'Prefer not to say',
}

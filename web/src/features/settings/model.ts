import { countryCodes } from '@contract/country-codes.ts'
import { ProfileRequest } from '@contract/settings.ts'
import type { OwnUser } from '@contract/user.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { i18n } from '@lingui/core'
import type { Resolver } from 'react-hook-form'
import { z } from 'zod'
import { fieldsOf, parseJson } from '@/lib/json'
import { profileDraftKey } from '@/lib/leave-guard'
import { createDraftStore } from '@/lib/storage'
import { aboutSwitchFields, aboutTextFields } from '@/profile/about'

/** The text fields and selects of the profile form. */
const textFields = [
  'fullName',
  'firstName',
  'lastName',
  'email',
  'phoneNumber',
  'bio',
  ...aboutTextFields,
  'country',
  'quarterlyDiscount',
  'halfYearlyDiscount',
  'yearlyDiscount',
] as const

/** The switches of the profile form. */
const switchFields = [...aboutSwitchFields, 'isCreator', 'allowAutoPosting', 'approveAutoPosts'] as const

export type TextName = (typeof textFields)[number]
export type SwitchName = (typeof switchFields)[number]
export type ProfileField = TextName | SwitchName

/** The values of the profile form. An empty field is an empty string, and a number is a string of digits. */
export type ProfileFormValues = Record<TextName, string> & Record<SwitchName, boolean>

export const profileFields: readonly ProfileField[] = [...textFields, ...switchFields]

const numberText = (value: number | null) => (value === null ? '' : String(value))

/** Returns the form values for the user. A pending email address replaces the current one. */
export function profileFormValues(user: OwnUser): ProfileFormValues {
  return {
    fullName: user.fullName,
    firstName: user.firstName ?? '',
    lastName: user.lastName ?? '',
    email: user.pendingEmail ?? user.email,
    phoneNumber: user.phoneNumber,
    bio: user.bio ?? '',
    studiedAt: user.studiedAt ?? '',
    livesIn: user.livesIn ?? '',
    fromLocation: user.fromLocation ?? '',
    relationshipStatus: user.relationshipStatus ?? '',
    gender: user.gender ?? '',
    age: numberText(user.age),
    website: user.website ?? '',
    tiktokUrl: user.tiktokUrl ?? '',
    xUrl: user.xUrl ?? '',
    instagramUrl: user.instagramUrl ?? '',
    facebookUrl: user.facebookUrl ?? '',
    pinterestUrl: user.pinterestUrl ?? '',
    twitchUrl: user.twitchUrl ?? '',
    snapchatUrl: user.snapchatUrl ?? '',
    youtubeUrl: user.youtubeUrl ?? '',
    onlyfansUrl: user.onlyfansUrl ?? '',
    fanfixUrl: user.fanfixUrl ?? '',
    country: user.country ?? '',
    quarterlyDiscount: numberText(user.quarterlyDiscount),
    halfYearlyDiscount: numberText(user.halfYearlyDiscount),
    yearlyDiscount: numberText(user.yearlyDiscount),
    showStudiedAt: user.showStudiedAt,
    showLivesIn: user.showLivesIn,
    showFrom: user.showFrom,
    showRelationshipStatus: user.showRelationshipStatus,
    showGender: user.showGender,
    showAge: user.showAge,
    showWebsite: user.showWebsite,
    showSocialLinks: user.showSocialLinks,
    isCreator: user.isCreator,
    allowAutoPosting: user.allowAutoPosting,
    approveAutoPosts: user.approveAutoPosts,
  }
}

/** Returns the fields whose value differs from `saved`. */
export function changedFields(values: ProfileFormValues, saved: ProfileFormValues): ProfileField[] {
  return profileFields.filter((name) => values[name] !== saved[name])
}

/**
 * Returns the fields of the form to replace with the newly saved values `next`: those that the user has not edited
 * since `previous`, which is what was last saved or sent.
 */
export function fieldsToUpdate(
  values: ProfileFormValues,
  previous: ProfileFormValues,
  next: ProfileFormValues,
): ProfileField[] {
  return profileFields.filter((name) => values[name] === previous[name] && values[name] !== next[name])
}

type Changes = Partial<ProfileFormValues>

/** Reads a stored draft. An earlier version of the app may have written it, so invalid fields are ignored. */
function parseChanges(stored: string | null): Changes {
  const fields = fieldsOf(parseJson(stored))
  const changes: Changes = {}
  for (const name of textFields) {
    const value = fields[name]
    if (typeof value === 'string') changes[name] = value
  }
  for (const name of switchFields) {
    const value = fields[name]
    if (typeof value === 'boolean') changes[name] = value
  }
  return changes
}

const drafts = createDraftStore<Changes>({
  empty: () => ({}),
  parse: parseChanges,
  isEmpty: (changes) => Object.keys(changes).length === 0,
})

/** Returns the saved values with the unsaved changes from an earlier visit applied. */
export function restoreProfileDraft(userId: string, saved: ProfileFormValues): ProfileFormValues {
  return { ...saved, ...drafts.getStored(userId, profileDraftKey) }
}

/** Stores the unsaved changes in the browser under the user's key, or removes the stored draft if there are none. */
export function saveProfileDraft(userId: string, values: ProfileFormValues, saved: ProfileFormValues): void {
  const changes: Changes = {}
  for (const name of changedFields(values, saved)) Object.assign(changes, { [name]: values[name] })
  drafts.set(userId, profileDraftKey, changes)
}

/**
 * Validates and returns only the fields that differ from `context`, the saved profile. Fields that the user has not
 * changed must not cause an error: an admin may have set a value that the user could not choose.
 */
export const profileResolver: Resolver<ProfileFormValues, ProfileFormValues, ProfileRequest> = (
  values,
  context,
  options,
) => {
  const names = context ? changedFields(values, context) : []
  if (names.length === 0) return { values: {}, errors: {} }
  const changes = z.custom<ProfileFormValues>().transform((form): z.input<typeof ProfileRequest> => {
    const request: z.input<typeof ProfileRequest> = {}
    for (const name of names) Object.assign(request, { [name]: form[name] })
    return request
  })
  return zodResolver(changes.pipe(ProfileRequest))(values, undefined, options)
}

/** Returns all countries with their names in the app's language, sorted by name. */
export function countries(): [code: string, name: string][] {
  const locales = i18n.locales ?? i18n.locale
  const names = new Intl.DisplayNames(locales, { type: 'region' })
  const { compare } = new Intl.Collator(locales)
  return countryCodes
    .map((code): [string, string] => [code, names.of(code) ?? code])
    .sort(([, a], [, b]) => compare(a, b))
}

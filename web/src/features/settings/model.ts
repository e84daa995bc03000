import type { OwnUser } from '@contract/user.ts'
import { aboutSwitchFields, aboutTextFields } from '@/profile/about'

/** The fields that hold a text. */
export const textFields = [
  'fullName',
  'firstName',
  'lastName',
  'username',
  'email',
  'phoneNumber',
  'bio',
  ...aboutTextFields,
  'country',
] as const

/** The fields that are on or off. */
export const switchFields = [
  ...aboutSwitchFields,
  'isCreator',
  'allowAutoPosting',
  'approveAutoPosts',
] as const

export type TextName = (typeof textFields)[number]
export type SwitchName = (typeof switchFields)[number]
export type ProfileField = TextName | SwitchName

/** The profile as its form holds it: what was not told is an empty text, an age the text of a number. */
export type ProfileFormValues = Record<TextName, string> & Record<SwitchName, boolean>

/** Every field of the form. */
export const profileFields: readonly ProfileField[] = [...textFields, ...switchFields]

/** The form for what is stored. An address that waits to be confirmed is what the person wants by now. */
export function profileFormValues(user: OwnUser): ProfileFormValues {
  return {
    fullName: user.fullName,
    firstName: user.firstName ?? '',
    lastName: user.lastName ?? '',
    username: user.username,
    email: user.pendingEmail ?? user.email,
    phoneNumber: user.phoneNumber,
    bio: user.bio ?? '',
    studiedAt: user.studiedAt ?? '',
    livesIn: user.livesIn ?? '',
    fromLocation: user.fromLocation ?? '',
    relationshipStatus: user.relationshipStatus ?? '',
    gender: user.gender ?? '',
    age: user.age === null ? '' : String(user.age),
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

/** The fields whose value is another one than in `before`. */
export function changedFields(values: ProfileFormValues, before: ProfileFormValues): ProfileField[] {
  return profileFields.filter((name) => values[name] !== before[name])
}

/**
 * The fields that are to be shown as in `next`, which is stored now: those that still are as in `before`. What the
 * person changed since is theirs.
 */
export function fieldsToUpdate(
  values: ProfileFormValues,
  before: ProfileFormValues,
  next: ProfileFormValues,
): ProfileField[] {
  return profileFields.filter((name) => values[name] === before[name] && values[name] !== next[name])
}

import { socialSites } from '@contract/about.ts'
import { AdminProfileRequest, type AdminUser, type AdminUserFilter } from '@contract/admin.ts'
import type { AutoPostingFrequency } from '@contract/auto-posting.ts'
import type { z } from 'zod'
import { aboutSwitchFields, aboutTextFields } from '@/profile/about'

const textFields = ['fullName', 'username', 'email', 'phoneNumber', 'bio', ...aboutTextFields] as const

/** Switches that the request always contains. */
const privacyFields = [
  'allowDirectMessages',
  'showFollowerCount',
  'showProfileInDirectory',
  'makeProfileDiscoverable',
] as const

const switchFields = [...privacyFields, ...aboutSwitchFields] as const

const imageFields = ['profileImageUrl', 'backgroundImageUrl'] as const

export type TextName = (typeof textFields)[number]
export type SwitchName = (typeof switchFields)[number]
type ImageName = (typeof imageFields)[number]
export type FieldName = TextName | SwitchName | ImageName

/** A user's profile as form values. A missing text is '', and the age is a string. */
export type UserFormValues = Record<TextName, string> &
  Record<SwitchName, boolean> &
  Record<ImageName, string | null>

const fieldNames: readonly FieldName[] = [...imageFields, ...textFields, ...switchFields]

/** The fields of the profile's social links, in display order. */
export const socialFields = textFields.filter((name) => name in socialSites) as (keyof typeof socialSites)[]

/** Fields that the request contains even if they are unchanged. */
const requiredFields: readonly FieldName[] = ['fullName', 'username', 'email', ...privacyFields]

/** Converts a user to form values. */
export function userFormValues(user: AdminUser): UserFormValues {
  const values: Partial<UserFormValues> = {}
  for (const name of textFields) values[name] = String(user[name] ?? '')
  for (const name of switchFields) values[name] = user[name]
  for (const name of imageFields) values[name] = user[name]
  return values as UserFormValues
}

/** Returns the fields whose value differs from `initial`. */
export function changedFields(values: UserFormValues, initial: UserFormValues): FieldName[] {
  return fieldNames.filter((name) => values[name] !== initial[name])
}

/**
 * Validates the request with the changed and the required fields. Other unchanged fields are not sent, so that an
 * invalid stored value does not block the change.
 */
export function validateChanges(
  values: UserFormValues,
  initial: UserFormValues,
): ReturnType<typeof AdminProfileRequest.safeParse> {
  const request: Partial<Record<FieldName, unknown>> = {}
  for (const name of [...requiredFields, ...changedFields(values, initial)]) request[name] = values[name]
  return AdminProfileRequest.safeParse(request)
}

/** Returns the first error message of each field. */
export function firstFieldErrors(error: z.ZodError | undefined): Partial<Record<string, string>> {
  const fieldErrors: Partial<Record<string, string>> = {}
  for (const { path, message } of error?.issues ?? []) fieldErrors[String(path[0])] ??= message
  return fieldErrors
}

/** The filters with their labels, in display order. */
export const userFilterNames: [AdminUserFilter, string][] = [
  ['all', 'All'],
  ['creators', 'Creators'],
  ['admins', 'Admins'],
  ['suspended', 'Suspended'],
  ['unapproved', 'Waiting for approval'],
  ['auto_posting', 'Auto-posting'],
]

/** Labels of the auto-posting frequencies. */
export const frequencyNames: Record<AutoPostingFrequency, string> = {
  low: 'Low (1–2 per day)',
  moderate: 'Moderate (2–3 per day)',
  high: 'High (3–4 per day)',
}

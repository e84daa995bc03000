import { socialSites } from '@contract/about.ts'
import { AdminProfileRequest, type AdminUser } from '@contract/admin.ts'
import type { z } from 'zod'
import { aboutSwitchFields, aboutTextFields } from '@/profile/about'

/** The fields that hold a text. */
const texts = ['fullName', 'username', 'email', 'phoneNumber', 'bio', ...aboutTextFields] as const

/** Switches that the form always sends. */
const privacy = [
  'allowDirectMessages',
  'showFollowerCount',
  'showProfileInDirectory',
  'makeProfileDiscoverable',
] as const

/** The fields that are on or off. */
const switches = [...privacy, ...aboutSwitchFields] as const

const images = ['profileImageUrl', 'backgroundImageUrl'] as const

export type TextName = (typeof texts)[number]
export type SwitchName = (typeof switches)[number]
type ImageName = (typeof images)[number]
export type FieldName = TextName | SwitchName | ImageName

/** Somebody's profile as the form holds it: what was not told is an empty text, an age the text of a number. */
export type UserFormValues = Record<TextName, string> &
  Record<SwitchName, boolean> &
  Record<ImageName, string | null>

/** Every field, in the order in which they stand. */
const fieldNames: readonly FieldName[] = [...images, ...texts, ...switches]

/** The sites of the profile's links, in the order in which they are shown. */
export const socialFields = texts.filter((name) => name in socialSites) as (keyof typeof socialSites)[]

/** What is sent whether or not it was changed. */
const required: readonly FieldName[] = ['fullName', 'username', 'email', ...privacy]

/** The form for what is stored. */
export function userFormValues(person: AdminUser): UserFormValues {
  const values: Partial<UserFormValues> = {}
  for (const name of texts) values[name] = String(person[name] ?? '')
  for (const name of switches) values[name] = person[name]
  for (const name of images) values[name] = person[name]
  return values as UserFormValues
}

/** The fields whose value is another one than in `before`. */
export function changedFields(values: UserFormValues, before: UserFormValues): FieldName[] {
  return fieldNames.filter((name) => values[name] !== before[name])
}

/**
 * What is to be sent, judged by the contract. A field that nobody touched is neither sent nor in the way, but for those
 * that the call always wants.
 */
export function validateChanges(
  values: UserFormValues,
  before: UserFormValues,
): ReturnType<typeof AdminProfileRequest.safeParse> {
  const wanted: Partial<Record<FieldName, unknown>> = {}
  for (const name of [...required, ...changedFields(values, before)]) wanted[name] = values[name]
  return AdminProfileRequest.safeParse(wanted)
}

/** The first thing that is wrong with each field. */
export function firstFieldErrors(error: z.ZodError | undefined): Partial<Record<string, string>> {
  const problems: Partial<Record<string, string>> = {}
  for (const { path, message } of error?.issues ?? []) problems[String(path[0])] ??= message
  return problems
}

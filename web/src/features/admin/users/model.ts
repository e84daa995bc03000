import { socialSites } from '@contract/about.ts'
import {
  AdminProfileRequest,
  type AdminStats,
  type AdminUser,
  type AdminUserFilter,
  type AdminUserSort,
} from '@contract/admin.ts'
import type { AutoPostingFrequency } from '@contract/auto-posting.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { z } from 'zod'
import { dateFormat } from '@/lib/format'
import { paths } from '@/lib/paths'
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
type FieldName = TextName | SwitchName | ImageName

/** A user's profile as form values. A missing value in a text field is '', and the age is a string. */
type UserFormValues = Record<TextName, string> &
  Record<SwitchName, boolean> &
  Record<ImageName, string | null>

export const fieldNames: readonly FieldName[] = [...imageFields, ...textFields, ...switchFields]

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

/**
 * Returns the schema of the form. The request contains the required fields and those that differ from `initial`. Other
 * fields are left out, so that an invalid stored value does not block the change.
 */
export const profileForm = (initial: UserFormValues) =>
  z
    .custom<UserFormValues>()
    .transform((values): unknown => {
      const changedFields = fieldNames.filter((name) => values[name] !== initial[name])
      return Object.fromEntries([...requiredFields, ...changedFields].map((name) => [name, values[name]]))
    })
    .pipe(AdminProfileRequest)

/** Labels of the filters, in display order. */
export const userFilterNames: Record<AdminUserFilter, MessageDescriptor> = {
  all: msg({ message: 'All', context: 'users' }),
  creators: msg`Creators`,
  admins: msg`Admins`,
  suspended: msg({ message: 'Suspended', context: 'users' }),
  unapproved: msg`Waiting for approval`,
  auto_posting: msg`Auto-posting`,
}

/** Returns how many users match each filter. */
export const userFilterCounts = (stats: AdminStats): Record<AdminUserFilter, number> => ({
  all: stats.totalUsers,
  creators: stats.creators,
  admins: stats.admins,
  suspended: stats.suspended,
  unapproved: stats.unapproved,
  auto_posting: stats.autoPosting,
})

/** Labels of the auto-posting frequencies. */
export const frequencyNames: Record<AutoPostingFrequency, MessageDescriptor> = {
  low: msg`Low (1–2 per day)`,
  moderate: msg`Moderate (2–3 per day)`,
  high: msg`High (3–4 per day)`,
}

/** Formats a date as 'Nov 21, 2026', which is short enough for a column. */
export const shortDate = (timestamp: string): string =>
  dateFormat({ dateStyle: 'medium' }).format(new Date(timestamp))

/**
 * Returns the widths of the columns on wide screens: the checkbox, the user, the roles, the status, the posts, the open
 * reports, the join date and the actions.
 *
 * @param needsApproval whether a row can have an approval button beside the menu
 */
export const tableColumns = (needsApproval: boolean): string =>
  `2rem minmax(0, 1fr) 5.75rem 7.25rem 3.25rem 3.75rem 7.75rem ${needsApproval ? '8.5rem' : '2.75rem'}`

/** Formats 2 as '2 open reports'. */
export const openReportsText = (count: number): string =>
  t`${plural(count, { one: '# open report', other: '# open reports' })}`

/** Returns the URL of a user's open or appealed cases on the Reports tab. */
export const userCasesHref = (userId: string, cases: 'open' | 'appealed' = 'open'): string =>
  `${paths.admin.getHref('reports')}&cases=${cases}&person=${userId}`

/** Labels of the sort orders, for the menu on phones. */
export const userSortNames: Record<AdminUserSort, MessageDescriptor> = {
  newest: msg`Newest first`,
  oldest: msg`Oldest first`,
  name: msg`Name A–Z`,
  name_desc: msg`Name Z–A`,
}

/** Returns the default sort order of a filter. Accounts waiting for approval form a queue, so the oldest come first. */
export const defaultUserSort = (filter: AdminUserFilter): AdminUserSort =>
  filter === 'unapproved' ? 'oldest' : 'newest'

import { socialSites } from '@contract/about.ts'
import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { humanizeName } from '@/lib/text'
import { aboutLabels, visibilitySwitches } from './about'

/** Labels of the fields that are not in the About section. */
export const accountLabels = {
  fullName: msg`Full name`,
  firstName: msg`First name`,
  lastName: msg`Last name`,
  username: msg`Username`,
  email: msg`Email`,
  phoneNumber: msg`Phone number`,
  bio: msg`Bio`,
  profileImageUrl: msg`Profile image`,
  backgroundImageUrl: msg`Background image`,
  allowDirectMessages: msg`Allow direct messages`,
  showFollowerCount: msg`Show follower count`,
  showProfileInDirectory: msg`Show profile in directory`,
  makeProfileDiscoverable: msg`Make profile discoverable`,
}

/** Returns the label of the switch that shows a part of the profile to others. */
export const visibilityLabel = (part: string): string => t`Show on the profile: ${part}`

/** Returns the labels of profile fields as one string, such as 'Bio, Age, and X'. */
export const profileFieldNames = (fields: readonly string[]): string =>
  new Intl.ListFormat(i18n.locales ?? i18n.locale).format(fields.map(profileFieldName))

/**
 * Returns the label of a profile field. For a field in the About section, `name` is the name of its database column.
 */
function profileFieldName(name: string): string {
  const field = name.replaceAll(/_[a-z]/g, (match) => match.slice(1).toUpperCase())
  const labels: Partial<Record<string, MessageDescriptor>> = { ...accountLabels, ...aboutLabels }
  const label = labels[field]
  if (label) return t(label)
  const sites: Partial<Record<string, { name: string }>> = socialSites
  const site = sites[field]
  if (site) return site.name
  if (field === 'showSocialLinks') return visibilityLabel(t`Social links`)
  const shownField = Object.entries(visibilitySwitches).find(([, switchName]) => switchName === field)?.[0]
  const shownLabel = labels[shownField ?? '']
  return shownLabel ? visibilityLabel(t(shownLabel)) : humanizeName(name)
}

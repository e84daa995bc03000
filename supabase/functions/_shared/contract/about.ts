import { z } from 'zod'
import { limits } from './limits.ts'
import { clearable, nameField, numberField } from './text.ts'
import { webAddress } from './web-address.ts'

export const relationshipStatuses = [
  'single',
  'in-relationship',
  'married',
  'engaged',
  'complicated',
  'prefer-not-to-say',
] as const
export const genders = ['male', 'female', 'non-binary', 'other', 'prefer-not-to-say'] as const

/**
 * The social networks that a profile can link to. A link's host must be one of `hosts` or a subdomain of one. For
 * Pinterest, it can also be a regional site; see `isProfileOn`.
 */
export const socialSites = {
  tiktokUrl: { name: 'TikTok', hosts: ['tiktok.com'] },
  xUrl: { name: 'X', hosts: ['x.com', 'twitter.com'] },
  instagramUrl: { name: 'Instagram', hosts: ['instagram.com'] },
  facebookUrl: { name: 'Facebook', hosts: ['facebook.com', 'fb.com', 'fb.me'] },
  pinterestUrl: { name: 'Pinterest', hosts: ['pinterest.com', 'pin.it'] },
  twitchUrl: { name: 'Twitch', hosts: ['twitch.tv'] },
  snapchatUrl: { name: 'Snapchat', hosts: ['snapchat.com'] },
  youtubeUrl: { name: 'YouTube', hosts: ['youtube.com', 'youtu.be'] },
  onlyfansUrl: { name: 'OnlyFans', hosts: ['onlyfans.com'] },
  fanfixUrl: { name: 'Fanfix', hosts: ['fanfix.io'] },
} as const
export type SocialField = keyof typeof socialSites

/** The About section of a profile. A field is null if it is empty or hidden from the caller. */
export const About = z.object({
  studiedAt: z.string().nullable(),
  livesIn: z.string().nullable(),
  fromLocation: z.string().nullable(),
  relationshipStatus: z.enum(relationshipStatuses).nullable(),
  gender: z.enum(genders).nullable(),
  age: z.number().int().nullable(),
  website: z.string().nullable(),
  tiktokUrl: z.string().nullable(),
  xUrl: z.string().nullable(),
  instagramUrl: z.string().nullable(),
  facebookUrl: z.string().nullable(),
  pinterestUrl: z.string().nullable(),
  twitchUrl: z.string().nullable(),
  snapchatUrl: z.string().nullable(),
  youtubeUrl: z.string().nullable(),
  onlyfansUrl: z.string().nullable(),
  fanfixUrl: z.string().nullable(),
})
export type About = z.infer<typeof About>

/** Whether others can see each part of the About section. */
export const AboutVisibility = z.object({
  showStudiedAt: z.boolean(),
  showLivesIn: z.boolean(),
  showFrom: z.boolean(),
  showRelationshipStatus: z.boolean(),
  showGender: z.boolean(),
  showAge: z.boolean(),
  showWebsite: z.boolean(),
  showSocialLinks: z.boolean(),
})
export type AboutVisibility = z.infer<typeof AboutVisibility>

/**
 * A single line of text. It follows the rules for names: no hidden characters, and none that change the direction of
 * the text around it.
 */
const textLine = clearable(
  nameField(
    { min: 1, max: limits.aboutLine.max },
    {
      tooShort: 'Please enter some text.',
      tooLong: 'This can have at most 100 characters.',
      unusable: 'This contains characters that cannot be used.',
    },
  ),
)

const urlField = (message: string, isAllowed?: (url: URL) => boolean) =>
  clearable(webAddress(message, isAllowed))

/**
 * Returns a function that checks whether a URL may be a profile on one of the hosts: any page except the home page.
 * Pinterest also has regional sites, such as pinterest.de and pinterest.co.uk.
 */
const isProfileOn = (hosts: readonly string[]) => (url: URL) => {
  const host = url.hostname.toLowerCase().replace(/\.$/, '')
  if (hosts.includes('pinterest.com') && /(^|\.)pinterest\.(com?\.)?[a-z]{2}$/.test(host))
    return url.pathname !== '/'
  return hosts.some((allowed) => host === allowed || host.endsWith(`.${allowed}`)) && url.pathname !== '/'
}

const socialField = (field: SocialField) => {
  const { name, hosts } = socialSites[field]
  return urlField(`Please enter the address of your ${name} page.`, isProfileOn(hosts))
}

/** Accepts an age as a number or a numeric string. Null or an empty string clears the field. */
export const ageField = (min: number) => {
  const message = `Please enter an age between ${min} and ${limits.age.max}.`
  return numberField(z.number(message).int(message).min(min, message).max(limits.age.max, message))
}

/**
 * The fields that can be edited. Null or an empty string clears a field. `age` is not included, because its minimum
 * depends on the caller.
 */
export const aboutFields = {
  studiedAt: textLine.optional(),
  livesIn: textLine.optional(),
  fromLocation: textLine.optional(),
  relationshipStatus: clearable(
    z.enum(relationshipStatuses, 'Please choose an option from the list.'),
  ).optional(),
  gender: clearable(z.enum(genders, 'Please choose an option from the list.')).optional(),
  website: urlField('Please enter a web address, like https://example.com.').optional(),
  tiktokUrl: socialField('tiktokUrl').optional(),
  xUrl: socialField('xUrl').optional(),
  instagramUrl: socialField('instagramUrl').optional(),
  facebookUrl: socialField('facebookUrl').optional(),
  pinterestUrl: socialField('pinterestUrl').optional(),
  twitchUrl: socialField('twitchUrl').optional(),
  snapchatUrl: socialField('snapchatUrl').optional(),
  youtubeUrl: socialField('youtubeUrl').optional(),
  onlyfansUrl: socialField('onlyfansUrl').optional(),
  fanfixUrl: socialField('fanfixUrl').optional(),
}

import { z } from 'zod'
import { webAddress } from './address.ts'
import { limits } from './limits.ts'
import { clearable, personName } from './text.ts'

export const relationshipStatuses = [
  'single',
  'in-relationship',
  'married',
  'engaged',
  'complicated',
  'prefer-not-to-say',
] as const
export const genders = ['male', 'female', 'non-binary', 'other', 'prefer-not-to-say'] as const

/** The sites that a profile links to: which hosts an address of theirs may have, subdomains included. */
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

/** What people tell about themselves. Null where it was not told, or is hidden from the caller. */
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

/** Which of it others see. */
export const AboutShown = z.object({
  showStudiedAt: z.boolean(),
  showLivesIn: z.boolean(),
  showFrom: z.boolean(),
  showRelationshipStatus: z.boolean(),
  showGender: z.boolean(),
  showAge: z.boolean(),
  showWebsite: z.boolean(),
  showSocialLinks: z.boolean(),
})
export type AboutShown = z.infer<typeof AboutShown>

/** A line by somebody's name: as little as a name may it hide signs, or turn what stands beside it around. */
const line = clearable(
  personName(
    { min: 1, max: limits.aboutLine.max },
    {
      tooShort: 'Please enter a text.',
      tooLong: 'This can have at most 100 characters.',
      unusable: 'This contains characters that cannot be used.',
    },
  ),
)

const addressField = (message: string, fits?: (url: URL) => boolean) => clearable(webAddress(message, fits))

/** A regional site of Pinterest is one of theirs, too. */
const isOf = (hosts: readonly string[]) => (url: URL) => {
  const host = url.hostname.toLowerCase().replace(/\.$/, '')
  if (hosts.includes('pinterest.com') && /(^|\.)pinterest\.(com?\.)?[a-z]{2}$/.test(host))
    return url.pathname !== '/'
  return hosts.some((one) => host === one || host.endsWith(`.${one}`)) && url.pathname !== '/'
}

const social = (field: SocialField) => {
  const { name, hosts } = socialSites[field]
  return addressField(`Please enter the address of your ${name} page.`, isOf(hosts))
}

/** A number, or the text of one. */
export const ageFrom = (min: number) => {
  const text = `Please enter an age between ${min} and ${limits.age.max}.`
  return z.preprocess(
    (value) =>
      typeof value === 'string' && value.trim() !== '' ? Number(value) : value === '' ? null : value,
    z.number(text).int(text).min(min, text).max(limits.age.max, text).nullable(),
  )
}

/** What is to change of it: `null`, or an empty text, clears a field. Ages depend on who asks. */
export const aboutFields = {
  studiedAt: line.optional(),
  livesIn: line.optional(),
  fromLocation: line.optional(),
  relationshipStatus: clearable(z.enum(relationshipStatuses, 'Please choose one of the list.')).optional(),
  gender: clearable(z.enum(genders, 'Please choose one of the list.')).optional(),
  website: addressField('Please enter a web address, like https://example.com.').optional(),
  tiktokUrl: social('tiktokUrl').optional(),
  xUrl: social('xUrl').optional(),
  instagramUrl: social('instagramUrl').optional(),
  facebookUrl: social('facebookUrl').optional(),
  pinterestUrl: social('pinterestUrl').optional(),
  twitchUrl: social('twitchUrl').optional(),
  snapchatUrl: social('snapchatUrl').optional(),
  youtubeUrl: social('youtubeUrl').optional(),
  onlyfansUrl: social('onlyfansUrl').optional(),
  fanfixUrl: social('fanfixUrl').optional(),
}

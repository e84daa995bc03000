import { Box } from '@chakra-ui/react'
import { type SocialField, socialSites } from '@contract/about.ts'
import type { OwnUser, UserDetails } from '@contract/user.ts'
import type { ReactNode } from 'react'
import { paths } from '@/lib/paths'
import {
  type AboutField,
  aboutLabels,
  genderLabels,
  relationshipLabels,
  visibilitySwitches,
} from '@/profile/about-labels'
import { useCurrentUser } from '@/session/session'
import { LinkIcon, LockIcon } from '@/ui/icons'
import { CurtainIllustration } from '@/ui/illustrations'
import { Card, TextAnchor, TextLink } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { RichText } from '@/ui/UserText'
import { userTextLine, userTextParagraphs } from '@/ui/user-text-styles'

type Told = Omit<UserDetails, 'subscription'>

/** What a person tells about themselves: for its owner, what others see of it. */
export function AboutTab({ user, own }: { user: Told; own: boolean }) {
  const { user: viewer } = useCurrentUser()
  const shown = own && viewer ? withoutHidden(viewer) : user
  const hidden = own && viewer ? countTold(viewer) - countTold(shown) : 0
  return (
    <Card padding={{ base: '4', md: '6' }}>
      {countTold(shown) === 0 && !shown.bio ? (
        <EmptyState drawing={<CurtainIllustration />} title="No additional information available" />
      ) : (
        <About user={shown} />
      )}
      {hidden > 0 && (
        <Box
          display="flex"
          alignItems="center"
          gap="2"
          marginTop="5"
          paddingTop="4"
          borderTopWidth="1px"
          borderColor="hairline"
          textStyle="small"
          color="muted"
        >
          <LockIcon />
          <span>
            {hidden === 1 ? 'One more thing is' : `${hidden} more things are`} hidden from others.{' '}
            <TextLink to={paths.settings.getHref('profile')} {...roomy}>
              Change that
            </TextLink>
          </span>
        </Box>
      )}
    </Card>
  )
}

const fields = Object.keys(aboutLabels) as AboutField[]
const socialFields = Object.keys(socialSites) as SocialField[]

/** One's own record as others see it. */
function withoutHidden(own: OwnUser): Told {
  const hidden = [
    ...fields.filter((field) => !own[visibilitySwitches[field]]),
    ...(own.showSocialLinks ? [] : socialFields),
  ]
  return { ...own, ...Object.fromEntries(hidden.map((field) => [field, null])) }
}

const countTold = (user: Told) => [...fields, ...socialFields].filter((field) => user[field] !== null).length

function About({ user }: { user: Told }) {
  const links = socialFields.flatMap((field) => {
    const href = user[field]
    return href ? [{ field, href, name: socialSites[field].name }] : []
  })
  return (
    <Box as="dl" display="grid" gridTemplateColumns={{ base: '1fr', md: '1fr 1fr' }} columnGap="6" rowGap="4">
      {user.bio && (
        <Entry name="Bio" wide>
          <RichText text={user.bio} />
        </Entry>
      )}
      {fields.map((field) => {
        const value = textOf(user, field)
        return (
          value !== null && (
            <Entry key={field} name={aboutLabels[field]}>
              {field === 'website' ? (
                <TextAnchor href={value} {...outside} {...roomy} overflowWrap="anywhere">
                  {withoutScheme(value)}
                </TextAnchor>
              ) : (
                value
              )}
            </Entry>
          )
        )
      })}
      {links.length > 0 && (
        <Entry name="Links" wide>
          <Box as="ul" display="flex" flexWrap="wrap" gap="2" marginTop="1.5" listStyleType="none">
            {links.map(({ field, href, name }) => (
              <li key={field}>
                <TextAnchor
                  href={href}
                  {...outside}
                  display="flex"
                  alignItems="center"
                  gap="1.5"
                  minHeight={{ base: 'target', md: '9' }}
                  paddingInline="3"
                  borderWidth="1px"
                  borderRadius="full"
                >
                  <LinkIcon />
                  {name}
                </TextAnchor>
              </li>
            ))}
          </Box>
        </Entry>
      )}
    </Box>
  )
}

function textOf(user: Told, field: AboutField): string | null {
  if (field === 'relationshipStatus') return user[field] && relationshipLabels[user[field]]
  if (field === 'gender') return user[field] && genderLabels[user[field]]
  const value = user[field]
  return value === null ? null : String(value)
}

const withoutScheme = (address: string) => address.replace(/^https?:\/\//, '').replace(/\/$/, '')

/** To an address that somebody gave: nothing of ours goes along, and search engines are told that it is not ours. */
const outside = { target: '_blank', rel: 'noopener noreferrer nofollow ugc' }

/** A link within text that is high enough for a finger. */
const roomy = {
  position: 'relative',
  display: 'inline-block',
  _after: { content: '""', position: 'absolute', insetInline: '0', insetBlock: '-3' },
} as const

function Entry({ name, wide = false, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <Box minWidth="0" gridColumn={wide ? '1 / -1' : undefined}>
      <Box as="dt" textStyle="small" color="muted">
        {name}
      </Box>
      <Box
        as="dd"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        {...(wide ? userTextParagraphs : userTextLine)}
      >
        {children}
      </Box>
    </Box>
  )
}

import { Box } from '@chakra-ui/react'
import { type SocialField, socialSites } from '@contract/about.ts'
import type { OwnUser, UserDetails } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { paths } from '@/lib/paths'
import {
  type AboutField,
  aboutLabels,
  genderLabels,
  relationshipLabels,
  visibilitySwitches,
} from '@/profile/about'
import { useCurrentUser } from '@/session/session'
import { LinkIcon, LockIcon } from '@/ui/icons'
import { CurtainIllustration } from '@/ui/illustrations'
import { Card, TextAnchor, TextLink } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { UserText, userTextLine, userTextParagraphs } from '@/ui/UserText'

type AboutUser = Omit<UserDetails, 'subscription' | 'postAlerts' | 'followedBy'>

/** Shows the About fields of a profile. The owner sees what others see, and how many fields are hidden from others. */
export function AboutTab({ user, isOwn }: { user: AboutUser; isOwn: boolean }) {
  const { user: viewer } = useCurrentUser()
  const publicUser = isOwn && viewer ? withoutHiddenFields(viewer) : user
  const hiddenCount = isOwn && viewer ? countFilledFields(viewer) - countFilledFields(publicUser) : 0
  return (
    <Card padding={{ base: '4', md: '6' }}>
      {countFilledFields(publicUser) === 0 && !publicUser.bio ? (
        <EmptyState illustration={<CurtainIllustration />} title={t`No additional information available`} />
      ) : (
        <AboutList user={publicUser} />
      )}
      {hiddenCount > 0 && (
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
            <Trans>
              <Plural
                value={hiddenCount}
                one="# more field is hidden from others."
                other="# more fields are hidden from others."
              />{' '}
              <TextLink to={paths.settings.getHref('about')} {...largeTarget}>
                Change in Settings
              </TextLink>
            </Trans>
          </span>
        </Box>
      )}
    </Card>
  )
}

const aboutFields = Object.keys(aboutLabels) as AboutField[]
const socialFields = Object.keys(socialSites) as SocialField[]

/** Returns the user with the fields that are hidden from others set to null. */
function withoutHiddenFields(user: OwnUser): AboutUser {
  const hiddenFields = [
    ...aboutFields.filter((field) => !user[visibilitySwitches[field]]),
    ...(user.showSocialLinks ? [] : socialFields),
  ]
  return { ...user, ...Object.fromEntries(hiddenFields.map((field) => [field, null])) }
}

const countFilledFields = (user: AboutUser) =>
  [...aboutFields, ...socialFields].filter((field) => user[field] !== null).length

function AboutList({ user }: { user: AboutUser }) {
  const links = socialFields.flatMap((field) => {
    const href = user[field]
    return href ? [{ field, href, name: socialSites[field].name }] : []
  })
  return (
    <Box as="dl" display="grid" gridTemplateColumns={{ base: '1fr', md: '1fr 1fr' }} columnGap="6" rowGap="4">
      {user.bio && (
        <Entry name={t`Bio`} wide>
          <UserText text={user.bio} />
        </Entry>
      )}
      {aboutFields.map((field) => {
        const value = fieldText(user, field)
        return (
          value !== null && (
            <Entry key={field} name={t(aboutLabels[field])}>
              {field === 'website' ? (
                <TextAnchor href={value} {...externalLink} {...largeTarget} overflowWrap="anywhere">
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
        <Entry name={t`Links`} wide>
          <Box as="ul" display="flex" flexWrap="wrap" gap="2" marginTop="1.5" listStyleType="none">
            {links.map(({ field, href, name }) => (
              <li key={field}>
                <TextAnchor
                  href={href}
                  {...externalLink}
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

function fieldText(user: AboutUser, field: AboutField): string | null {
  if (field === 'relationshipStatus') return user[field] && t(relationshipLabels[user[field]])
  if (field === 'gender') return user[field] && t(genderLabels[user[field]])
  const value = user[field]
  return value === null ? null : String(value)
}

const withoutScheme = (url: string) => url.replace(/^https?:\/\//, '').replace(/\/$/, '')

/**
 * Attributes for links that users provide: no referrer, no opener and, for search engines, no endorsement by this site.
 */
const externalLink = { target: '_blank', rel: 'noopener noreferrer nofollow ugc' }

/** Enlarges the touch target of a link within text. */
const largeTarget = {
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

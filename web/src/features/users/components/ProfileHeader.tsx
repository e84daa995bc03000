import { Box } from '@chakra-ui/react'
import type { UserDetails } from '@contract/user.ts'
import { monthAndYear } from '@/lib/format'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { Avatar } from '@/ui/Avatar'
import { Badge } from '@/ui/Badge'
import { ButtonLink } from '@/ui/Button'
import { CoverImage } from '@/ui/CoverImage'
import { CalendarIcon, PencilIcon, ShieldIcon, SparkIcon } from '@/ui/icons'
import { RichText } from '@/ui/UserText'
import { userTextLine, userTextParagraphs } from '@/ui/user-text-styles'
import { CoverEditor } from './CoverEditor'
import { ProfileActions } from './ProfileActions'
import { ProfileCounts } from './ProfileCounts'

/** Who the profile belongs to, and what can be done. */
export function ProfileHeader({ user, own }: { user: UserDetails; own: boolean }) {
  const name = displayName(user)
  return (
    <header>
      <Box position="relative">
        <CoverImage url={user.backgroundImageUrl} height={{ base: '7.5rem', md: '11rem' }} />
        {own && <CoverEditor user={user} />}
      </Box>
      <Box paddingInline={{ base: '4', md: '6' }} paddingBottom="5">
        <Box display="flex" alignItems="flex-end" justifyContent="space-between" gap="3" marginTop="-3.5rem">
          <Box position="relative" borderRadius="full" borderWidth="4px" borderColor="surface" bg="surface">
            <Avatar person={{ ...user, displayName: name }} size="xl" label={`Picture of ${name}`} />
          </Box>
        </Box>
        <Box
          display="flex"
          flexWrap="wrap"
          alignItems="flex-start"
          justifyContent="space-between"
          gap="3"
          marginTop="3"
        >
          <Box minWidth="0">
            <Box as="h1" textStyle="heading" overflowWrap="anywhere" {...userTextLine}>
              {name}
            </Box>
            <Box display="flex" flexWrap="wrap" alignItems="center" columnGap="2" rowGap="1" color="muted">
              <Box as="span" overflowWrap="anywhere">
                @{user.handle}
              </Box>
              {user.isCreator && (
                <Badge tone="ember">
                  <SparkIcon /> Creator
                </Badge>
              )}
              {user.isAdmin && (
                <Badge tone="neutral">
                  <ShieldIcon /> Admin
                </Badge>
              )}
            </Box>
          </Box>
          {own ? (
            <ButtonLink to={paths.settings.getHref()} variant="outline">
              <PencilIcon /> Edit Profile
            </ButtonLink>
          ) : (
            <ProfileActions user={user} />
          )}
        </Box>
        {user.bio && (
          <Box marginTop="3" whiteSpace="pre-wrap" overflowWrap="anywhere" {...userTextParagraphs}>
            <RichText text={user.bio} />
          </Box>
        )}
        <Box display="flex" alignItems="center" gap="1.5" marginTop="3" textStyle="small" color="muted">
          <CalendarIcon /> Joined {monthAndYear(user.createdAt)}
        </Box>
        <ProfileCounts user={user} own={own} />
      </Box>
    </header>
  )
}

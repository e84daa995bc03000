import { Box, chakra } from '@chakra-ui/react'
import type { User } from '@contract/user.ts'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { Avatar } from '@/ui/Avatar'
import { Badge } from '@/ui/Badge'
import { CoverImage } from '@/ui/CoverImage'
import { ShieldIcon, SparkIcon } from '@/ui/icons'
import { userTextLine, userTextParagraphs } from '@/ui/user-text-styles'
import FollowButton from './FollowButton'

/** The whole card leads to the profile, except for the button on it. */
export const UserCardName = chakra(Link, {
  base: {
    display: 'block',
    textStyle: 'label',
    truncate: true,
    _after: { content: '""', position: 'absolute', inset: '0', borderRadius: 'inherit' },
    _hover: { textDecoration: 'underline' },
    _focusVisible: {
      outline: 'none',
      _after: { outline: '2px solid', outlineColor: 'focus', outlineOffset: '-2px' },
    },
  },
})

/** The frame of a card and of its skeleton. */
export const UserCardFrame = chakra('div', {
  base: {
    position: 'relative',
    display: 'flex',
    flexDirection: 'column',
    height: '100%',
    overflow: 'hidden',
    bg: 'surface',
    borderWidth: '1px',
    borderRadius: 'lg',
  },
})

/** One person of a grid. All cards are equally high, whatever somebody tells about themselves. */
export function UserGridCard({ person, wording }: { person: User; wording: 'friend' | 'list' }) {
  const name = displayName(person)
  return (
    <UserCardFrame asChild>
      <article aria-label={name}>
        <CoverImage url={person.backgroundImageUrl} height="4.5rem" lazy />
        <Box display="flex" flexDirection="column" flex="1" padding="3" paddingTop="0">
          <Box
            borderRadius="full"
            borderWidth="4px"
            borderColor="surface"
            bg="surface"
            display="flex"
            width="fit-content"
            marginTop="-2.25rem"
          >
            <Avatar person={{ ...person, displayName: name }} size="lg" />
          </Box>
          <Box minWidth="0" marginTop="1.5">
            <UserCardName to={paths.profile.getHref(person.handle)} {...userTextLine}>
              {name}
            </UserCardName>
            <Box textStyle="small" color="muted" truncate>
              @{person.handle}
            </Box>
          </Box>
          <Box display="flex" gap="1.5" marginTop="1.5" height="1.375rem">
            {person.isCreator && (
              <Badge tone="ember">
                <SparkIcon /> Creator
              </Badge>
            )}
            {person.isAdmin && (
              <Badge tone="neutral">
                <ShieldIcon /> Admin
              </Badge>
            )}
          </Box>
          {/* Two lines, also where there is less to say. */}
          <Box
            textStyle="small"
            marginTop="2"
            marginBottom="3"
            height="2lh"
            lineClamp="2"
            overflowWrap="anywhere"
            {...userTextParagraphs}
          >
            {person.bio}
          </Box>
          <Box position="relative" marginTop="auto">
            <FollowButton user={person} wording={wording} size="sm" width="100%" />
          </Box>
        </Box>
      </article>
    </UserCardFrame>
  )
}

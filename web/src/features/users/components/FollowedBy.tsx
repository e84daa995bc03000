import { Box, type BoxProps } from '@chakra-ui/react'
import type { FollowedBy as FollowedByUsers } from '@contract/user.ts'
import { plural, t } from '@lingui/core/macro'
import { formatCount } from '@/lib/format'
import { displayName, isolateBidi } from '@/lib/text'
import { Avatar } from '@/ui/Avatar'

/**
 * Shows that people whom the viewer follows also follow a user: the name of one, and the number of the others.
 *
 * @param isShort whether to shorten the text so that it fits on one line of a narrow card
 */
export function FollowedBy({
  followedBy: { user, othersCount },
  isShort = false,
  ...props
}: { followedBy: FollowedByUsers; isShort?: boolean } & Pick<BoxProps, 'marginTop' | 'textStyle'>) {
  const displayedName = displayName(user)
  // The first name is enough for people whom the viewer knows, and it leaves space for the rest.
  const name = isolateBidi(user.firstName || displayedName)
  const count = formatCount(othersCount)
  const others = isShort ? count : plural(othersCount, { one: '# other', other: '# others' })
  return (
    <Box display="flex" alignItems="center" gap="1.5" color="muted" {...props}>
      <Avatar user={{ ...user, displayName: displayedName }} size="xs" />
      <Box as="span" minWidth="0" truncate>
        {othersCount === 0 ? t`Followed by ${name}` : t`Followed by ${name} + ${others}`}
      </Box>
    </Box>
  )
}

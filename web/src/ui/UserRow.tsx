import { Box, chakra } from '@chakra-ui/react'
import type { UserCard } from '@contract/user.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { displayName } from '@/lib/text'
import { Avatar } from './Avatar'
import { userTextLine } from './UserText'

/** Shows a user in a list: avatar, name and handle, with `badge` beside the name and `children` below the handle. */
export function UserRow({
  user,
  size,
  badge,
  children,
}: {
  user: UserCard
  size?: 'sm' | 'md'
  badge?: ReactNode
  children?: ReactNode
}) {
  const name = displayName(user)
  return (
    <>
      <Avatar user={{ ...user, displayName: name }} size={size} />
      <Box flex="1" minWidth="0">
        <Box display="flex" alignItems="center" gap="2">
          <Box as="span" textStyle="label" truncate {...userTextLine}>
            {name}
          </Box>
          {badge}
        </Box>
        <Box textStyle="small" color="muted" truncate>
          <bdi dir="ltr">@{user.handle}</bdi>
        </Box>
        {children}
      </Box>
    </>
  )
}

/** A link around a `UserRow`. */
export const UserRowLink = chakra(Link, {
  base: { display: 'flex', alignItems: 'center', gap: '3', flex: '1', minWidth: '0', borderRadius: 'sm' },
})

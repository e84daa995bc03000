import { Box } from '@chakra-ui/react'
import type { UserCard } from '@contract/user.ts'
import type { ReactNode } from 'react'
import { displayName } from '@/lib/text'
import { Avatar } from './Avatar'
import { userTextLine } from './user-text-styles'

/** A person in a list: picture, name and handle. `mark` stands beside the name, `children` below the handle. */
export function UserRow({
  person,
  size,
  mark,
  children,
}: {
  person: UserCard
  size?: 'sm' | 'md'
  mark?: ReactNode
  children?: ReactNode
}) {
  const name = displayName(person)
  return (
    <>
      <Avatar person={{ ...person, displayName: name }} size={size} />
      <Box flex="1" minWidth="0">
        <Box display="flex" alignItems="center" gap="2">
          <Box as="span" textStyle="label" truncate {...userTextLine}>
            {name}
          </Box>
          {mark}
        </Box>
        <Box textStyle="small" color="muted" truncate>
          @{person.handle}
        </Box>
        {children}
      </Box>
    </>
  )
}

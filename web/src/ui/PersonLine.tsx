import { Box } from '@chakra-ui/react'
import type { UserCard } from '@contract/user.ts'
import type { ReactNode } from 'react'
import { displayName } from '@/lib/person'
import { Avatar } from './Avatar'
import { ownLine } from './words'

/** A person in a list: picture, name and handle. `mark` stands beside the name, `children` below the handle. */
export function PersonLine({
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
          <Box as="span" textStyle="label" truncate {...ownLine}>
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

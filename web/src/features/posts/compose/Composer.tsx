import { Box } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import { displayName } from '@/lib/person'
import { Avatar } from '@/ui/Avatar'
import { composerId } from '@/ui/composer'
import { Card } from '@/ui/layout'
import { ComposeForm } from './ComposeForm'

/** The composer that stands above the home feed. */
export function Composer({ user }: { user: OwnUser }) {
  return (
    <Card
      display="flex"
      gap="3"
      padding={{ base: '4', md: '5' }}
      paddingBottom={{ base: '3', md: '3' }}
      position="relative"
    >
      <Avatar person={{ ...user, displayName: displayName(user) }} />
      <Box flex="1" minWidth="0">
        <ComposeForm user={user} id={composerId} />
      </Box>
    </Card>
  )
}

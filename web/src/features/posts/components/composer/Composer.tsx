import { Box } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import { displayName } from '@/lib/text'
import { Avatar } from '@/ui/Avatar'
import { Card } from '@/ui/layout'
import { ComposerForm } from './ComposerForm'
import { homeComposerId } from './composer-id'

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
        <ComposerForm user={user} id={homeComposerId} />
      </Box>
    </Card>
  )
}

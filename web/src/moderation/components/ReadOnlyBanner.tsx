import { Box } from '@chakra-ui/react'
import { useMatch } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { Card } from '@/ui/layout'
import { ReadOnlyNotice } from './ReadOnlyNotice'

/** Above every screen of somebody who may read and change nothing: why, and until when. */
export function ReadOnlyBanner() {
  const { user } = useCurrentUser()
  // Messages fill the window and say it themselves, where one would write.
  const isSaidThere = useMatch(paths.messages.path) !== null
  const reason = isSaidThere ? null : user?.readOnlyReason
  return (
    // Stays in the page: a live region that arrives together with its text is not read out.
    <div role="status">
      {reason && (
        <Box marginBottom={{ base: '2', md: '4' }}>
          <Card asChild overflow="hidden">
            <section aria-label="Read-only account">
              <ReadOnlyNotice reason={reason} />
            </section>
          </Card>
        </Box>
      )}
    </div>
  )
}

import { Box } from '@chakra-ui/react'
import type { CreatorUpdate } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { useCurrentUser } from '@/session/session'
import { Avatar } from '@/ui/Avatar'
import { Card, VisuallyHidden } from '@/ui/layout'
import { CompactTimeAgo } from '@/ui/TimeAgo'
import { UserRowLink } from '@/ui/UserRow'
import { userTextLine } from '@/ui/UserText'
import { creatorUpdatesQuery } from '../api'
import { readSeenUpdates } from '../seen-updates'

/**
 * Shows the creators whom the viewer follows or subscribes to and who posted recently, newest post first. A dot marks
 * those whose profile the viewer has not opened since. Shows nothing while the list loads, or if it is empty.
 */
export default function CreatorUpdates() {
  const { user: viewer } = useCurrentUser()
  const { data: updates = [] } = useQuery(creatorUpdatesQuery)
  const [seen] = useState(() => (viewer ? readSeenUpdates(viewer.id) : new Map<string, number>()))
  if (updates.length === 0) return null
  return (
    <Card as="section" aria-labelledby="creator-updates" padding="4">
      <Box as="h2" id="creator-updates" textStyle="title" marginBottom="2">
        {t`New from your creators`}
      </Box>
      <Box as="ul" listStyleType="none" display="grid" gap="0.5" marginInline="-2" marginBottom="-2">
        {updates.map((update) => (
          <li key={update.user.id}>
            <UpdateRow
              update={update}
              isNew={Date.parse(update.latestPostAt) > (seen.get(update.user.id) ?? 0)}
            />
          </li>
        ))}
      </Box>
    </Card>
  )
}

function UpdateRow({ update: { user, latestPostAt }, isNew }: { update: CreatorUpdate; isNew: boolean }) {
  const name = displayName(user)
  return (
    <UserRowLink
      to={paths.profile.getHref(user.handle)}
      minHeight="target"
      padding="2"
      borderRadius="md"
      _hover={{ bg: 'hover' }}
    >
      <Avatar user={{ ...user, displayName: name }} />
      <Box as="span" flex="1" minWidth="0">
        <Box as="span" display="block" textStyle="label" truncate {...userTextLine}>
          {name}
        </Box>
        <Box as="span" display="block" textStyle="small" color="muted">
          <CompactTimeAgo at={latestPostAt} />
        </Box>
      </Box>
      {isNew && (
        <>
          <VisuallyHidden>{t`New posts`}</VisuallyHidden>
          <Box as="span" aria-hidden flexShrink="0" boxSize="2.5" borderRadius="full" bg="ember.solid" />
        </>
      )}
    </UserRowLink>
  )
}

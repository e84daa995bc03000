import { Box } from '@chakra-ui/react'
import type { User } from '@contract/user.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useParams } from 'react-router-dom'
import { ApiError } from '@/lib/api'
import { isolated } from '@/lib/bidi'
import { displayName } from '@/lib/person'
import { useCurrentUser } from '@/lib/session'
import { redirectToLogin } from '@/lib/unauthorized'
import { LockIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { EmptyState, ErrorState } from '@/ui/states'
import { Tabs } from '@/ui/Tabs'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { userQuery } from '../api/people'
import { AboutTab } from '../components/AboutTab'
import { ProfileHeader } from '../components/ProfileHeader'
import { ProfileMissing } from '../components/ProfileMissing'
import { ProfileSkeleton } from '../components/ProfileSkeleton'

/**
 * `/profile` and `/profile/:identifier` (a username or an id). It is the viewer's own where the identifier is
 * missing or theirs. `posts` draws the person's posts: they belong to another feature.
 */
export default function ProfilePage({
  posts,
}: {
  posts: (of: { userId: string; name: string; own: boolean }) => ReactNode
}) {
  const { identifier } = useParams()
  const { user: viewer, isLoading, failed } = useCurrentUser()
  const wanted = identifier ?? viewer?.handle ?? ''
  const query = useQuery({ ...userQuery(wanted), enabled: wanted !== '' && !isLoading })
  const noOne = identifier === undefined && !isLoading && !failed && !viewer
  useEffect(() => {
    if (noOne) redirectToLogin()
  }, [noOne])
  useDocumentTitle(query.data ? displayName(query.data) : 'Profile')

  const missing = query.error instanceof ApiError && [400, 404].includes(query.error.status)
  // A profile that is open stays open when reading it again fails, unless it is gone.
  if (missing || (query.isError && !query.data)) {
    return (
      <Card>
        {missing ? (
          <ProfileMissing identifier={wanted} />
        ) : (
          <ErrorState message="The profile did not load." onRetry={() => void query.refetch()} />
        )}
      </Card>
    )
  }
  const user = query.data
  if (!user) {
    return (
      <Card overflow="hidden">
        <ProfileSkeleton />
      </Card>
    )
  }
  const own = user.id === viewer?.id
  return (
    <Box display="flex" flexDirection="column" gap={{ base: '2', md: '4' }}>
      <Card overflow="hidden" borderTopWidth={{ base: '0', md: '1px' }} marginTop={{ base: '-2', md: '0' }}>
        <ProfileHeader user={user} own={own} />
      </Card>
      {own || user.canView ? (
        <ProfileTabs user={user} posts={posts({ userId: user.id, name: displayName(user), own })} />
      ) : (
        <Closed user={user} />
      )}
    </Box>
  )
}

function ProfileTabs({ user, posts }: { user: User; posts: ReactNode }) {
  const [tab, setTab] = useState('posts')
  return (
    <Tabs
      label="Profile"
      value={tab}
      onChange={setTab}
      tabs={[
        { value: 'posts', label: 'Posts', content: posts },
        { value: 'about', label: 'About', content: <AboutTab user={user} /> },
      ]}
    />
  )
}

/** What somebody shows only to followers, or to nobody. */
function Closed({ user }: { user: User }) {
  const name = isolated(displayName(user))
  const isPrivate = user.profileVisibility === 'private'
  const waiting = user.followStatus === 'requested'
  return (
    <Card>
      <EmptyState
        drawing={
          <Box fontSize="4rem" color="muted" display="flex" justifyContent="center">
            <LockIcon />
          </Box>
        }
        title={isPrivate ? 'This profile is private' : 'For followers only'}
        text={
          isPrivate
            ? `${name} keeps their posts to themselves.`
            : waiting
              ? `You asked to follow ${name}. Once they accept, their posts show here.`
              : `Follow ${name} to see what they post.`
        }
      />
    </Card>
  )
}

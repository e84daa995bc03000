import { Box } from '@chakra-ui/react'
import type { User, UserDetails } from '@contract/user.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { useParams, useSearchParams } from 'react-router-dom'
import { ApiError } from '@/lib/api'
import { isolateBidi } from '@/lib/bidi'
import { displayName } from '@/lib/text'
import { redirectToLogin } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { LockIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { EmptyState, ErrorState } from '@/ui/states'
import { Tabs } from '@/ui/Tabs'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { userQuery } from '../api'
import { AboutTab } from '../components/AboutTab'
import { ProfileHeader } from '../components/ProfileHeader'
import { ProfileNotFound } from '../components/ProfileNotFound'
import { ProfileSkeleton } from '../components/ProfileSkeleton'

/** A part of a profile that another feature draws. */
type Part = (of: { userId: string; name: string; own: boolean }) => ReactNode

/**
 * `/profile` and `/profile/:identifier` (a username or an id). It is the viewer's own where the identifier is
 * missing or theirs. `posts` draws the person's posts, and `media` their gallery: they belong to other features.
 */
export default function ProfilePage({ posts, media }: { posts: Part; media?: Part }) {
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
  const header = useRef<HTMLDivElement>(null)
  /** Whose profile was missing last. */
  const wasMissing = useRef<string>(undefined)
  const shown = query.data !== undefined && !missing
  // Back after a block was taken back: the focus went with the button for that.
  useEffect(() => {
    if (missing) wasMissing.current = wanted
    if (!shown) return
    const isBack = wasMissing.current === wanted
    wasMissing.current = undefined
    if (isBack && document.activeElement === document.body) header.current?.querySelector('button')?.focus()
  }, [missing, shown, wanted])
  // A profile that is open stays open when reading it again fails, unless it is gone.
  if (missing || (query.isError && !query.data)) {
    return (
      <Card>
        {missing ? (
          <ProfileNotFound identifier={wanted} instead={query.data !== undefined} />
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
      <Card
        ref={header}
        overflow="hidden"
        borderTopWidth={{ base: '0', md: '1px' }}
        marginTop={{ base: '-2', md: '0' }}
      >
        <ProfileHeader user={user} own={own} />
      </Card>
      {own || user.canView ? (
        <ProfileTabs key={user.id} user={user} own={own} posts={posts} media={media} />
      ) : (
        <Closed user={user} />
      )}
    </Box>
  )
}

const tabs = ['posts', 'media', 'about']

/** The chosen tab is in the address, so that it can be linked and is found again. */
function ProfileTabs({
  user,
  own,
  posts,
  media,
}: {
  user: UserDetails
  own: boolean
  posts: Part
  media?: Part | undefined
}) {
  const [params, setParams] = useSearchParams()
  const wanted = params.get('tab') ?? ''
  const of = { userId: user.id, name: displayName(user), own }
  return (
    <Tabs
      label="Profile"
      value={tabs.includes(wanted) ? wanted : 'posts'}
      onChange={(tab) => setParams(tab === 'posts' ? {} : { tab }, { replace: true })}
      tabs={[
        { value: 'posts', label: 'Posts', content: posts(of) },
        ...(media ? [{ value: 'media', label: 'Media', content: media(of) }] : []),
        { value: 'about', label: 'About', content: <AboutTab user={user} own={own} /> },
      ]}
    />
  )
}

/** What somebody shows only to followers, or to nobody. */
function Closed({ user }: { user: User }) {
  const name = isolateBidi(displayName(user))
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

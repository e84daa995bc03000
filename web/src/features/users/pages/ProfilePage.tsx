import { Box } from '@chakra-ui/react'
import { intervals } from '@contract/intervals.ts'
import type { User, UserDetails, UserStats } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useParams, useSearchParams } from 'react-router-dom'
import { isMissing } from '@/lib/errors'
import { displayName, isolateBidi } from '@/lib/text'
import { useContentPollInterval } from '@/realtime/connection'
import { redirectToLogin } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { LockIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { RightSidebar } from '@/ui/RightSidebar'
import { isFocusLost } from '@/ui/restore-focus'
import { EmptyState, ErrorState } from '@/ui/states'
import { Tabs } from '@/ui/Tabs'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { statsQuery, userQuery } from '../api'
import { AboutTab } from '../components/AboutTab'
import { canSubscribeTo, ProfileSubscriptionCard, StickySubscribeBar } from '../components/ProfileActions'
import { ProfileHeader, ProfileSkeleton } from '../components/ProfileHeader'
import { ProfileNotFound } from '../components/ProfileNotFound'
import TrendingCreators, { MoreCreators } from '../components/TrendingCreators'
import { useProfileRealtime } from '../realtime'
import { markUpdatesSeen } from '../seen-updates'

/** Renders the content of a tab that belongs to another feature. */
type RenderTab = (profile: {
  userId: string
  name: string
  own: boolean
  /** Undefined while they load, null if they failed to load. */
  stats: UserStats | null | undefined
  /** The element at the end of the row of tabs, or null until it exists. */
  toolbar: HTMLElement | null
}) => ReactNode

/**
 * Shows `/profile`, the viewer's own profile, and `/profile/:identifier`, the profile of the user with that username or
 * id. `posts` renders the user's posts, `media` their gallery, `locked` a preview of the locked posts that a
 * subscription includes, and `lockedStrip` a small preview for phones. The viewer's own profile also has their `liked`
 * and `saved` posts, and `ownSidebar` beside it.
 */
export default function ProfilePage({
  posts,
  media,
  liked,
  saved,
  locked,
  lockedStrip,
  ownSidebar,
}: {
  posts: RenderTab
  media: RenderTab
  liked: ReactNode
  saved: ReactNode
  locked: (userId: string) => ReactNode
  lockedStrip: (userId: string) => ReactNode
  ownSidebar: ReactNode
}) {
  const { identifier } = useParams()
  const { user: viewer, isLoading, failed } = useCurrentUser()
  const profileId = identifier ?? viewer?.handle ?? ''
  const pollInterval = useContentPollInterval()
  const query = useQuery({
    ...userQuery(profileId),
    enabled: profileId !== '' && !isLoading,
    // No event reports changes to a profile that the viewer cannot see, not even that it has become visible.
    refetchInterval: ({ state }) => {
      if (state.status === 'error') return false
      return state.data?.canView === false ? intervals.pollMs : pollInterval
    },
  })
  useProfileRealtime(query.data?.canView && !query.isError ? query.data : undefined)
  const isSignInRequired = identifier === undefined && !isLoading && !failed && !viewer
  useEffect(() => {
    if (isSignInRequired) redirectToLogin()
  }, [isSignInRequired])
  useDocumentTitle(query.data ? displayName(query.data) : t`Profile`)

  const viewerId = viewer?.id
  const viewedCreatorId = query.data?.canView && query.data.isCreator ? query.data.id : undefined
  useEffect(() => {
    if (viewerId && viewedCreatorId && viewedCreatorId !== viewerId)
      markUpdatesSeen(viewerId, viewedCreatorId)
  }, [viewerId, viewedCreatorId])

  const missing = isMissing(query.error)
  const header = useRef<HTMLDivElement>(null)
  const subscribeRow = useRef<HTMLDivElement>(null)
  const lastMissingId = useRef<string>(undefined)
  // The first render of a profile does not block the page. Later changes to the profile appear immediately.
  const shownId = useDeferredValue(query.data?.id)
  const user = query.data?.id === shownId ? query.data : undefined
  const isVisible = user !== undefined && !missing
  // After the viewer unblocks the user, the focused unblock button disappears and the profile appears again. The focus
  // then moves to the profile's first button.
  useEffect(() => {
    if (missing) lastMissingId.current = profileId
    if (!isVisible) return
    const wasMissing = lastMissingId.current === profileId
    lastMissingId.current = undefined
    if (wasMissing && isFocusLost()) header.current?.querySelector('button')?.focus()
  }, [missing, isVisible, profileId])
  // A visible profile stays visible if a refetch fails, unless the profile is no longer available.
  if (missing || (query.isError && !query.data)) {
    return (
      <Card>
        <RightSidebar>
          <TrendingCreators />
        </RightSidebar>
        {missing ? (
          <ProfileNotFound identifier={profileId} restoreFocus={query.data !== undefined} />
        ) : (
          <ErrorState
            message={t`Couldn't load the profile. Try again.`}
            onRetry={() => void query.refetch()}
          />
        )}
      </Card>
    )
  }
  if (!user) {
    return (
      <Card overflow="hidden">
        <ProfileSkeleton />
      </Card>
    )
  }
  const isOwn = user.id === viewer?.id
  return (
    <Box display="flex" flexDirection="column" gap={{ base: '2', md: '4' }}>
      <Card
        ref={header}
        overflow="hidden"
        borderTopWidth={{ base: '0', md: '1px' }}
        marginTop={{ base: '-2', md: '0' }}
      >
        <ProfileHeader
          user={user}
          isOwn={isOwn}
          lockedStrip={lockedStrip(user.id)}
          subscribeRow={subscribeRow}
        />
      </Card>
      {!isOwn && <StickySubscribeBar user={user} header={header} />}
      {isOwn || user.canView ? (
        // On phones, the tabs are directly below the header.
        <Box marginTop={{ base: '-2', md: '0' }}>
          <ProfileTabs
            key={user.id}
            user={user}
            isOwn={isOwn}
            posts={posts}
            media={media}
            ownTabs={isOwn ? { liked, saved } : undefined}
          />
        </Box>
      ) : (
        <RestrictedProfile user={user} />
      )}
      <RightSidebar>
        <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="4">
          {isOwn ? (
            ownSidebar
          ) : (
            <>
              {canSubscribeTo(user) && (
                <ProfileSubscriptionCard user={user} subscribeRow={subscribeRow} preview={locked(user.id)} />
              )}
              <MoreCreators except={user.id} />
            </>
          )}
        </Box>
      </RightSidebar>
    </Box>
  )
}

/** Shows the tabs of a profile. The active tab is in the URL, so that it can be linked to and survives a reload. */
function ProfileTabs({
  user,
  isOwn,
  posts,
  media,
  ownTabs,
}: {
  user: UserDetails
  isOwn: boolean
  posts: RenderTab
  media: RenderTab
  ownTabs: { liked: ReactNode; saved: ReactNode } | undefined
}) {
  const [params, setParams] = useSearchParams()
  const requestedTab = params.get('tab') ?? ''
  // The header fetches the stats.
  const { data, isError } = useQuery({ ...statsQuery(user.id), enabled: false })
  const stats = data ?? (isError ? null : undefined)
  const [toolbar, setToolbar] = useState<HTMLElement | null>(null)
  const profile = { userId: user.id, name: displayName(user), own: isOwn, stats, toolbar }
  const tabs = [
    { value: 'posts', label: t`Posts`, content: posts(profile) },
    { value: 'media', label: t`Media`, content: media(profile) },
    ...(ownTabs
      ? [
          { value: 'liked', label: t`Liked`, content: ownTabs.liked },
          { value: 'saved', label: t`Saved`, content: ownTabs.saved },
        ]
      : []),
    { value: 'about', label: t`About`, content: <AboutTab user={user} isOwn={isOwn} /> },
  ]
  return (
    <Tabs
      label={t`Profile`}
      value={tabs.some(({ value }) => value === requestedTab) ? requestedTab : 'posts'}
      onChange={(tab) => setParams(tab === 'posts' ? {} : { tab }, { replace: true })}
      tabs={tabs}
      // On phones, the five labels on the viewer's own profile do not fit in columns of the same width.
      align={isOwn ? 'start' : 'stretch'}
      action={<Box ref={setToolbar} />}
    />
  )
}

/** Explains why the viewer cannot see the posts of the profile. */
function RestrictedProfile({ user }: { user: User }) {
  const name = isolateBidi(displayName(user))
  const isPrivate = user.profileVisibility === 'private'
  const isRequested = user.followStatus === 'requested'
  return (
    <Card>
      <EmptyState
        illustration={
          <Box fontSize="4rem" color="muted" display="flex" justifyContent="center">
            <LockIcon />
          </Box>
        }
        title={isPrivate ? t`This profile is private` : t`Only followers can see this profile`}
        text={
          isPrivate
            ? t`Only ${name} can see their posts.`
            : isRequested
              ? t`You asked to follow ${name}. Their posts will appear here once they accept.`
              : t`Follow ${name} to see their posts.`
        }
      />
    </Card>
  )
}

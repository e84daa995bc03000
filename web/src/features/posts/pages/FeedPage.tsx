import { Box, chakra } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useRef, useState } from 'react'
import { paths } from '@/lib/paths'
import { userStorage } from '@/lib/storage'
import { useCurrentUser } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { IconButton } from '@/ui/IconButton'
import { SettingsIcon } from '@/ui/icons'
import { StageIllustration } from '@/ui/illustrations'
import { LazyPart } from '@/ui/LazyPart'
import { joinedMargin, VisuallyHidden } from '@/ui/layout'
import { RightSidebar } from '@/ui/RightSidebar'
import { EmptyState } from '@/ui/states'
import { Tabs } from '@/ui/Tabs'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { type AnnouncingList, followingList, forYouList, subscriptionsList, topicQuery } from '../api/posts'
import { Composer, focusHomeComposer } from '../components/composer/Composer'
import { NewPostsButton } from '../components/NewPostsButton'
import { PostList } from '../components/PostList'
import { FeedSkeleton } from '../components/PostSkeletons'
import { shownTabs } from '../home-tabs'
import { useOwnNewPosts } from '../realtime'

interface FeedPageProps {
  /** Shown beside the feed on wide screens. */
  sidebar?: ReactNode
  belowComposer?: ReactNode
  /** List items that phones show in a row. Until the composer is used, the row replaces it. */
  phoneItems?: ReactNode
  /** People to follow. Shown below the Following feed to users who follow nobody. */
  suggestions?: ReactNode
}

/** Shows the home feed with its composer and its tabs. */
export default function FeedPage({ sidebar, belowComposer, phoneItems, suggestions }: FeedPageProps) {
  useDocumentTitle()
  const { user } = useCurrentUser()
  if (!user) return <FeedSkeleton />
  return (
    <Box display="flex" flexDirection="column" marginTop={joinedMargin}>
      <VisuallyHidden asChild>
        <h1>
          <Trans>Home Feed</Trans>
        </h1>
      </VisuallyHidden>
      <Composer key={user.id} user={user} actions={belowComposer} phoneItems={phoneItems} />
      <FeedTabs key={`feed ${user.id}`} user={user} suggestions={suggestions} />
      {sidebar && <RightSidebar>{sidebar}</RightSidebar>}
    </Box>
  )
}

// Loaded only when the dialog is opened.
const loadDialog = () => import('../components/HomeTabsDialog')

/**
 * Shows the tabs of the home feed: two for everyone, and those that the user pinned. Initially selects the tab that the
 * user last chose in this browser.
 */
function FeedTabs({ user, suggestions }: { user: OwnUser; suggestions: ReactNode }) {
  useOwnNewPosts(user.id)
  const storage = userStorage(user.id)
  const [chosen, setChosen] = useState(() => storage.get('feed'))
  // Null until the dialog is opened for the first time.
  const [isEditing, setEditing] = useState<boolean | null>(null)
  const editButton = useRef<HTMLButtonElement>(null)
  const onChange = (value: string) => {
    storage.set('feed', value)
    setChosen(value)
  }
  const tabs = [
    {
      value: 'for-you',
      label: t`For you`,
      content: <FeedList list={forYouList} folded empty={<NoPosts />} />,
    },
    {
      value: 'following',
      label: t({ message: 'Following', context: 'home feed' }),
      content: (
        <FeedList
          list={followingList}
          empty={
            <NoListedPosts
              text={t`Posts by people you follow will appear here.`}
              linkText={t`Find people to follow`}
            />
          }
        >
          {suggestions}
        </FeedList>
      ),
    },
    ...shownTabs(user).map(pinnedTab),
  ]
  return (
    <>
      {isEditing !== null && (
        <LazyPart load={loadDialog} onError={() => setEditing(null)}>
          {({ HomeTabsDialog }) => (
            <HomeTabsDialog
              user={user}
              open={isEditing}
              onClose={() => setEditing(false)}
              finalFocus={() => editButton.current}
            />
          )}
        </LazyPart>
      )}
      <Tabs
        joined
        label={t`Home Feed`}
        value={tabs.find(({ value }) => value === chosen)?.value ?? 'for-you'}
        onChange={onChange}
        tabs={tabs}
        action={
          <IconButton
            ref={editButton}
            label={t`Edit tabs`}
            aria-haspopup="dialog"
            onClick={() => setEditing(true)}
          >
            <SettingsIcon />
          </IconButton>
        }
      />
    </>
  )
}

/** Returns a tab with the posts of a topic, or of the creators whom the user is subscribed to. */
function pinnedTab(title: string) {
  if (title === 'subscriptions') {
    return {
      value: title,
      label: t`Subscriptions`,
      content: (
        <FeedList
          list={subscriptionsList}
          empty={
            <NoListedPosts
              text={t`Posts by creators you subscribe to will appear here.`}
              linkText={t`Explore posts`}
            />
          }
        />
      ),
    }
  }
  return {
    value: title,
    label: <bdi>{title}</bdi>,
    content: (
      <JoinedList>
        <PostList
          query={topicQuery(title.slice(1))}
          empty={
            <NoListedPosts
              text={
                <Trans>
                  Posts with <bdi>{title}</bdi> will appear here.
                </Trans>
              }
              linkText={t`Explore posts`}
            />
          }
        />
      </JoinedList>
    ),
  }
}

/** Shows a feed that announces new posts, and `children` below it. */
function FeedList({
  list,
  children,
  ...props
}: {
  list: AnnouncingList
  folded?: boolean
  empty: ReactNode
  children?: ReactNode
}) {
  return (
    <>
      <NewPostsButton list={list} isJoined />
      <JoinedList>
        <PostList query={list.query} {...props} />
        {children}
      </JoinedList>
    </>
  )
}

/** The posts below the tabs. On wide screens, their card is joined to the card of the composer and the tabs. */
const JoinedList = chakra('div', {
  base: {
    display: 'flex',
    flexDirection: 'column',
    gap: { base: '2', md: '4' },
    '& > :first-child': { borderTopRadius: '0', md: { borderTopWidth: '0' } },
  },
})

function NoListedPosts({ text, linkText }: { text: ReactNode; linkText: string }) {
  return (
    <EmptyState
      illustration={<StageIllustration />}
      title={t`No posts yet`}
      text={text}
      action={
        <ButtonLink to={paths.discover.getHref()} variant="outline">
          {linkText}
        </ButtonLink>
      }
    />
  )
}

function NoPosts() {
  return (
    <EmptyState
      illustration={<StageIllustration />}
      title={t`No posts yet`}
      text={t`Posts will appear here. Be the first to share one.`}
      action={
        <Button variant="ember" onClick={focusHomeComposer}>
          <Trans>Create Your First Post</Trans>
        </Button>
      }
    />
  )
}

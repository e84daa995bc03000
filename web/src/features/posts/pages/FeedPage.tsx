import { Box, chakra } from '@chakra-ui/react'
import { Feed } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { paths } from '@/lib/paths'
import { userStorage } from '@/lib/storage'
import { useCurrentUser } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { StageIllustration } from '@/ui/illustrations'
import { joinedMargin, VisuallyHidden } from '@/ui/layout'
import { RightSidebar } from '@/ui/RightSidebar'
import { EmptyState } from '@/ui/states'
import { Tabs } from '@/ui/Tabs'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { followingList, forYouList } from '../api/posts'
import { Composer, focusHomeComposer } from '../components/composer/Composer'
import { NewPostsButton } from '../components/NewPostsButton'
import { PostList } from '../components/PostList'
import { FeedSkeleton } from '../components/PostSkeletons'
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

/** Shows the home feed with its composer and its two tabs. */
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
      <FeedTabs key={`feed ${user.id}`} userId={user.id} suggestions={suggestions} />
      {sidebar && <RightSidebar>{sidebar}</RightSidebar>}
    </Box>
  )
}

/** Shows the tabs of the home feed. Initially selects the tab that the user last chose in this browser. */
function FeedTabs({ userId, suggestions }: { userId: string; suggestions: ReactNode }) {
  useOwnNewPosts(userId)
  const storage = userStorage(userId)
  const [feed, setFeed] = useState(() => Feed.safeParse(storage.get('feed')).data ?? 'for-you')
  const onChange = (value: string) => {
    const chosen = Feed.parse(value)
    storage.set('feed', chosen)
    setFeed(chosen)
  }
  return (
    <Tabs
      joined
      label={t`Home Feed`}
      value={feed}
      onChange={onChange}
      tabs={[
        { value: 'for-you' satisfies Feed, label: t`For you`, content: <ForYou /> },
        {
          value: 'following' satisfies Feed,
          label: t({ message: 'Following', context: 'home feed' }),
          content: <Following suggestions={suggestions} />,
        },
      ]}
    />
  )
}

function ForYou() {
  return (
    <>
      <NewPostsButton list={forYouList} isJoined />
      <JoinedList>
        <PostList query={forYouList.query} folded empty={<NoPosts />} />
      </JoinedList>
    </>
  )
}

function Following({ suggestions }: { suggestions: ReactNode }) {
  return (
    <>
      <NewPostsButton list={followingList} isJoined />
      <JoinedList>
        <PostList
          query={followingList.query}
          empty={
            <EmptyState
              illustration={<StageIllustration />}
              title={t`No posts yet`}
              text={t`Posts by people you follow will appear here.`}
              action={
                <ButtonLink to={paths.discover.getHref()} variant="outline">
                  {t`Find people to follow`}
                </ButtonLink>
              }
            />
          }
        />
        {suggestions}
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

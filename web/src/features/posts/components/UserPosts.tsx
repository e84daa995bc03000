import { Box } from '@chakra-ui/react'
import { excerpt } from '@contract/excerpt.ts'
import { limits } from '@contract/limits.ts'
import { PostKind } from '@contract/post.ts'
import type { UserStats } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { z } from 'zod'
import { userStorage } from '@/lib/storage'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { PencilIcon } from '@/ui/icons'
import { SearchIllustration, StageIllustration } from '@/ui/illustrations'
import { Card } from '@/ui/layout'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/states'
import { userTextLine } from '@/ui/UserText'
import {
  type FilterKind,
  filteredPostsQuery,
  isGridKind,
  type PostFilter,
  type PostListQuery,
  userPostsList,
} from '../api/posts'
import { isDraftEmpty, usePostDraft } from '../post-draft'
import { NewPostsButton } from './NewPostsButton'
import { PostFilters } from './PostFilters'
import { PostGrid } from './PostGrid'
import { ShowsPinned } from './PostHeader'
import { PostList } from './PostList'
import { ScheduledPostsLink } from './schedule/ScheduledPostsLink'

const filterKind = PostKind.or(z.literal('reposts'))

/**
 * Shows a user's posts on their profile, with filters and a search, which are in the URL (`?kind=&q=`), as a list or a
 * grid. `onCompose` opens the composer from the empty state of the user's own profile.
 */
export default function UserPosts({
  userId,
  name,
  own,
  stats,
  toolbar,
  onCompose,
}: {
  userId: string
  name: string
  own: boolean
  /** Undefined while they load, null if they failed to load. */
  stats: UserStats | null | undefined
  /** The element at the end of the row of tabs, or null until it exists. */
  toolbar: HTMLElement | null
  onCompose: () => void
}) {
  const { user } = useCurrentUser()
  const list = useMemo(() => userPostsList(userId, own), [userId, own])
  const [params, setParams] = useSearchParams()
  const kind = filterKind.safeParse(params.get('kind')).data
  // Only signed-in users can search.
  const q = (user && kind !== 'reposts' && params.get('q')?.trim().slice(0, limits.searchQuery.max)) || ''
  const [isSearching, setSearching] = useState(q !== '')
  const [isGrid, setGrid] = useGridSetting(kind)
  const root = useRef<HTMLDivElement>(null)
  const setFilter = (filter: PostFilter) =>
    setParams(
      { ...(filter.kind && { kind: filter.kind }), ...(filter.q && { q: filter.q }) },
      { replace: true, preventScrollReset: true },
    )
  return (
    // The same gap as in the home feed. `NewPostsButton` overlaps it.
    <Box
      ref={root}
      tabIndex={-1}
      outline="none"
      display="flex"
      flexDirection="column"
      gap={{ base: '2', md: '4' }}
    >
      {stats !== undefined && (
        <PostFilters
          stats={stats}
          filter={{ kind, q }}
          hasReposts={stats?.hasReposts === true}
          own={own}
          onChange={setFilter}
          canSearch={user !== null}
          isSearching={isSearching}
          onToggleSearch={setSearching}
          isGrid={isGrid}
          onToggleGrid={setGrid}
          toolbar={toolbar}
        />
      )}
      {stats === undefined && (
        <Skeleton
          height="9"
          width="20rem"
          maxWidth="80%"
          borderRadius="full"
          marginInline={{ base: '4', md: '0' }}
        />
      )}
      {kind || q ? (
        <FilteredPosts
          userId={userId}
          filter={{ kind, q }}
          own={own}
          isGrid={isGrid}
          onClear={() => {
            setFilter({ kind: undefined, q: '' })
            setSearching(false)
            root.current?.focus({ preventScroll: true })
          }}
        />
      ) : (
        <>
          {own ? (
            <>
              <DraftCard userId={userId} onCompose={onCompose} />
              <ScheduledPostsLink userId={userId} />
            </>
          ) : (
            <NewPostsButton list={list} />
          )}
          <ShowsPinned value>
            <Posts
              query={list.query}
              isGrid={isGrid}
              empty={
                <EmptyState
                  as="h2"
                  illustration={<StageIllustration />}
                  title={t`No posts yet`}
                  text={own ? t`Your posts will appear here.` : t`${name} hasn't posted yet.`}
                  action={
                    own && (
                      <Button variant="ember" aria-haspopup="dialog" onClick={onCompose}>
                        {t`Create Your First Post`}
                      </Button>
                    )
                  }
                />
              }
            />
          </ShowsPinned>
        </>
      )}
    </Box>
  )
}

const gridSettingName = 'profile-posts'

/**
 * Returns whether posts on profiles are shown as a grid, and a function that changes it. The viewer's choice is
 * remembered in this browser until they sign out. Until they choose, only photos and videos are shown as a grid.
 */
function useGridSetting(kind: FilterKind | undefined) {
  const { user } = useCurrentUser()
  const storage = userStorage(user?.id ?? 'visitor')
  // Read only once, so that another tab does not change this one.
  const [setting, setSetting] = useState(() => storage.get(gridSettingName))
  const setGrid = (isGrid: boolean) => {
    const newSetting = isGrid ? 'grid' : 'list'
    setSetting(newSetting)
    storage.set(gridSettingName, newSetting)
  }
  return [setting === null ? isGridKind(kind) : setting === 'grid', setGrid] as const
}

/** Shows posts as a list or a grid. `showsAuthors` is for posts by several authors. */
function Posts({
  isGrid,
  showsAuthors = false,
  ...props
}: {
  query: PostListQuery
  isGrid: boolean
  showsAuthors?: boolean
  empty: ReactNode
}) {
  return isGrid ? <PostGrid {...props} narrow showsAuthors={showsAuthors} /> : <PostList {...props} />
}

const maxDraftExcerpt = 120

/** Shows the post that the user has started to write, if there is one. */
function DraftCard({ userId, onCompose }: { userId: string; onCompose: () => void }) {
  const draft = usePostDraft(userId)
  if (isDraftEmpty(draft)) return null
  return (
    <Card
      as="section"
      aria-label={t`Draft`}
      display="flex"
      alignItems="center"
      gap="3"
      paddingInline={{ base: '4', md: '5' }}
      paddingBlock="3"
    >
      <Box fontSize="xl" color="muted">
        <PencilIcon />
      </Box>
      <Box flex="1" minWidth="0">
        <Box textStyle="label">{t`Draft`}</Box>
        <Box textStyle="small" color="muted" truncate {...userTextLine}>
          {excerpt(draft.text || draft.teaser, maxDraftExcerpt) || t`No text yet`}
        </Box>
      </Box>
      <Button size="sm" variant="outline" aria-haspopup="dialog" onClick={onCompose}>
        {t`Continue writing`}
      </Button>
    </Card>
  )
}

function FilteredPosts({
  userId,
  filter,
  own,
  isGrid,
  onClear,
}: {
  userId: string
  filter: PostFilter
  own: boolean
  isGrid: boolean
  onClear: () => void
}) {
  const query = filteredPostsQuery(userId, filter)
  const term = filter.q
  const isReposts = filter.kind === 'reposts'
  const empty = (
    <div role="status">
      <EmptyState
        illustration={isReposts ? <StageIllustration /> : <SearchIllustration />}
        title={isReposts ? t`No reposts yet` : t`No posts found`}
        text={
          isReposts
            ? own && t`Posts you repost will appear here.`
            : term && (
                <Trans>
                  No posts found for "<bdi>{term}</bdi>". Try other words, or fewer.
                </Trans>
              )
        }
        action={<Button variant="ember" onClick={onClear}>{t`Show all posts`}</Button>}
      />
    </div>
  )
  return <Posts query={query} isGrid={isGrid} showsAuthors={isReposts} empty={empty} />
}

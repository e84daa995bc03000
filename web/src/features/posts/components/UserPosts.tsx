import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { PostKind } from '@contract/post.ts'
import type { UserStats } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { SearchIllustration, StageIllustration } from '@/ui/illustrations'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/states'
import { filteredPostsQuery, isGridKind, type PostFilter, userPostsList } from '../api/posts'
import { NewPostsButton } from './NewPostsButton'
import { PostFilters } from './PostFilters'
import { PostGrid } from './PostGrid'
import { ShowsPinned } from './PostHeader'
import { PostList } from './PostList'

/**
 * Shows a user's posts on their profile, with filters and a search, which are in the URL (`?kind=&q=`). Photos and
 * videos are shown as a grid. `onCompose` opens the composer from the empty state of the user's own profile.
 */
export default function UserPosts({
  userId,
  name,
  own,
  stats,
  onCompose,
}: {
  userId: string
  name: string
  own: boolean
  /** Undefined while they load, null if that failed. */
  stats: UserStats | null | undefined
  onCompose: () => void
}) {
  const { user } = useCurrentUser()
  const list = useMemo(() => userPostsList(userId, own), [userId, own])
  const [params, setParams] = useSearchParams()
  const kind = PostKind.safeParse(params.get('kind')).data
  // Only signed-in users can search.
  const q = (user && params.get('q')?.trim().slice(0, limits.searchQuery.max)) || ''
  const [isSearching, setSearching] = useState(q !== '')
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
          onChange={setFilter}
          canSearch={user !== null}
          isSearching={isSearching}
          onToggleSearch={setSearching}
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
          onClear={() => {
            setFilter({ kind: undefined, q: '' })
            setSearching(false)
            root.current?.focus({ preventScroll: true })
          }}
        />
      ) : (
        <>
          {!own && <NewPostsButton list={list} />}
          <ShowsPinned value>
            <PostList
              query={list.query}
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

function FilteredPosts({
  userId,
  filter,
  onClear,
}: {
  userId: string
  filter: PostFilter
  onClear: () => void
}) {
  const query = filteredPostsQuery(userId, filter)
  const term = filter.q
  const empty = (
    <div role="status">
      <EmptyState
        illustration={<SearchIllustration />}
        title={t`No posts found`}
        text={
          term && (
            <Trans>
              No posts found for "<bdi>{term}</bdi>". Try other words, or fewer.
            </Trans>
          )
        }
        action={<Button variant="ember" onClick={onClear}>{t`Show all posts`}</Button>}
      />
    </div>
  )
  return isGridKind(filter.kind) ? (
    <PostGrid query={query} byOneAuthor empty={empty} />
  ) : (
    <PostList query={query} empty={empty} />
  )
}

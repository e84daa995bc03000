import { chakra } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { hashKey, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useLayoutEffect, useMemo, useRef } from 'react'
import type { Page } from '@/lib/api'
import { LoadMore } from '@/ui/LoadMore'
import { Card } from '@/ui/layout'
import { ErrorState } from '@/ui/states'
import type { PostListQuery } from '../api/posts'
import { getListPosition, restoreListPosition, saveListPosition } from '../list-position'
import { groupIntoBlocks } from '../post-blocks'
import { PostListBlock } from './PostListBlock'
import { PostSkeletons } from './PostSkeletons'
import { useFeedShortcuts } from './useFeedShortcuts'

/**
 * A list of posts that goes on while one scrolls, or only by a button that says `moreByHand`. The page that holds it is
 * one element: of several, those above the list are taken away before the list notes where its reader was.
 */
export function PostList({
  query,
  empty,
  moreByHand,
}: {
  query: PostListQuery
  empty: ReactNode
  moreByHand?: string
}) {
  const list = useInfiniteQuery(query)
  // A new page is drawn in pieces, between which the reader goes on scrolling.
  const data = useDeferredValue(list.data)

  if (!data && list.isError) {
    return (
      <Card>
        <ErrorState
          title="Failed to fetch posts"
          message="The posts did not load."
          onRetry={() => void list.refetch()}
        />
      </Card>
    )
  }
  if (!data) {
    return (
      <Card>
        <PostSkeletons />
      </Card>
    )
  }
  const behind = data !== list.data
  const loading = list.isFetchingNextPage || behind
  const isEmpty = data.pages.every((page) => page.items.length === 0)
  // All that was loaded may have been deleted while there is more.
  if (isEmpty && !behind && !list.hasNextPage) return <Card>{empty}</Card>
  return (
    <>
      <Posts name={hashKey(query.queryKey)} pages={data.pages} loading={loading} />
      <LoadMore
        more={list.hasNextPage}
        failed={list.isFetchNextPageError}
        loading={loading}
        onMore={list.fetchNextPage}
        label={moreByHand ?? 'Show more posts'}
        failedLabel="More posts did not load. Try again"
        byHand={moreByHand !== undefined}
        end={"You've reached the end!"}
      />
    </>
  )
}

// The card has a line of its own above the first post.
const Feed = chakra(Card, {
  base: { overflow: 'hidden', '& > [data-stretch]:first-of-type > :first-of-type': { borderTopWidth: '0' } },
})

/** Stretches that cost nothing worth saving: a short list can be searched by the browser as a whole. */
const short = 12

/** The posts that are there. `name` tells lists apart, to find the reader's place in each of them again. */
function Posts({ name, pages, loading }: { name: string; pages: Page<Post>[]; loading: boolean }) {
  const root = useRef<HTMLDivElement>(null)
  const place = getListPosition(name)
  const stretches = useMemo(
    () => groupIntoBlocks(unique(pages.flatMap((page) => page.items)), place.keys),
    [pages, place],
  )
  useFeedShortcuts(root)
  useLayoutEffect(() => {
    const box = root.current
    if (!box) return
    // The router restores the scroll position after this, and before the next frame.
    const frame = requestAnimationFrame(() => restoreListPosition(place, box))
    return () => {
      cancelAnimationFrame(frame)
      saveListPosition(place, box)
    }
  }, [place])
  // What comes anew is drawn at once: it is near the window, at the list's beginning or end.
  const isNew = (key: string, at: number) => !place.heights.has(key) && (at < 2 || at >= stretches.length - 2)
  return (
    <Feed ref={root} role="feed" aria-busy={loading}>
      {stretches.map((stretch, at) => (
        <PostListBlock
          key={stretch.key}
          stretch={stretch}
          place={place}
          stays={stretches.length <= short}
          drawn={place.inSight.has(stretch.key) || isNew(stretch.key, at)}
        />
      ))}
      {loading && <PostSkeletons count={2} />}
    </Feed>
  )
}

/** A page that shifted while it was read may repeat a post: it stands where it came first. */
function unique(posts: Post[]): Post[] {
  return [...new Map(posts.map((post) => [post.id, post])).values()]
}

import { Box } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { memo, type ReactNode, useRef } from 'react'
import { Card } from '@/ui/layout'
import { MoreMark } from '@/ui/MoreMark'
import { ErrorState } from '@/ui/states'
import type { PostListQuery } from '../api/lists'
import { rememberHeight, reservedHeight } from './cardHeights'
import { PostCard } from './PostCard'
import { PostSkeletons } from './PostSkeleton'
import { useFeedKeys } from './useFeedKeys'

/** A list of posts that goes on while one scrolls, or only by a button that says `moreByHand`. */
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
  const root = useRef<HTMLDivElement>(null)
  useFeedKeys(root)

  if (list.isPending) {
    return (
      <Card>
        <PostSkeletons />
      </Card>
    )
  }
  if (list.isError && !list.data) {
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
  const posts = unique(list.data.pages.flatMap((page) => page.items))
  // All that was loaded may have been deleted while there is more.
  if (posts.length === 0 && !list.hasNextPage) return <Card>{empty}</Card>
  return (
    <>
      <Card ref={root} role="feed" aria-busy={list.isFetchingNextPage} overflow="hidden">
        {posts.map((post) => (
          <Slot key={post.id} post={post} />
        ))}
        {list.isFetchingNextPage && <PostSkeletons count={2} />}
      </Card>
      <MoreMark
        more={list.hasNextPage}
        failed={list.isFetchNextPageError}
        loading={list.isFetchingNextPage}
        onMore={list.fetchNextPage}
        label={moreByHand ?? 'Show more posts'}
        failedLabel="More posts did not load. Try again"
        byHand={moreByHand !== undefined}
        end={"You've reached the end!"}
      />
    </>
  )
}

/** A page that shifted while it was read may repeat a post. */
function unique(posts: Post[]): Post[] {
  return [...new Map(posts.map((post) => [post.id, post])).values()]
}

/** Draws its card only near the screen, so that thousands of posts scroll like ten. */
const Slot = memo(function Slot({ post }: { post: Post }) {
  return (
    <Box
      ref={rememberHeight}
      data-post={post.id}
      borderTopWidth="1px"
      _first={{ borderTopWidth: '0' }}
      style={{ contentVisibility: 'auto', containIntrinsicSize: reservedHeight(post.id) }}
    >
      <PostCard post={post} />
    </Box>
  )
})

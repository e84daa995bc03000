import { chakra } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { hashKey, useInfiniteQuery } from '@tanstack/react-query'
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Page } from '@/lib/api'
import { uniqueItems } from '@/lib/query-cache'
import { isShortcut } from '@/ui/keyboard-shortcut'
import { LoadMore } from '@/ui/LoadMore'
import { Card } from '@/ui/layout'
import { ErrorState } from '@/ui/states'
import type { PostListQuery } from '../api/posts'
import { type Fold, foldRuns, lastRunLength } from '../folding'
import { focusPost, groupIntoBlocks, useListPosition } from '../list-position'
import { PostListBlock } from './PostListBlock'
import { PostSkeletons } from './PostSkeletons'

/**
 * After a run of more than this many posts by one author, further posts are loaded only when the user presses a button.
 */
const maxLoadedRun = 200

/**
 * Shows a list of posts. It loads further pages while the user scrolls or, if `loadMoreLabel` is given, only when the
 * user presses a button. With `folded`, runs of posts by one author are folded. The page that contains the list must
 * have a single root element. Otherwise, React removes the elements above the list before the list saves its position.
 */
export function PostList({
  query,
  empty,
  folded = false,
  loadMoreLabel,
}: {
  query: PostListQuery
  empty: ReactNode
  folded?: boolean
  loadMoreLabel?: string
}) {
  const list = useInfiniteQuery(query)
  // Deferred, so that rendering a new page does not block scrolling.
  const data = useDeferredValue(list.data)

  if (!data && list.isError) {
    return (
      <Card>
        <ErrorState
          title={t`Failed to fetch posts`}
          message={t`Check your connection and try again.`}
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
  const isDeferred = data !== list.data
  const loading = list.isFetchingNextPage || isDeferred
  const isEmpty = data.pages.every((page) => page.items.length === 0)
  // There may be a next page even if all loaded posts were deleted.
  if (isEmpty && !isDeferred && !list.hasNextPage) return <Card>{empty}</Card>
  return (
    <>
      <Posts listId={hashKey(query.queryKey)} pages={data.pages} folded={folded} loading={loading} />
      <LoadMore
        list={list}
        loading={loading}
        label={loadMoreLabel ?? t`Show more posts`}
        failedLabel={t`Couldn't load more posts. Try again`}
        manual={
          loadMoreLabel !== undefined || (folded && lastRunLength(uniqueItems(data.pages)) > maxLoadedRun)
        }
        endMessage={t`You've reached the end!`}
      />
    </>
  )
}

// The card's border replaces the line above the first post.
const Feed = chakra(Card, {
  base: {
    overflow: 'hidden',
    '& > [data-post-block]:first-of-type > :first-of-type': { borderTopWidth: '0' },
  },
})

/** A list with at most this many blocks keeps them rendered, so that find-in-page finds all posts in a short list. */
const maxRetainedBlocks = 12

const noFolds: ReadonlyMap<string, Fold> = new Map()

/** Shows the loaded posts. `listId` identifies the list whose position is saved. */
function Posts({
  listId,
  pages,
  folded,
  loading,
}: {
  listId: string
  pages: Page<Post>[]
  folded: boolean
  loading: boolean
}) {
  const root = useRef<HTMLDivElement>(null)
  const position = useListPosition(listId, root)
  const [unfolded, setUnfolded] = useState(position.unfolded)
  const { blocks, folds } = useMemo(() => {
    const posts = uniqueItems(pages)
    const { shown, folds } = folded ? foldRuns(posts, unfolded) : { shown: posts, folds: noFolds }
    return { blocks: groupIntoBlocks(shown, position.blockKeys), folds }
  }, [pages, folded, unfolded, position])
  const unfold = useCallback(
    ({ firstId }: Fold) => {
      position.unfolded = new Set([...position.unfolded, firstId])
      setUnfolded(position.unfolded)
      focusPost(firstId)
    },
    [position],
  )
  useFeedShortcuts(root)
  // A new block at the start or the end of the list is usually near the viewport, so it is rendered immediately.
  const isNewAtEdge = (key: string, index: number) =>
    !position.blockHeights.has(key) && (index < 2 || index >= blocks.length - 2)
  return (
    <Feed ref={root} role="feed" aria-busy={loading}>
      {blocks.map((block, index) => (
        <PostListBlock
          key={block.key}
          block={block}
          folds={folds}
          onUnfold={unfold}
          position={position}
          isRetained={blocks.length <= maxRetainedBlocks}
          initiallyRendered={position.visibleBlocks.has(block.key) || isNewAtEdge(block.key, index)}
        />
      ))}
      {loading && <PostSkeletons count={2} />}
    </Feed>
  )
}

/**
 * Handles the keys `j` and `k`, which move the focus to the next and the previous post, or to the link that opens it
 * (`data-open-post`).
 */
export function useFeedShortcuts(root: RefObject<HTMLElement | null>): void {
  // A layout effect, so that the keys work as soon as the posts are visible.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.key !== 'j' && event.key !== 'k') || !isShortcut(event)) return
      const articles = [...(root.current?.querySelectorAll<HTMLElement>('article') ?? [])]
      const target = shortcutTarget(articles, event.key)
      if (!target) return
      event.preventDefault()
      const link = target.querySelector<HTMLElement>('[data-open-post]')
      if (!link) target.tabIndex = -1
      ;(link ?? target).focus({ preventScroll: true })
      target.scrollIntoView({ block: 'center' })
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [root])
}

/** Returns the focused post's neighbor or, if no post on the screen is focused, the nearest post below or above. */
function shortcutTarget(articles: HTMLElement[], key: 'j' | 'k'): HTMLElement | undefined {
  const index = articles.findIndex((article) => article.contains(document.activeElement))
  const focused = articles[index]
  if (focused && isOnScreen(focused)) return articles[key === 'j' ? index + 1 : index - 1]
  if (key === 'j') return articles.find((article) => article.getBoundingClientRect().top >= 0)
  return articles.findLast((article) => article.getBoundingClientRect().top < 0)
}

function isOnScreen(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < window.innerHeight
}

import { Box } from '@chakra-ui/react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { Button } from '@/ui/Button'
import { VisuallyHidden } from '@/ui/layout'
import { Spinner } from '@/ui/Skeleton'
import { newPostsText, showNewPostsText, useNewPostCount, useShowNewPosts } from '../api/new-posts'
import type { AnnouncingList } from '../api/posts'
import { focusPost } from '../list-position'

/** Pixels from the top of the viewport to a list below the header. */
const belowHeader = 80

/**
 * Shows how many new posts there are, and loads them only when it is pressed, so that the list does not move while the
 * user reads. The button overlaps the gap, or the line, above the list and sticks below the header. On a phone, where
 * that gap is missing or narrower than the button, the button can get its own row.
 */
export function NewPostsButton({
  list,
  isJoined = false,
}: {
  list: AnnouncingList
  /** Whether the list has no gap above it. */
  isJoined?: boolean
}) {
  const count = useNewPostCount(list)
  const hasRow = useRow(count > 0)
  const showNewPosts = useShowNewPosts(list)
  const anchor = useRef<HTMLDivElement>(null)
  const showPosts = () => {
    if (showNewPosts.isPending) return
    showNewPosts.mutate(undefined, {
      onSuccess: ({ items }) => {
        scrollToListTop(anchor.current)
        if (items[0]) focusPost(items[0].id)
      },
    })
  }
  useNewPostsLink(list, showPosts)
  return (
    <Box
      ref={anchor}
      position="sticky"
      top={{
        base: `calc({sizes.header} + {spacing.${hasRow ? 2 : 7}})`,
        md: 'calc({sizes.header} + {spacing.7})',
      }}
      zIndex="raised"
      height={{ base: hasRow ? 'auto' : '0', md: '0' }}
      marginTop={{ base: hasRow && isJoined ? '2' : '0', md: '0' }}
      marginBottom={
        isJoined ? (hasRow ? { base: '2', md: '0' } : '0') : { base: hasRow ? '0' : '-2', md: '-4' }
      }
      pointerEvents="none"
    >
      <VisuallyHidden role="status" aria-live="polite">
        {count > 0 && newPostsText(count)}
      </VisuallyHidden>
      {count > 0 && (
        <Box
          position={{ base: hasRow ? 'static' : 'absolute', md: 'absolute' }}
          top={{ base: '-1', md: '-2' }}
          insetInline="0"
          display="flex"
          justifyContent="center"
          transform={{ base: hasRow ? 'none' : 'translateY(-50%)', md: 'translateY(-50%)' }}
        >
          <Button
            variant="tinted"
            size="sm"
            boxShadow="mid"
            pointerEvents="auto"
            aria-busy={showNewPosts.isPending || undefined}
            animation="appear {durations.slow} {easings.out}"
            onClick={showPosts}
          >
            {showNewPosts.isPending && <Spinner />}
            {showNewPostsText(count)}
          </Button>
        </Box>
      )}
    </Box>
  )
}

/** The keys of the locations whose new posts have been shown. */
const shownLocations = new Set<string>()

/**
 * Shows the new posts each time the user follows a link to them, such as a notification about several new posts.
 * Going back to the page does not show them again.
 */
function useNewPostsLink({ query }: AnnouncingList, showPosts: () => void): void {
  const { hash, key } = useLocation()
  const { isPending } = useInfiniteQuery(query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the posts are shown once for each location
  useEffect(() => {
    if (hash !== '#new-posts' || isPending || shownLocations.has(key)) return
    shownLocations.add(key)
    showPosts()
  }, [hash, key, isPending])
}

/**
 * Returns whether the button has its own row. It gets one once the page is scrolled to the top, where the row does not
 * move a post that the user is reading.
 */
function useRow(isVisible: boolean): boolean {
  const [hasRow, setHasRow] = useState(false)
  useLayoutEffect(() => {
    if (!isVisible) return setHasRow(false)
    const onScroll = () => {
      if (window.scrollY === 0) setHasRow(true)
    }
    onScroll()
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => window.removeEventListener('scroll', onScroll)
  }, [isVisible])
  return hasRow
}

/** Scrolls the home feed to its top, and a profile to the top of its posts. `anchor` is right above the list. */
function scrollToListTop(anchor: HTMLElement | null): void {
  const top = anchor?.nextElementSibling?.getBoundingClientRect().top ?? 0
  const isBelowFirstScreen = top + window.scrollY > window.innerHeight / 2
  const target = isBelowFirstScreen ? top - belowHeader : -window.scrollY
  window.scrollBy({ top: target, behavior: 'instant' })
}

import { Box, chakra } from '@chakra-ui/react'
import type { CommentSort } from '@contract/comment.ts'
import type { Post } from '@contract/post.ts'
import { plural, t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, type Ref, useEffect, useLayoutEffect, useState } from 'react'
import { formatCount } from '@/lib/format'
import { displayName } from '@/lib/text'
import { VisuallyHidden } from '@/ui/layout'
import { commentDockAttribute, commentDockHeight } from '@/ui/toaster'
import { useVisibleArea, visibleHeight, visibleTop } from '@/ui/useVisibleArea'
import { commentsQuery, uniqueComments } from '../api'

/** Hides the comment form while a reply form is rendered after it. */
export const replyFormReplacesForm = { '& > form:not(:last-child)': { display: 'none' } } as const

/**
 * Shows the comment form at the bottom of a phone's screen, above the on-screen keyboard, in place of the bottom bar. A
 * reply form that is rendered into the dock hides the comment form.
 */
export function CommentDock({ ref, children }: { ref: Ref<HTMLDivElement>; children: ReactNode }) {
  useVisibleArea()
  return (
    <Box
      ref={ref}
      {...commentDockAttribute}
      position="fixed"
      zIndex="sticky"
      insetInline="0"
      bottom={`max(0px, 100% - ${visibleTop} - ${visibleHeight})`}
      paddingInline="4"
      paddingBottom="env(safe-area-inset-bottom)"
      bg="bg"
      borderTopWidth="1px"
      css={replyFormReplacesForm}
    >
      {children}
    </Box>
  )
}

const PeekButton = chakra('button', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    width: '100%',
    minHeight: 'target',
    marginBottom: '-2',
    textStyle: 'small',
    textAlign: 'start',
    color: 'muted',
    // Leaves more room for the post while the user writes.
    '&:has(~ form:focus-within)': { display: 'none' },
  },
})

/** Shows the first comment on one line while the comments are below the viewport. A press scrolls to the comments. */
export function CommentPeek({
  post,
  sort,
  section,
}: {
  post: Post
  sort: CommentSort
  section: HTMLElement | null
}) {
  const [isBelow, setBelow] = useState(false)
  const { data } = useInfiniteQuery(commentsQuery(post.id, sort))
  useEffect(() => {
    if (!section) return
    const observer = new IntersectionObserver(([entry]) => setBelow(entry?.isIntersecting === false), {
      // About the height of the dock plus the section's first lines.
      rootMargin: '0px 0px -20%',
    })
    observer.observe(section)
    return () => observer.disconnect()
  }, [section])
  const [comment] = uniqueComments(data)
  if (!isBelow || !comment) return null
  const count = post.commentsCount
  const shownCount = formatCount(count)
  const showComments = () => {
    // The button disappears, so the focus moves to the comments.
    section?.focus({ preventScroll: true })
    section?.scrollIntoView({ block: 'start' })
  }
  return (
    <PeekButton type="button" onClick={showComments}>
      <Box as="span" flex="1" minWidth="0" truncate>
        <Box as="bdi" fontWeight="semibold" color="text">
          {displayName(comment.user, t`Deleted user`)}:
        </Box>{' '}
        <bdi>{comment.content}</bdi>
      </Box>
      {count > 1 && (
        <Box as="span" aria-hidden color="ember.text" fontWeight="medium">
          {t`All ${shownCount}`}
        </Box>
      )}
      <VisuallyHidden>
        {t`${plural(count, { one: 'Show the comment', other: 'Show all # comments' })}`}
      </VisuallyHidden>
    </PeekButton>
  )
}

/**
 * Keeps the dock from covering focused elements and those that are scrolled into view, and keeps the post's buttons
 * above the dock.
 */
export function useDockHeight(dock: HTMLElement | null): void {
  useLayoutEffect(() => {
    if (!dock) return
    const { style } = document.documentElement
    // The dock grows with the text, and sometimes shows another line above the text field.
    const observer = new ResizeObserver(() => {
      style.scrollPaddingBottom = `${dock.offsetHeight + 8}px`
      style.setProperty(commentDockHeight, `${dock.offsetHeight}px`)
    })
    observer.observe(dock)
    return () => {
      observer.disconnect()
      style.scrollPaddingBottom = ''
      style.removeProperty(commentDockHeight)
    }
  }, [dock])
}

import { Box } from '@chakra-ui/react'
import { type ReactNode, type Ref, useLayoutEffect } from 'react'
import { commentDockAttribute } from '@/ui/toaster'
import { useVisibleArea, visibleHeight, visibleTop } from '@/ui/useVisibleArea'

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

/** Keeps focused elements, and those that are scrolled into view, from being scrolled under the dock. */
export function useDockScrollPadding(dock: HTMLElement | null): void {
  useLayoutEffect(() => {
    if (!dock) return
    const { style } = document.documentElement
    // The dock grows with the text and has another line while the user replies.
    const observer = new ResizeObserver(() => {
      style.scrollPaddingBottom = `${dock.offsetHeight + 8}px`
    })
    observer.observe(dock)
    return () => {
      observer.disconnect()
      style.scrollPaddingBottom = ''
    }
  }, [dock])
}

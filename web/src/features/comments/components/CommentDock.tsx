import { Box } from '@chakra-ui/react'
import type { ReactNode, Ref } from 'react'
import { commentDockAttribute } from '@/ui/toaster'
import { useVisibleArea, visibleHeight, visibleTop } from '@/ui/useVisibleArea'

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
      css={{ '& > form:not(:last-child)': { display: 'none' } }}
    >
      {children}
    </Box>
  )
}

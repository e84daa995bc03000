import { Box } from '@chakra-ui/react'
import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useMinWidth } from './useMinWidth'

/**
 * Renders a screen's secondary content into the shell's right column, if there is one. The content is sticky while the
 * screen scrolls, and scrolls independently if it is taller than the window. Otherwise, its lower part would be
 * unreachable beside an endless list.
 */
export function RightSidebar({ children }: { children: ReactNode }) {
  const [column, setColumn] = useState<HTMLElement | null>(null)
  useEffect(() => setColumn(document.getElementById('right-sidebar')), [])
  // Where the column is hidden, its content must not load data.
  const isShown = useMinWidth('xl')
  return (
    column &&
    isShown &&
    createPortal(
      <Box
        position="sticky"
        top="calc({sizes.header} + {spacing.4})"
        maxHeight="calc(100dvh - {sizes.header} - {spacing.4})"
        overflowY="auto"
        scrollbarWidth="none"
        // Space for focus rings, which a scroll container would clip.
        padding="1"
        paddingBottom="5"
        margin="-1"
      >
        {children}
      </Box>,
      column,
    )
  )
}

import { Box } from '@chakra-ui/react'
import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

/**
 * Renders a screen's secondary content into the shell's right column, if there is one. It stays in the window while the
 * screen scrolls, and scrolls by itself when it is higher than the window: below a list without an end, its lower part
 * could not be reached otherwise.
 */
export function RightSidebar({ children }: { children: ReactNode }) {
  const [rail, setRail] = useState<HTMLElement | null>(null)
  useEffect(() => setRail(document.getElementById('rail')), [])
  return (
    rail &&
    createPortal(
      <Box
        position="sticky"
        top="calc({sizes.header} + {spacing.4})"
        maxHeight="calc(100dvh - {sizes.header} - {spacing.4})"
        overflowY="auto"
        scrollbarWidth="none"
        // Room for focus rings, which a scrolling box would cut off.
        padding="1"
        paddingBottom="5"
        margin="-1"
      >
        {children}
      </Box>,
      rail,
    )
  )
}

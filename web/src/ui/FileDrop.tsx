import { Box } from '@chakra-ui/react'
import type { ReactNode } from 'react'

/** Lies over a composer while a file is held above it. */
export function DropOverlay({ children }: { children: ReactNode }) {
  return (
    <Box
      position="absolute"
      inset="1.5"
      zIndex="raised"
      display="grid"
      placeItems="center"
      borderWidth="2px"
      borderStyle="dashed"
      borderColor="ember.ring"
      borderRadius="md"
      bg="glass"
      textStyle="label"
      color="ember.text"
      pointerEvents="none"
    >
      {children}
    </Box>
  )
}

import { Box } from '@chakra-ui/react'

/** Lies over a composer while a file is held above it. */
export function DropMark() {
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
      Drop an image or a video here
    </Box>
  )
}

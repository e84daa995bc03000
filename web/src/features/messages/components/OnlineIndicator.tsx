import { Box } from '@chakra-ui/react'

/** On the corner of a picture: its person is online. Said in words beside it. */
export function OnlineIndicator() {
  return (
    <Box
      as="span"
      aria-hidden
      position="absolute"
      insetEnd="0"
      bottom="0"
      width="3"
      height="3"
      borderRadius="full"
      bg="success.solid"
      outline="2px solid"
      outlineColor="surface"
    />
  )
}

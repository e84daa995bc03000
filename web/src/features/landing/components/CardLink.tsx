import { chakra } from '@chakra-ui/react'
import { Link } from 'react-router-dom'

/**
 * A link whose click area covers the nearest positioned ancestor. The link itself stays small, so that the browser
 * scrolls to it on focus, even if the card is taller than the visible part of the page.
 */
export const CardLink = chakra(Link, {
  base: {
    _focusVisible: { outline: 'none' },
    _after: {
      content: '""',
      position: 'absolute',
      inset: '0',
      borderRadius: 'lg',
      transition: 'background-color {durations.fast}',
    },
    '&:hover::after': { bg: 'stage.text/12' },
    '&:focus-visible::after': { outline: '2px solid', outlineColor: 'focus', outlineOffset: '-4px' },
    '&:hover > *': { textDecoration: 'underline' },
  },
})

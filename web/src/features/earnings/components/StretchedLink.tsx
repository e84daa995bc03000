import { chakra } from '@chakra-ui/react'
import { Link } from 'react-router-dom'

/** Leads to the rows that an amount is made of; all that it is placed in, but for buttons on it, leads there. */
export const StretchedLink = chakra(Link, {
  base: {
    textStyle: 'small',
    fontWeight: 'medium',
    color: 'ember.text',
    _hover: { textDecoration: 'underline' },
    _after: { content: '""', position: 'absolute', inset: '0', borderRadius: 'inherit' },
    _focusVisible: {
      outline: 'none',
      _after: { outline: '2px solid', outlineColor: 'focus', outlineOffset: '-2px' },
    },
  },
})

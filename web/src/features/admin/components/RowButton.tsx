import { chakra } from '@chakra-ui/react'

/** A button whose click area is the whole row that contains it. The row needs `position: relative`. */
export const RowButton = chakra('button', {
  base: {
    display: 'block',
    textAlign: 'start',
    cursor: 'pointer',
    _after: { content: '""', position: 'absolute', inset: '0' },
    _focusVisible: {
      outline: 'none',
      _after: { outline: '2px solid', outlineColor: 'focus', outlineOffset: '-2px' },
    },
  },
})

/** Places controls and selectable text above the click area of the row. */
export const aboveRowButton = { position: 'relative', zIndex: 'raised' } as const

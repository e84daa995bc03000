import { chakra } from '@chakra-ui/react'

/** Panels beneath each other. */
export const PanelStack = chakra('div', {
  base: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: '4' },
})

/** Two panels beside each other, where there is room. */
export const PanelPair = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
    '& > :only-child': { gridColumn: '1 / -1' },
    gap: '4',
  },
})

import { Box, chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'

/** The bar that stays above a screen; the content scrolls under it. */
export const TopBar = chakra('header', {
  base: {
    position: 'sticky',
    top: '0',
    zIndex: 'sticky',
    bg: 'glass',
    backdropFilter: 'blur(12px)',
    borderBottomWidth: '1px',
  },
})

/** The top bar's places: the name, the search (from 768 px), and one's own things. */
export const TopBarColumns = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: {
      base: '1fr auto',
      md: 'auto minmax(0, 1fr) auto',
      xl: '{sizes.nav} minmax(0, {sizes.feed}) {sizes.rail}',
    },
    justifyContent: 'center',
    alignItems: 'center',
    columnGap: '6',
    height: 'header',
    maxWidth: 'shell',
    marginInline: 'auto',
    paddingInline: { base: '4', md: '6' },
  },
})

/** The shell's columns: the navigation from 768 px, the screen, and from 1200 px the rail. */
export const Columns = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: {
      base: 'minmax(0, 1fr)',
      md: '{sizes.navIcons} minmax(0, {sizes.feed})',
      xl: '{sizes.nav} minmax(0, {sizes.feed}) {sizes.rail}',
    },
    justifyContent: 'center',
    columnGap: { md: '6' },
    width: '100%',
    maxWidth: 'shell',
    marginInline: 'auto',
    paddingInline: { base: '0', md: '6' },
  },
})

/** Where the screen stands; a wide one takes the rail's place as well. */
export function Main({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  return (
    <Box
      as="main"
      id="main"
      tabIndex={-1}
      outline="none"
      minWidth="0"
      gridColumn={wide ? { xl: '2 / span 2' } : undefined}
      paddingTop={{ base: '2', md: '5' }}
      // On a phone the last line can be scrolled out from under the compose button.
      paddingBottom={{ base: 'calc({sizes.bottomBar} + 6rem + env(safe-area-inset-bottom))', md: '16' }}
    >
      {children}
    </Box>
  )
}

import { Box, chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { hiddenBarStyle } from './hidden-bars'

/** The sticky bar at the top. The content scrolls under it. */
export const TopBar = chakra('header', {
  base: {
    position: 'sticky',
    top: '0',
    zIndex: 'sticky',
    bg: 'glass',
    backdropFilter: 'blur(12px)',
    borderBottomWidth: '1px',
    ...hiddenBarStyle('-100%'),
  },
})

/** The columns of the top bar: the logo, the search field (from 768 px), and the user's menus. */
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

/** The columns of the shell: the navigation (from 768 px), the screen, and the right sidebar (from 1200 px). */
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

/** The main content. A wide screen also takes the space of the right sidebar. */
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
      // On phones, the end of the content can be scrolled above the bottom bar.
      paddingBottom={{ base: 'calc({sizes.bottomBar} + 2rem + env(safe-area-inset-bottom))', md: '16' }}
    >
      {children}
    </Box>
  )
}

/** The handle of a route whose screen also takes the space of the right sidebar. */
export const wideLayout = 'wide'

import { Box, chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { lowWindow } from '@/ui/layout'
import { withComposer } from '@/ui/toaster'
import { visibleHeight, visibleTop } from '@/ui/useVisibleArea'
import { hiddenBarStyle } from './hidden-bars'

/** A phone in landscape orientation. */
const landscapePhone = '@media (max-height: 30rem)'

/** The sticky bar at the top. The content scrolls under it. */
export const TopBar = chakra('header', {
  base: {
    position: 'sticky',
    top: '0',
    zIndex: 'sticky',
    bg: 'bg',
    borderBottomWidth: '1px',
    ...hiddenBarStyle('-100%'),
    [withComposer]: { display: { base: 'none', md: 'block' }, [landscapePhone]: { display: 'none' } },
  },
})

/** Matches windows in which routes with the `wideLayoutWithPanels` handle have a wider shell (breakpoint `3xl`). */
const largeWindow = '@media (min-width: 1500px)'

/** The columns of the top bar: the logo, the search field (from 768 px), and the user's menus. */
export const TopBarColumns = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: {
      base: '1fr auto',
      md: 'auto minmax(0, 1fr) auto',
      xl: '{sizes.nav} minmax(0, {sizes.feed}) {sizes.sidebar}',
    },
    justifyContent: 'center',
    alignItems: 'center',
    columnGap: '6',
    height: 'header',
    maxWidth: 'shell',
    marginInline: 'auto',
    paddingInline: { base: '4', md: '6' },
    [largeWindow]: {
      'body:has([data-panels]) &': {
        maxWidth: 'wideShell',
        gridTemplateColumns: '{sizes.nav} minmax(0, {sizes.feed}) 1fr',
      },
    },
  },
})

/**
 * The columns of the shell: the navigation (from 768 px), the screen, and the right sidebar (from 1200 px). With
 * `icons`, the screen takes the space of the navigation's labels. With `panels`, it does so only below 1500 px; from
 * 1500 px, the shell is wider instead.
 */
export const Columns = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    md: { gridTemplateColumns: '{sizes.navIcons} minmax(0, {sizes.feed})' },
    justifyContent: 'center',
    columnGap: { md: '6' },
    width: '100%',
    maxWidth: 'shell',
    marginInline: 'auto',
    paddingInline: {
      base: '0',
      md: 'max({spacing.6}, env(safe-area-inset-left), env(safe-area-inset-right))',
    },
  },
  variants: {
    navigation: {
      labels: { xl: { gridTemplateColumns: '{sizes.nav} minmax(0, {sizes.feed}) {sizes.sidebar}' } },
      icons: { xl: { gridTemplateColumns: '{sizes.navIcons} minmax(0, 1fr) {sizes.sidebar}' } },
      panels: {
        md: { gridTemplateColumns: '{sizes.navIcons} minmax(0, 1fr)' },
        xl: { gridTemplateColumns: '{sizes.navIcons} minmax(0, 1fr) {sizes.sidebar}' },
        [largeWindow]: {
          gridTemplateColumns: '{sizes.nav} minmax(0, 1fr) {sizes.sidebar}',
          maxWidth: 'wideShell',
        },
      },
    },
  },
  defaultVariants: { navigation: 'labels' },
})

const heightBelowHeader = `calc(${visibleHeight} - {sizes.header} - 1px)`
const heightBetweenBars = `calc(${visibleHeight} - {sizes.header} - {sizes.bottomBar} - 2px - env(safe-area-inset-bottom))`

/** Styles for a screen that fills the window (`fullHeightAttribute`). Only boxes within the screen scroll. */
const fullHeight = {
  '&:has([data-full-height])': {
    display: 'flex',
    flexDirection: 'column',
    position: 'relative',
    top: visibleTop,
    height: { base: heightBetweenBars, md: heightBelowHeader },
    paddingTop: { base: '0', md: '5' },
    paddingBottom: { base: '0', md: '5' },
    [lowWindow]: { paddingBlock: '0' },
  },
  [withComposer]: {
    height: { base: visibleHeight, md: heightBelowHeader },
    [landscapePhone]: { height: visibleHeight },
  },
}

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
      // On phones, leaves room to scroll the end of the content above the bottom bar and a toast.
      paddingBottom={{ base: 'calc({sizes.bottomBar} + 6rem + env(safe-area-inset-bottom))', md: '16' }}
      css={fullHeight}
    >
      {children}
    </Box>
  )
}

/** The handle of a route whose screen also takes the space of the right sidebar. */
export const wideLayout = 'wide'

/** The handle of a wide route that has its own navigation, beside which the main navigation shows only icons. */
export const wideLayoutWithNavigation = 'wide-with-navigation'

/** The handle of a wide route with several panels, beside which the main navigation shows only icons below 1500 px. */
export const wideLayoutWithPanels = 'wide-with-panels'

import { Box } from '@chakra-ui/react'
import { Suspense, useRef } from 'react'
import { Outlet } from 'react-router-dom'
import ProfilesLive from '@/features/profiles/components/ProfilesLive'
import { MotionProvider } from '@/ui/motion'
import { BottomBar } from './BottomBar'
import { ConnectionStrip } from './ConnectionStrip'
import { HeaderBar } from './HeaderBar'
import { KeysDialog } from './KeysDialog'
import { Navigation } from './Navigation'
import { useShortcuts } from './useShortcuts'

/**
 * The signed-in app: navigation, the screen, and from 1200 px a rail for what the screen puts there. The columns
 * keep their place whatever the screen holds.
 */
export default function Shell() {
  const search = useRef<HTMLInputElement>(null)
  const keys = useShortcuts(search)
  return (
    <MotionProvider>
      <HeaderBar searchRef={search} />
      <ConnectionStrip />
      <Box
        display="grid"
        gridTemplateColumns={{
          base: 'minmax(0, 1fr)',
          md: '{sizes.navIcons} minmax(0, {sizes.feed})',
          xl: '{sizes.nav} minmax(0, {sizes.feed}) {sizes.rail}',
        }}
        justifyContent="center"
        columnGap={{ md: '6' }}
        width="100%"
        maxWidth="shell"
        marginInline="auto"
        paddingInline={{ base: '0', md: '6' }}
      >
        <Navigation />
        <Box
          as="main"
          id="main"
          tabIndex={-1}
          outline="none"
          minWidth="0"
          paddingTop={{ base: '2', md: '5' }}
          paddingBottom={{ base: 'calc({sizes.bottomBar} + 2rem + env(safe-area-inset-bottom))', md: '16' }}
        >
          <Suspense fallback={null}>
            <Outlet />
          </Suspense>
        </Box>
        <Box as="aside" aria-label="More" id="rail" hideBelow="xl" paddingTop="5" />
      </Box>
      <BottomBar />
      <ProfilesLive />
      <KeysDialog open={keys.open} onClose={keys.close} />
    </MotionProvider>
  )
}

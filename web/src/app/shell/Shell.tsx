import { Box } from '@chakra-ui/react'
import { useRef } from 'react'
import { Outlet, useMatches } from 'react-router-dom'
import CheckoutReturn from '@/features/checkout/CheckoutReturn'
import ProfilesLive from '@/features/profiles/components/ProfilesLive'
import { MotionProvider } from '@/ui/motion'
import { BottomBar } from './BottomBar'
import { ConnectionStrip } from './ConnectionStrip'
import { Columns, Main } from './frame'
import { HeaderBar } from './HeaderBar'
import { IdleWatch } from './IdleWatch'
import { KeysDialog } from './KeysDialog'
import { ModerationDialogs } from './ModerationDialogs'
import { Navigation } from './Navigation'
import { PaymentDialogs } from './PaymentDialogs'
import { QuickDialogs } from './QuickDialogs'
import { ReadOnlyBanner } from './ReadOnlyBanner'
import { SignOutDialog } from './SignOutDialog'
import { useShortcuts } from './useShortcuts'
import { wideScreen } from './wide'

/**
 * The signed-in app: navigation, the screen, and from 1200 px a rail for what the screen puts there. The columns
 * keep their place whatever the screen holds; a route with `wideScreen` as its handle has no rail.
 */
export default function Shell() {
  const search = useRef<HTMLInputElement>(null)
  const keys = useShortcuts(search)
  const wide = useMatches().some(({ handle }) => handle === wideScreen)
  return (
    <MotionProvider>
      <HeaderBar searchRef={search} />
      <ConnectionStrip />
      <Columns>
        <Navigation />
        <Main wide={wide}>
          <ReadOnlyBanner />
          <CheckoutReturn />
          <Outlet />
        </Main>
        <Box as="aside" aria-label="More" id="rail" hidden={wide} hideBelow="xl" paddingTop="5" />
      </Columns>
      <BottomBar />
      <ProfilesLive />
      <QuickDialogs />
      <PaymentDialogs />
      <ModerationDialogs />
      <SignOutDialog />
      <IdleWatch />
      <KeysDialog open={keys.open} onClose={keys.close} />
    </MotionProvider>
  )
}

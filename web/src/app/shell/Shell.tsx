import { Box } from '@chakra-ui/react'
import { useRef } from 'react'
import { Outlet, useMatches } from 'react-router-dom'
import CheckoutReturn from '@/billing/components/CheckoutReturn'
import UsersRealtime from '@/features/users/UsersRealtime'
import { ReadOnlyBanner } from '@/moderation/components/ReadOnlyBanner'
import { IdleTimeoutDialog } from '@/session/components/IdleTimeoutDialog'
import { MotionProvider } from '@/ui/motion'
import { BottomBar } from './BottomBar'
import { ConnectionBanner } from './ConnectionBanner'
import { HeaderBar } from './HeaderBar'
import { KeyboardShortcutsDialog } from './KeyboardShortcuts'
import { ModerationDialogs } from './ModerationDialogs'
import { PaymentDialogs } from './PaymentDialogs'
import { QuickDialogs } from './QuickDialogs'
import { Columns, Main } from './ShellLayout'
import { SideNavigation } from './SideNavigation'
import { SignOutDialog } from './SignOutDialog'
import { useKeyboardShortcuts } from './useKeyboardShortcuts'
import { wideLayout } from './wide-layout'

/**
 * The signed-in app: navigation, the screen, and from 1200 px a rail for what the screen puts there. The columns
 * keep their place whatever the screen holds; a route with `wideScreen` as its handle has no rail.
 */
export default function Shell() {
  const search = useRef<HTMLInputElement>(null)
  const keys = useKeyboardShortcuts(search)
  const wide = useMatches().some(({ handle }) => handle === wideLayout)
  return (
    <MotionProvider>
      <HeaderBar searchRef={search} />
      <ConnectionBanner />
      <Columns>
        <SideNavigation />
        <Main wide={wide}>
          <ReadOnlyBanner />
          <CheckoutReturn />
          <Outlet />
        </Main>
        <Box as="aside" aria-label="More" id="rail" hidden={wide} hideBelow="xl" paddingTop="5" />
      </Columns>
      <BottomBar />
      <UsersRealtime />
      <QuickDialogs />
      <PaymentDialogs />
      <ModerationDialogs />
      <SignOutDialog />
      <IdleTimeoutDialog />
      <KeyboardShortcutsDialog open={keys.open} onClose={keys.close} />
    </MotionProvider>
  )
}

import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Outlet, useMatches } from 'react-router-dom'
import { UsersRealtime } from '@/features/users/realtime'
import { ReadOnlyBanner } from '@/moderation/components/ReadOnlyNotice'
import { ConfirmationBanner } from '@/session/components/EmailConfirmation'
import { IdleTimeoutDialog } from '@/session/components/IdleTimeoutDialog'
import { Button } from '@/ui/Button'
import { Card } from '@/ui/layout'
import { useMinWidth } from '@/ui/useMinWidth'
import { registerServiceWorker } from '../service-worker'
import { BottomBar } from './BottomBar'
import { ConnectionBanner } from './ConnectionBanner'
import { HeaderBar } from './HeaderBar'
import { useHiddenBars } from './hidden-bars'
import { KeyboardShortcuts } from './KeyboardShortcuts'
import { SignOutDialog } from './ProfileMenu'
import { ShellDialogs } from './ShellDialogs'
import { Columns, Main, wideLayout, wideLayoutWithNavigation, wideLayoutWithPanels } from './ShellLayout'
import { SideNavigation } from './SideNavigation'

/**
 * The layout for signed-in users: navigation, screen, and from 1200 px a sidebar that the screen fills with
 * `RightSidebar`. The columns do not move when the sidebar is empty. Routes with a `wideLayout…` handle have no
 * sidebar.
 */
export default function Shell() {
  const searchRef = useRef<HTMLInputElement>(null)
  // The user always returns from the payment page with a full page load. The URL is kept, because the user may open
  // another screen before the code that shows the result has loaded.
  const [returnUrl] = useState(() => new URL(window.location.href))
  useHiddenBars()
  useEffect(registerServiceWorker, [])
  const handles = useMatches().map(({ handle }) => handle)
  const hasOwnNavigation = handles.includes(wideLayoutWithNavigation)
  const hasPanels = handles.includes(wideLayoutWithPanels)
  const isLargeWindow = useMinWidth('3xl')
  const isWide = hasOwnNavigation || hasPanels || handles.includes(wideLayout)
  return (
    <>
      <HeaderBar searchRef={searchRef} />
      <ConnectionBanner />
      <Columns
        navigation={hasPanels ? 'panels' : hasOwnNavigation ? 'icons' : 'labels'}
        data-panels={hasPanels || undefined}
      >
        <SideNavigation iconsOnly={hasOwnNavigation || (hasPanels && !isLargeWindow)} />
        <Main wide={isWide}>
          <ReadOnlyBanner />
          <ConfirmationBanner />
          {/* Always rendered: screen readers do not announce a live region that is added together with its text. */}
          <div role="status">
            {returnUrl.searchParams.has('checkout') && <PaymentResult returnUrl={returnUrl} />}
          </div>
          <Outlet />
        </Main>
        <Box
          as="aside"
          aria-label={t`More`}
          id="right-sidebar"
          hidden={isWide}
          hideBelow="xl"
          paddingTop="5"
        />
      </Columns>
      <BottomBar />
      <UsersRealtime />
      <ShellDialogs />
      <SignOutDialog />
      <IdleTimeoutDialog />
      <KeyboardShortcuts searchRef={searchRef} />
    </>
  )
}

/** Shows the result of a payment as soon as the code for it has loaded. */
function PaymentResult({ returnUrl }: { returnUrl: URL }) {
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ['checkout-return'],
    queryFn: () => import('@/billing/components/CheckoutReturn'),
  })
  if (data) return <data.CheckoutReturn returnUrl={returnUrl} />
  return (
    isError && (
      <Card
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        justifyContent="space-between"
        gap="3"
        marginBottom={{ base: '2', md: '4' }}
        padding="4"
      >
        {t`We couldn't show the result of your payment.`}
        <Button variant="outline" size="sm" pending={isFetching} onClick={() => void refetch()}>
          {t`Try again`}
        </Button>
      </Card>
    )
  )
}

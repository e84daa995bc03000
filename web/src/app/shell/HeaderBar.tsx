import { Box } from '@chakra-ui/react'
import type { RefObject } from 'react'
import { Link } from 'react-router-dom'
import { appName } from '@/appName'
import MessagesMenu from '@/features/messages/components/MessagesMenu'
import NotificationsMenu from '@/features/notifications/components/NotificationsMenu'
import HeaderSearch from '@/features/search/HeaderSearch'
import { useCurrentUser } from '@/lib/session'
import { paths } from '@/paths'
import { Logo } from '@/ui/Logo'
import { SkeletonCircle } from '@/ui/Skeleton'
import { ProfileMenu } from './ProfileMenu'

/** The bar above every signed-in screen. */
export function HeaderBar({ searchRef }: { searchRef: RefObject<HTMLInputElement | null> }) {
  const { user } = useCurrentUser()
  return (
    <Box
      as="header"
      position="sticky"
      top="0"
      zIndex="sticky"
      bg="glass"
      backdropFilter="blur(12px)"
      borderBottomWidth="1px"
    >
      <Box
        display="grid"
        gridTemplateColumns={{
          base: '1fr auto',
          md: 'auto minmax(0, 1fr) auto',
          xl: '{sizes.nav} minmax(0, {sizes.feed}) {sizes.rail}',
        }}
        justifyContent="center"
        alignItems="center"
        columnGap="6"
        height="header"
        maxWidth="shell"
        marginInline="auto"
        paddingInline={{ base: '4', md: '6' }}
      >
        <Box asChild display="block" borderRadius="sm" justifySelf="start">
          <Link to={paths.home.getHref()} aria-label={`${appName}, home`}>
            <Logo name={appName} />
          </Link>
        </Box>
        <Box hideBelow="md">
          <HeaderSearch ref={searchRef} />
        </Box>
        <Box display="flex" alignItems="center" justifyContent="flex-end" gap="1">
          <NotificationsMenu />
          <MessagesMenu />
          {user ? <ProfileMenu user={user} /> : <SkeletonCircle size="8" />}
        </Box>
      </Box>
    </Box>
  )
}

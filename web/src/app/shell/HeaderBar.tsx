import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import type { RefObject } from 'react'
import MessagesPopover from '@/features/messages/components/MessagesPopover'
import NotificationsPopover from '@/features/notifications/components/NotificationsPopover'
import HeaderSearch from '@/features/search/components/HeaderSearch'
import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { ButtonLink } from '@/ui/Button'
import { SearchIcon } from '@/ui/icons'
import { LogoLink } from '@/ui/Logo'
import { withBackHeader } from '@/ui/layout'
import { SkeletonCircle } from '@/ui/Skeleton'
import { notificationActions } from '../notification-actions'
import { ProfileMenu } from './ProfileMenu'
import { TopBar, TopBarColumns } from './ShellLayout'

/** The top bar of the shell. On phones, the header of a page with a back button replaces it. */
export function HeaderBar({ searchRef }: { searchRef: RefObject<HTMLInputElement | null> }) {
  const { user } = useCurrentUser()
  return (
    <TopBar css={{ [withBackHeader]: { display: { base: 'none', md: 'block' } } }}>
      <TopBarColumns>
        {/* The narrowest phones show only the logo's symbol, so that the buttons keep their size. */}
        <Box css={{ '@media (max-width: 374px)': { '& svg + span': { display: 'none' } } }}>
          <LogoLink />
        </Box>
        <Box hideBelow="md">
          <HeaderSearch ref={searchRef} />
        </Box>
        <Box display="flex" alignItems="center" justifyContent="flex-end" gap="1">
          <ButtonLink
            to={paths.search.getHref()}
            variant="ghost"
            size="icon"
            aria-label={t`Search`}
            hideFrom="md"
          >
            <SearchIcon />
          </ButtonLink>
          <NotificationsPopover actions={notificationActions} />
          <MessagesPopover />
          {user ? <ProfileMenu user={user} /> : <SkeletonCircle size="8" />}
        </Box>
      </TopBarColumns>
    </TopBar>
  )
}

import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { Link, matchPath, useLocation } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { PlusIcon } from '@/ui/icons'
import { withComposer } from '@/ui/toaster'
import { bottomLinks, type NavigationLink } from './navigation-links'
import { openComposer } from './quick-dialogs'

const Item = chakra(Link, {
  base: {
    flex: '1',
    height: 'bottomBar',
    display: 'grid',
    placeItems: 'center',
    fontSize: '1.625rem',
    color: 'muted',
    borderRadius: 'sm',
    '&[aria-current=page]': { color: 'ember.text' },
    _focusVisible: { outlineOffset: '-4px' },
  },
})

const ComposeButton = chakra('button', {
  base: {
    position: 'absolute',
    insetEnd: '4',
    bottom: 'calc(100% + 1rem)',
    display: 'grid',
    placeItems: 'center',
    width: '14',
    height: '14',
    borderRadius: 'full',
    bg: 'ember.solid',
    color: 'ember.on',
    fontSize: '2xl',
    boxShadow: 'mid',
    cursor: 'pointer',
  },
})

/** The paths of screens with posts. On other screens the compose button would cover the buttons of rows. */
const postScreens = [
  paths.home.path,
  paths.discover.path,
  paths.saved.path,
  paths.profile.path,
  paths.post.path,
  paths.topic.path,
]

/** Returns a function that tells whether a link is current. The profile link is also current at the user's name or id. */
function useIsCurrent() {
  const { pathname } = useLocation()
  const { user } = useCurrentUser()
  const identifier = matchPath(paths.profile.path, pathname)?.params.identifier?.toLowerCase()
  const isOwnProfile =
    user && [user.handle, user.username, user.id].some((name) => name.toLowerCase() === identifier)
  return (link: NavigationLink) =>
    link.to === paths.profile.getHref() && identifier !== undefined
      ? isOwnProfile
      : matchPath({ path: link.to, end: link.end ?? false }, pathname) !== null
}

/** The navigation at the bottom on phones, with the compose button above it. */
export function BottomBar() {
  const { pathname } = useLocation()
  const isCurrent = useIsCurrent()
  return (
    <Box
      as="nav"
      aria-label={t`Main`}
      hideFrom="md"
      position="fixed"
      insetInline="0"
      bottom="0"
      zIndex="sticky"
      display="flex"
      paddingInline="2"
      paddingBottom="env(safe-area-inset-bottom)"
      bg="glass"
      backdropFilter="blur(12px)"
      borderTopWidth="1px"
      css={{ [withComposer]: { display: 'none' } }}
    >
      {bottomLinks.map((link) => (
        <Item
          key={link.to}
          to={link.to}
          aria-current={isCurrent(link) ? 'page' : undefined}
          aria-label={t(link.label)}
        >
          <link.icon />
        </Item>
      ))}
      {postScreens.some((path) => matchPath(path, pathname)) && (
        <ComposeButton type="button" aria-label={t`New post`} onClick={openComposer}>
          <PlusIcon />
        </ComposeButton>
      )}
    </Box>
  )
}

import { Box, chakra } from '@chakra-ui/react'
import { Link, matchPath, useLocation } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { PlusIcon } from '@/ui/icons'
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

const Compose = chakra('button', {
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

/** The screens with posts. Elsewhere one comes for something else, and the button would lie on what a row can do. */
const withPosts = [
  paths.home.path,
  paths.discover.path,
  paths.saved.path,
  paths.profile.path,
  paths.post.path,
  paths.topic.path,
]

/** One's own profile is also current under one's name or id, as links to people have it. */
function useIsCurrent() {
  const { pathname } = useLocation()
  const { user } = useCurrentUser()
  const shown = matchPath(paths.profile.path, pathname)?.params.identifier?.toLowerCase()
  const own = user && [user.handle, user.username, user.id].some((name) => name.toLowerCase() === shown)
  return (link: NavigationLink) =>
    link.to === paths.profile.getHref() && shown !== undefined
      ? own
      : matchPath({ path: link.to, end: link.end ?? false }, pathname) !== null
}

/** The phone's navigation, and above it the compose button where the thumb is. */
export function BottomBar() {
  const { pathname } = useLocation()
  const isCurrent = useIsCurrent()
  return (
    <Box
      as="nav"
      aria-label="Main"
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
    >
      {bottomLinks.map((link) => (
        <Item
          key={link.to}
          to={link.to}
          aria-current={isCurrent(link) ? 'page' : undefined}
          aria-label={link.label}
        >
          <link.icon />
        </Item>
      ))}
      {withPosts.some((path) => matchPath(path, pathname)) && (
        <Compose type="button" aria-label="New post" onClick={openComposer}>
          <PlusIcon />
        </Compose>
      )}
    </Box>
  )
}

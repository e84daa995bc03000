import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { Link, matchPath, useLocation } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { PlusIcon } from '@/ui/icons'
import { withCommentDock, withComposer } from '@/ui/toaster'
import { hiddenBarStyle } from './hidden-bars'
import { bottomLinks, type NavigationLink } from './navigation-links'
import { openComposer } from './quick-dialogs'

const Bar = chakra('nav', {
  base: {
    position: 'fixed',
    insetInline: '0',
    bottom: '0',
    zIndex: 'sticky',
    display: 'flex',
    paddingInline: '2',
    paddingBottom: 'env(safe-area-inset-bottom)',
    bg: 'bg',
    borderTopWidth: '1px',
    ...hiddenBarStyle('100%'),
    [`${withCommentDock}, ${withComposer}`]: { display: 'none' },
  },
})

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
    display: 'grid',
    placeItems: 'center',
    width: 'target',
    height: 'target',
    borderRadius: 'full',
    // Not ember, because a screen has at most one ember button.
    bg: 'inverse',
    color: 'onInverse',
    fontSize: '2xl',
    cursor: 'pointer',
  },
})

/**
 * Returns a function that checks whether a link is current. The profile link is current at any URL of the user's own
 * profile.
 */
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

/** The bottom navigation on phones. It contains the compose button, so that the button never covers a post. */
export function BottomBar() {
  const isCurrent = useIsCurrent()
  return (
    <Bar aria-label={t`Main`} hideFrom="md">
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
      <Box flex="1" display="grid" placeItems="center">
        <ComposeButton type="button" aria-label={t`New post`} onClick={openComposer}>
          <PlusIcon />
        </ComposeButton>
      </Box>
    </Bar>
  )
}

import { Box, chakra } from '@chakra-ui/react'
import { NavLink, useLocation } from 'react-router-dom'
import { paths } from '@/paths'
import { PlusIcon } from '@/ui/icons'
import { bottomLinks } from './links'
import { useCompose } from './useCompose'

const Item = chakra(NavLink, {
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

/** The phone's navigation, and above it the compose button where the thumb is. */
export function BottomBar() {
  const compose = useCompose()
  const { pathname } = useLocation()
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
        <Item key={link.to} to={link.to} end={link.end} aria-label={link.label}>
          <link.icon />
        </Item>
      ))}
      {/* On messages one writes in the very place of this button. */}
      {pathname !== paths.messages.path && (
        <Compose type="button" aria-label="New post" onClick={compose}>
          <PlusIcon />
        </Compose>
      )}
    </Box>
  )
}

import { Box, chakra } from '@chakra-ui/react'
import { Fragment } from 'react'
import { NavLink } from 'react-router-dom'
import { useCurrentUser } from '@/lib/session'
import { PlusIcon } from '@/ui/icons'
import { bottomLinks } from './links'
import { useCompose } from './useCompose'

const cell = {
  flex: '1',
  height: 'bottomBar',
  display: 'grid',
  placeItems: 'center',
  fontSize: '1.625rem',
  color: 'muted',
  borderRadius: 'sm',
  '&[aria-current=page]': { color: 'ember.text' },
  _focusVisible: { outlineOffset: '-4px' },
} as const
const Item = chakra(NavLink, { base: cell })
const Compose = chakra('button', { base: { ...cell, cursor: 'pointer', color: 'ember.on' } })

/** The phone's navigation, with the compose button where the thumb is. */
export function BottomBar() {
  const { user } = useCurrentUser()
  const compose = useCompose()
  const links = bottomLinks(user?.handle)
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
      {links.map((link, index) => (
        <Fragment key={link.label}>
          {index === links.length / 2 && (
            <Compose type="button" aria-label="New post" onClick={compose}>
              <Box
                bg="ember.solid"
                borderRadius="full"
                width="target"
                height="target"
                display="grid"
                placeItems="center"
              >
                <PlusIcon />
              </Box>
            </Compose>
          )}
          <Item to={link.to} end={link.end} aria-label={link.label}>
            <link.icon />
          </Item>
        </Fragment>
      ))}
    </Box>
  )
}

import { Box, chakra } from '@chakra-ui/react'
import { NavLink } from 'react-router-dom'
import { useCurrentUser } from '@/lib/session'
import { Button } from '@/ui/Button'
import { PlusIcon } from '@/ui/icons'
import { sideLinks } from './links'
import { useCompose } from './useCompose'

const Item = chakra(NavLink, {
  base: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: { base: 'center', xl: 'flex-start' },
    gap: '4',
    minHeight: '12',
    paddingInline: { base: '0', xl: '4' },
    borderRadius: 'full',
    color: 'muted',
    fontSize: 'lg',
    fontWeight: 'medium',
    transition: 'background-color {durations.fast}, color {durations.fast}',
    '& svg': { fontSize: '2xl' },
    _hover: { bg: 'hover', color: 'text' },
    '&[aria-current=page]': { color: 'text', fontWeight: 'semibold', '& svg': { color: 'ember.text' } },
  },
})

/** Labels stand beside the icons from 1200 px; below, they are read out and shown on hover. */
const Label = chakra('span', { base: { srOnly: { base: true, xl: false } } })

/** The side navigation, from 768 px. */
export function Navigation() {
  const { user } = useCurrentUser()
  const compose = useCompose()
  return (
    <Box
      as="nav"
      aria-label="Main"
      hideBelow="md"
      position="sticky"
      top="header"
      alignSelf="start"
      paddingTop="5"
      display="flex"
      flexDirection="column"
      gap="1"
    >
      {sideLinks(user?.handle).map((link) => (
        <Item key={link.label} to={link.to} end={link.end} title={link.label}>
          <link.icon />
          <Label>{link.label}</Label>
        </Item>
      ))}
      <Button
        variant="ember"
        marginTop="4"
        paddingInline="0"
        minHeight="12"
        title="New post"
        onClick={compose}
      >
        <Box fontSize="xl">
          <PlusIcon />
        </Box>
        <Label>New post</Label>
      </Button>
    </Box>
  )
}

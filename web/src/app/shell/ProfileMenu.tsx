import { Box, chakra } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import { Link } from 'react-router-dom'
import { openUpgradeDialog, useNeedsCreatorPro } from '@/billing/creator-pro'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { signOut } from '@/session/session'
import { Avatar } from '@/ui/Avatar'
import { type ColorMode, colorModes, useColorMode } from '@/ui/color-mode'
import {
  FlagIcon,
  LockIcon,
  LogOutIcon,
  MoonIcon,
  PersonIcon,
  ScreenIcon,
  SettingsIcon,
  SparkIcon,
  SunIcon,
} from '@/ui/icons'
import { Menu, MenuChoice, MenuItem, MenuLink, MenuSeparator } from '@/ui/Menu'
import { useMinWidth } from '@/ui/useMinWidth'
import { menuLinks, type NavigationLink } from './navigation-links'

const Trigger = chakra('button', {
  base: {
    display: 'grid',
    placeItems: 'center',
    width: 'target',
    height: 'target',
    borderRadius: 'full',
    cursor: 'pointer',
  },
})

const modes: Record<ColorMode, { label: string; icon: React.ReactNode }> = {
  system: { label: 'As the system', icon: <ScreenIcon /> },
  light: { label: 'Light', icon: <SunIcon /> },
  dark: { label: 'Dark', icon: <MoonIcon /> },
}

/** The button of one's own corner. */
export const accountMenuButton = () => document.querySelector<HTMLElement>('[data-account]')

/** One's own corner: profile, settings, colours, the way out; on a phone, what the bottom bar has no room for. */
export function ProfileMenu({ user }: { user: OwnUser }) {
  const { mode, setMode } = useColorMode()
  const hasSidebar = useMinWidth('md')
  return (
    <Menu
      label="Account"
      trigger={
        <Trigger type="button" data-account aria-label={`Account of ${displayName(user)}`}>
          <Avatar person={{ ...user, isCreator: false }} size="sm" />
        </Trigger>
      }
    >
      <MenuLink value="profile">
        <Link to={paths.profile.getHref(user.handle)}>
          <PersonIcon /> Profile
        </Link>
      </MenuLink>
      <MenuLink value="settings">
        <Link to={paths.settings.getHref()}>
          <SettingsIcon /> Settings
        </Link>
      </MenuLink>
      <MenuLink value="safety">
        <Link to={paths.safety.getHref()}>
          <FlagIcon /> Safety
        </Link>
      </MenuLink>
      <MenuSeparator />
      {!hasSidebar && <PhoneLinks user={user} />}
      <MenuChoice
        label="Appearance"
        value={mode}
        onChange={(value) => {
          const chosen = colorModes.find((known) => known === value)
          if (chosen) setMode(chosen)
        }}
        options={colorModes.map((value) => ({ value, ...modes[value] }))}
      />
      <MenuSeparator />
      <MenuItem value="log-out" onSelect={() => void signOut()}>
        <LogOutIcon /> Log out
      </MenuItem>
    </Menu>
  )
}

function PhoneLinks({ user }: { user: OwnUser }) {
  const mustPay = useNeedsCreatorPro()
  return (
    <>
      {menuLinks(user).map((link) => (
        <MenuLink key={link.to} value={link.to}>
          <Link to={link.to}>
            <link.icon />
            <Labelled link={link} />
          </Link>
        </MenuLink>
      ))}
      {!user.isCreator && mustPay && (
        <MenuItem value="creator-pro" onSelect={() => openUpgradeDialog(accountMenuButton)}>
          <SparkIcon /> Upgrade to Creator Pro
        </MenuItem>
      )}
      {!user.isCreator && !mustPay && (
        <MenuLink value="creator-pro">
          <Link to={paths.settings.getHref('profile')}>
            <SparkIcon /> Upgrade to Creator Pro
          </Link>
        </MenuLink>
      )}
      <MenuSeparator />
    </>
  )
}

/** There is room for the reason of a lock, so it needs no tooltip. */
function Labelled({ link }: { link: NavigationLink }) {
  if (!link.locked) return link.label
  return (
    <>
      <Box as="span" flex="1" paddingBlock="1.5" maxWidth="14rem">
        {link.label}
        <Box as="span" display="block" textStyle="caption" color="muted">
          {link.locked}
        </Box>
      </Box>
      <Box as="span" css={{ '& svg': { color: 'gold.text', fontSize: 'lg' } }}>
        <LockIcon />
      </Box>
    </>
  )
}

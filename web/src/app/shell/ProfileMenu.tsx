import { Box, chakra } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { openUpgradeDialog, useNeedsCreatorPro } from '@/billing/creator-pro'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { type SignOutLoss, signOut, useSignOutConfirmation } from '@/session/session'
import { Avatar } from '@/ui/Avatar'
import { type ColorMode, colorModes, useColorMode } from '@/ui/color-mode'
import { ConfirmDialog } from '@/ui/Dialog'
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

const colorModeOptions: Record<ColorMode, { label: string; icon: React.ReactNode }> = {
  system: { label: 'As the system', icon: <ScreenIcon /> },
  light: { label: 'Light', icon: <SunIcon /> },
  dark: { label: 'Dark', icon: <MoonIcon /> },
}

/** Returns the button that opens the menu, which gets the focus after a dialog opened from the menu closes. */
const findMenuButton = () => document.querySelector<HTMLElement>('[data-account]')

/** The account menu: profile, settings, color mode and sign-out, and on phones the links that the bottom bar lacks. */
export function ProfileMenu({ user }: { user: OwnUser }) {
  const { mode, setMode } = useColorMode()
  const hasSidebar = useMinWidth('md')
  return (
    <Menu
      label="Account"
      trigger={
        <Trigger type="button" data-account aria-label={`Account of ${displayName(user)}`}>
          <Avatar user={{ ...user, isCreator: false }} size="sm" />
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
          const selected = colorModes.find((colorMode) => colorMode === value)
          if (selected) setMode(selected)
        }}
        options={colorModes.map((value) => ({ value, ...colorModeOptions[value] }))}
      />
      <MenuSeparator />
      <MenuItem value="log-out" onSelect={() => void signOut()}>
        <LogOutIcon /> Log out
      </MenuItem>
    </Menu>
  )
}

function PhoneLinks({ user }: { user: OwnUser }) {
  const needsCreatorPro = useNeedsCreatorPro()
  return (
    <>
      {menuLinks(user).map((link) => (
        <MenuLink key={link.to} value={link.to}>
          <Link to={link.to}>
            <link.icon />
            <LinkLabel link={link} />
          </Link>
        </MenuLink>
      ))}
      {!user.isCreator && needsCreatorPro && (
        <MenuItem value="creator-pro" onSelect={() => openUpgradeDialog(findMenuButton)}>
          <SparkIcon /> Upgrade to Creator Pro
        </MenuItem>
      )}
      {!user.isCreator && !needsCreatorPro && (
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

/** Shows the reason of a locked link below its label instead of in a tooltip. */
function LinkLabel({ link }: { link: NavigationLink }) {
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

/** Asks for confirmation if signing out would delete unsent messages or unsaved changes, which only this browser has. */
export function SignOutDialog() {
  const { loss, answer } = useSignOutConfirmation()
  // Keeps the text while the dialog closes.
  const [lastLoss, setLastLoss] = useState<SignOutLoss>({ unsentMessages: 0, unsavedChanges: false })
  if (loss && loss !== lastLoss) setLastLoss(loss)
  return (
    <ConfirmDialog
      open={loss !== null}
      onClose={() => answer(false)}
      onConfirm={() => answer(true)}
      {...signOutTexts(lastLoss)}
      confirmLabel="Log out"
      // The menu item that opened the dialog no longer exists.
      finalFocus={findMenuButton}
    />
  )
}

function signOutTexts({ unsentMessages, unsavedChanges }: SignOutLoss): { title: string; text: string } {
  const unsaved = 'Changes to your profile are not saved.'
  if (unsentMessages === 0) {
    return { title: 'Log out with unsaved changes?', text: `${unsaved} They will be lost.` }
  }
  const [subject, pronoun] =
    unsentMessages === 1 ? ['A message has', 'It'] : [`${unsentMessages} messages have`, 'They']
  return {
    title: 'Log out with unsent messages?',
    text: `${subject} not been sent yet. ${unsavedChanges ? `${unsaved} All of it` : pronoun} will be lost.`,
  }
}

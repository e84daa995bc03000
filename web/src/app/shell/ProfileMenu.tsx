import { Box, chakra } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { openUpgradeDialog } from '@/billing/creator-pro'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { type SignOutLoss, signOut, useSignOutConfirmation } from '@/session/session'
import { Avatar } from '@/ui/Avatar'
import { colorModes, useColorMode } from '@/ui/color-mode'
import { colorModeOptions } from '@/ui/color-mode-options'
import { ConfirmDialog } from '@/ui/Dialog'
import { FlagIcon, LockIcon, LogOutIcon, PersonIcon, SettingsIcon, SparkIcon } from '@/ui/icons'
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

/** Returns the button that opens the menu. It receives focus when a dialog that was opened from the menu closes. */
const findMenuButton = () => document.querySelector<HTMLElement>('[data-account]')

/**
 * The account menu: profile, settings, safety, color mode and sign-out, and on phones the links that the bottom bar
 * lacks.
 */
export function ProfileMenu({ user }: { user: OwnUser }) {
  const { mode, setMode } = useColorMode()
  const hasSidebar = useMinWidth('md')
  const name = displayName(user)
  return (
    <Menu
      label={t`Account`}
      trigger={
        <Trigger type="button" data-account aria-label={t`Account menu for ${name}`}>
          <Avatar user={{ ...user, isCreator: false }} size="sm" />
        </Trigger>
      }
    >
      <MenuLink value="profile">
        <Link to={paths.profile.getHref(user.handle)}>
          <PersonIcon /> <Trans>Profile</Trans>
        </Link>
      </MenuLink>
      <MenuLink value="settings">
        <Link to={paths.settings.getHref()}>
          <SettingsIcon /> <Trans>Settings</Trans>
        </Link>
      </MenuLink>
      <MenuLink value="safety">
        <Link to={paths.safety.getHref()}>
          <FlagIcon /> <Trans>Safety</Trans>
        </Link>
      </MenuLink>
      <MenuSeparator />
      {!hasSidebar && <PhoneLinks user={user} />}
      <MenuChoice
        label={t`Theme`}
        value={mode}
        onChange={(value) => {
          const selected = colorModes.find((colorMode) => colorMode === value)
          if (selected) setMode(selected)
        }}
        options={colorModes.map((value) => {
          const { label, icon } = colorModeOptions[value]
          return { value, label: t(label), icon }
        })}
      />
      <MenuSeparator />
      <MenuItem value="log-out" onSelect={() => void signOut()}>
        <LogOutIcon /> <Trans>Log out</Trans>
      </MenuItem>
    </Menu>
  )
}

function PhoneLinks({ user }: { user: OwnUser }) {
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
      {!user.isCreator && (
        <MenuItem value="creator-pro" onSelect={() => openUpgradeDialog(findMenuButton)}>
          <SparkIcon /> <Trans>Upgrade to Creator Pro</Trans>
        </MenuItem>
      )}
      <MenuSeparator />
    </>
  )
}

/** Shows a link's label and, if the link is locked, the reason below it. Phones cannot show the reason in a tooltip. */
function LinkLabel({ link }: { link: NavigationLink }) {
  if (!link.lockReason) return t(link.label)
  return (
    <>
      <Box as="span" flex="1" paddingBlock="1.5" maxWidth="14rem">
        {t(link.label)}
        <Box as="span" display="block" textStyle="caption" color="muted">
          {t(link.lockReason)}
        </Box>
      </Box>
      <Box as="span" css={{ '& svg': { color: 'gold.text', fontSize: 'lg' } }}>
        <LockIcon />
      </Box>
    </>
  )
}

/** Asks for confirmation if signing out would delete unsent messages or unsaved changes from this browser. */
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
      confirmLabel={t`Log out`}
      // The menu item that opened the dialog no longer exists.
      finalFocus={findMenuButton}
    />
  )
}

function signOutTexts({ unsentMessages, unsavedChanges }: SignOutLoss): { title: string; text: string } {
  if (unsentMessages === 0) {
    return { title: t`Log out with unsaved changes?`, text: t`Your unsaved changes will be lost.` }
  }
  return {
    title: t`Log out with unsent messages?`,
    text: unsavedChanges
      ? t`${plural(unsentMessages, {
          one: '# message has not been sent yet. It will be lost, and so will your unsaved changes.',
          other: '# messages have not been sent yet. They will be lost, and so will your unsaved changes.',
        })}`
      : t`${plural(unsentMessages, {
          one: '# message has not been sent yet. It will be lost.',
          other: '# messages have not been sent yet. They will be lost.',
        })}`,
  }
}

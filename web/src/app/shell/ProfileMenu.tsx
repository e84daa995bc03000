import { chakra } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import { Link } from 'react-router-dom'
import { signOut } from '@/lib/session'
import { paths } from '@/paths'
import { Avatar } from '@/ui/Avatar'
import { type ColorMode, colorModes, useColorMode } from '@/ui/color-mode'
import { LogOutIcon, MoonIcon, PersonIcon, ScreenIcon, SunIcon } from '@/ui/icons'
import { Menu, MenuChoice, MenuItem, MenuLink, MenuSeparator } from '@/ui/Menu'

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

/** One's own corner: profile, colours, the way out. */
export function ProfileMenu({ user }: { user: OwnUser }) {
  const { mode, setMode } = useColorMode()
  return (
    <Menu
      label="Account"
      trigger={
        <Trigger type="button" aria-label={`Account of ${user.displayName}`}>
          <Avatar person={{ ...user, isCreator: false }} size="sm" />
        </Trigger>
      }
    >
      <MenuLink value="profile">
        <Link to={paths.profile.getHref(user.handle)}>
          <PersonIcon /> Profile
        </Link>
      </MenuLink>
      <MenuSeparator />
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

import type { ReactNode } from 'react'
import { paths } from '@/paths'
import { HomeIcon, MessageIcon, PersonIcon, SearchIcon } from '@/ui/icons'

export type ShellLink = {
  to: string
  label: string
  icon: (props: { filled?: boolean }) => ReactNode
  /** Current on this address alone, not on those below it. */
  end?: boolean
}

const home: ShellLink = { to: paths.home.getHref(), label: 'Home Feed', icon: HomeIcon, end: true }
const messages: ShellLink = { to: paths.messages.getHref(), label: 'Messages', icon: MessageIcon }
const search: ShellLink = { to: paths.search.getHref(), label: 'Search', icon: SearchIcon }
/** One's own profile has its username in the address, as everybody else's link to it has. */
const profile = (handle: string | undefined): ShellLink => ({
  to: paths.profile.getHref(handle),
  label: 'Profile',
  icon: PersonIcon,
})

/** Only screens that exist are linked. */
export const sideLinks = (handle?: string): ShellLink[] => [home, messages, profile(handle)]
/** Two on each side of the compose button. */
export const bottomLinks = (handle?: string): ShellLink[] => [home, search, messages, profile(handle)]

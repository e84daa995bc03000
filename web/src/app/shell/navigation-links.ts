import type { OwnUser } from '@contract/user.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { paths } from '@/lib/paths'
import {
  BookmarkIcon,
  ChartIcon,
  CoinIcon,
  CompassIcon,
  HomeIcon,
  MessageIcon,
  PeopleIcon,
  PersonIcon,
  SettingsIcon,
  ShieldIcon,
  StarIcon,
} from '@/ui/icons'

export type NavigationLink = {
  to: string
  label: MessageDescriptor
  icon: (props: { filled?: boolean }) => ReactNode
  /** The link is current only at exactly this path, not at paths below it. */
  end?: boolean
  /** Why the link is locked. Undefined if it is not. */
  lockReason?: MessageDescriptor
}

const home: NavigationLink = { to: paths.home.getHref(), label: msg`Home Feed`, icon: HomeIcon, end: true }
const discover: NavigationLink = { to: paths.discover.getHref(), label: msg`Discover`, icon: CompassIcon }
const topUsers: NavigationLink = { to: paths.creators.getHref(), label: msg`Top Users`, icon: StarIcon }
const following: NavigationLink = { to: paths.following.getHref(), label: msg`Following`, icon: PeopleIcon }
const saved: NavigationLink = { to: paths.saved.getHref(), label: msg`Saved`, icon: BookmarkIcon }
const messages: NavigationLink = { to: paths.messages.getHref(), label: msg`Messages`, icon: MessageIcon }
const settings: NavigationLink = { to: paths.settings.getHref(), label: msg`Settings`, icon: SettingsIcon }
const admin: NavigationLink = { to: paths.admin.getHref(), label: msg`Admin Panel`, icon: ShieldIcon }
const profile: NavigationLink = {
  to: paths.profile.getHref(),
  label: msg`Profile`,
  icon: PersonIcon,
  end: true,
}

type Viewer = Pick<OwnUser, 'isCreator' | 'isAdmin' | 'hasEarned'> | null

export const mainLinks: NavigationLink[] = [home, discover, topUsers, following, saved, messages]

/** Returns the links to creator tools, which are locked for non-creators. */
export const creatorLinks = (viewer: Viewer): NavigationLink[] => [
  {
    to: paths.analytics.getHref(),
    label: msg`Analytics`,
    icon: ChartIcon,
    lockReason:
      viewer && !viewer.isCreator ? msg`Creator Pro feature - Upgrade to access analytics` : undefined,
  },
  {
    to: paths.earnings.getHref(),
    label: msg`Earnings`,
    icon: CoinIcon,
    // Former creators keep access to their balance.
    lockReason:
      viewer && !viewer.isCreator && !viewer.hasEarned
        ? msg`Creator Pro feature - Upgrade to access earnings`
        : undefined,
  },
]

/** Returns the links to the settings and, for admins, the admin panel. */
export const accountLinks = (viewer: Viewer): NavigationLink[] => [
  settings,
  ...(viewer?.isAdmin ? [admin] : []),
]

export const bottomLinks: NavigationLink[] = [home, discover, following, saved, profile]

/** Returns the links that phones show in the account menu, which already contains the settings. */
export const menuLinks = (viewer: Viewer): NavigationLink[] => [
  topUsers,
  ...creatorLinks(viewer),
  ...accountLinks(viewer).filter((link) => link !== settings),
]

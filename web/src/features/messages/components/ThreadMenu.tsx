import type { UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { conversationName } from '@/lib/text'
import { BlockUserDialog } from '@/moderation/components/BlockUserDialog'
import { ReportMenuItems } from '@/moderation/components/ReportMenuItems'
import { IconButton } from '@/ui/IconButton'
import { BanIcon, MoreIcon, PersonIcon } from '@/ui/icons'
import { Menu, MenuItem, MenuLink } from '@/ui/Menu'

/** The menu of the open conversation: to view the other user's profile, to report them or to block them. */
export function ThreadMenu({ user }: { user: UserCard }) {
  const [isBlockDialogOpen, setBlockDialogOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const name = conversationName(user)
  const { handle } = user
  const finalFocus = () => trigger.current
  return (
    <>
      <Menu
        label={t`More about ${name}`}
        trigger={
          <IconButton ref={trigger} label={t`More about ${name}`} tooltip={false} marginInlineEnd="-3">
            <MoreIcon />
          </IconButton>
        }
      >
        <MenuLink value="profile">
          <Link to={paths.profile.getHref(handle)}>
            <PersonIcon /> {t`View profile`}
          </Link>
        </MenuLink>
        <ReportMenuItems subject={{ kind: 'user', id: user.id, user: { id: user.id, name }, finalFocus }} />
        <MenuItem value="block" danger onSelect={() => setBlockDialogOpen(true)}>
          <BanIcon /> {t`Block @${handle}`}
        </MenuItem>
      </Menu>
      <BlockUserDialog
        user={user}
        name={name}
        open={isBlockDialogOpen}
        onClose={() => setBlockDialogOpen(false)}
        finalFocus={finalFocus}
      />
    </>
  )
}

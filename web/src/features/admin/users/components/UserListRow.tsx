import { Box, chakra } from '@chakra-ui/react'
import type { AdminUser } from '@contract/admin.ts'
import { memo } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { Avatar } from '@/ui/Avatar'
import { useAdminAction } from '../admin-actions'
import { AutoPostingPanel } from './AutoPostingPanel'
import { UserActions } from './UserActions'
import { UserBadges } from './UserBadges'
import type { UserDialogKind } from './UserDialogs'
import { UserFacts } from './UserFacts'

/** Told with whom something is to be done, what, and what was pressed for it. */
export type OpenUserDialog = (person: AdminUser, action: UserDialogKind, from: HTMLElement) => void

/** Drawn only near the window, so that hundreds of people scroll like ten. */
const Row = chakra('li', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'auto minmax(0, 1fr)',
    columnGap: '4',
    paddingInline: { base: '4', md: '5' },
    paddingBlock: '5',
    borderTopWidth: '1px',
    contentVisibility: 'auto',
    containIntrinsicSize: 'auto 13rem',
    _focusVisible: { outlineOffset: '-2px' },
  },
})

const NameLink = chakra(Link, {
  base: { minWidth: '0', overflowWrap: 'anywhere', _hover: { textDecoration: 'underline' } },
})

/**
 * One account: who it is, how it stands, and what can be done with it. Kept as it is while its person is.
 *
 * @param needsApproval new accounts are read-only here until they are approved
 */
export const UserListRow = memo(function PersonCard({
  person,
  needsApproval,
  onAsk,
}: {
  person: AdminUser
  needsApproval: boolean
  onAsk: OpenUserDialog
}) {
  const name = displayName(person)
  const deeds = useAdminAction(person.id)
  const ask = (action: UserDialogKind, from: HTMLElement) => onAsk(person, action, from)
  const hasPanel = !person.isAdmin && (person.isCreator || person.autoPostingEnabled)
  return (
    // Gets the focus when what was pressed in it goes.
    <Row tabIndex={-1}>
      <Avatar person={{ ...person, displayName: name }} />
      <Box minWidth="0">
        <Box display="flex" flexWrap="wrap" alignItems="center" columnGap="2" rowGap="1.5">
          <Box as="h3" textStyle="label" minWidth="0">
            <NameLink to={paths.profile.getHref(person.handle)}>
              <bdi>{name}</bdi>
            </NameLink>
          </Box>
          <UserBadges person={person} needsApproval={needsApproval} />
        </Box>
        <Box textStyle="small" color="muted" overflowWrap="anywhere">
          @{person.username}
        </Box>
      </Box>
      <Box gridColumn={{ base: '1 / -1', sm: '2' }} minWidth="0">
        {person.readOnlyReason && (
          <Box textStyle="small" color="danger.text" marginTop="2" overflowWrap="anywhere">
            Read-only: <bdi>{person.readOnlyReason}</bdi>
          </Box>
        )}
        <UserFacts person={person} />
        {hasPanel && <AutoPostingPanel person={person} deeds={deeds} onAsk={ask} />}
        <UserActions person={person} deeds={deeds} onAsk={ask} />
      </Box>
    </Row>
  )
})

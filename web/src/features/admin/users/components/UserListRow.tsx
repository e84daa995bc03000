import { Box, chakra } from '@chakra-ui/react'
import type { AdminUser } from '@contract/admin.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { memo, useId, useRef, useState } from 'react'
import { formatCount } from '@/lib/format'
import { displayName } from '@/lib/text'
import { fullTime } from '@/lib/time'
import { readOnlyReasonText } from '@/moderation/read-only'
import { Avatar } from '@/ui/Avatar'
import { Badge } from '@/ui/Badge'
import { lineTarget, TextLink, VisuallyHidden } from '@/ui/layout'
import { RowCheckbox } from '@/ui/RadioGroup'
import { useRestoreFocus } from '@/ui/restore-focus'
import { CompactTimeAgo } from '@/ui/TimeAgo'
import { useMinWidth } from '@/ui/useMinWidth'
import { aboveRowButton, RowButton } from '../../components/RowButton'
import { useAdminAction } from '../api'
import { openReportsText, shortDate, tableColumns, userCasesHref } from '../model'
import { AutoPostingPanel } from './AutoPostingPanel'
import { UserActions } from './UserActions'
import { UserDetails } from './UserDetails'
import type { UserDialogKind } from './UserDialogs'

/** @param trigger the button that opens the dialog */
export type OpenUserDialog = (user: AdminUser, kind: UserDialogKind, trigger: HTMLElement) => void

/** Selects or deselects users. */
export type SelectUsers = (ids: readonly string[], isSelected: boolean) => void

/** `contentVisibility` skips the rendering of rows outside the viewport, which keeps long lists fast. */
const Row = chakra('div', {
  base: {
    position: 'relative',
    display: 'grid',
    alignItems: 'center',
    columnGap: '3',
    paddingInlineStart: { base: '4', md: '5' },
    paddingInlineEnd: { base: '2', md: '3' },
    paddingBlock: { base: '2', lg: '0.5' },
    minHeight: { base: '16', lg: '12' },
    borderTopWidth: '1px',
    contentVisibility: 'auto',
    containIntrinsicSize: { base: 'auto 4rem', lg: 'auto 3rem' },
    _hover: { bg: { lg: 'hover' } },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

/** A cell that fills the width of the row, below the other cells. */
const wideCell = { role: 'cell', gridColumn: '1 / -1', minWidth: '0' } as const

/**
 * Shows an account with its activity and actions. Clicking the row shows the details. Memoized, because the list can
 * be long.
 *
 * @param needsApproval whether new accounts are read-only until an admin approves them
 */
export const UserListRow = memo(function UserListRow({
  user,
  needsApproval,
  isSelected,
  onSelect,
  onOpenDialog,
}: {
  user: AdminUser
  needsApproval: boolean
  isSelected: boolean
  onSelect: SelectUsers
  onOpenDialog: OpenUserDialog
}) {
  const name = displayName(user)
  const adminAction = useAdminAction(user.id)
  const [isPanelOpen, setPanelOpen] = useState(false)
  const [isExpanded, setExpanded] = useState(false)
  const detailsId = useId()
  const row = useRef<HTMLDivElement>(null)
  // The pressed button was disabled during the action and may be gone, so the row takes the focus.
  useRestoreFocus(adminAction.pendingAction, (before) => (before === undefined ? null : row.current))
  const openDialog = (kind: UserDialogKind, trigger: HTMLElement) => onOpenDialog(user, kind, trigger)
  // On wide screens, the roles and the status have their own columns.
  const isWide = useMinWidth('lg')
  const isAwaitingApproval = needsApproval && !user.approvedAt && !user.isAdmin
  const hasPanel = !user.isAdmin && (user.isCreator || user.autoPostingEnabled)
  const readOnlyReason = hasReadableReason(user) && <bdi>{readOnlyReasonText(user)}</bdi>
  return (
    <Row
      ref={row}
      role="row"
      tabIndex={-1}
      gridTemplateColumns={{ base: 'auto minmax(0, 1fr) auto', lg: tableColumns(needsApproval) }}
      bg={isSelected ? 'ember.wash' : isExpanded ? 'hover' : undefined}
    >
      <Box role="cell" marginInlineStart="-3" marginInlineEnd={{ base: '-3', lg: '0' }} {...aboveRowButton}>
        {user.isAdmin ? (
          <Box width="target" />
        ) : (
          <RowCheckbox
            label={t`Select: ${name}`}
            checked={isSelected}
            onChange={(checked) => onSelect([user.id], checked)}
          />
        )}
      </Box>
      <Box role="cell" display="flex" alignItems="center" gap="3" minWidth="0">
        <Avatar user={{ ...user, displayName: name }} size="sm" />
        <Box minWidth="0">
          <Box display="flex" flexWrap="wrap" alignItems="center" columnGap="2" rowGap="1">
            <Box as="h3" textStyle="label" lineHeight="1.25rem" minWidth="0" maxWidth="full">
              <RowButton
                type="button"
                maxWidth="full"
                truncate
                aria-label={isExpanded ? t`Hide details of ${name}` : t`Show details of ${name}`}
                aria-expanded={isExpanded}
                aria-controls={isExpanded ? detailsId : undefined}
                onClick={() => setExpanded(!isExpanded)}
              >
                <bdi>{name}</bdi>
              </RowButton>
            </Box>
            {!isWide && (
              <Badges>
                <RoleBadges user={user} />
                <StatusBadge user={user} isAwaitingApproval={isAwaitingApproval} />
              </Badges>
            )}
          </Box>
          <Box textStyle="small" lineHeight="1.125rem" color="muted" truncate>
            <bdi dir="ltr">@{user.username}</bdi>
            <Box as="span" hideBelow="lg" {...aboveRowButton} title={user.email}>
              {' · '}
              {user.email}
            </Box>
          </Box>
          <PhoneActivity user={user} />
        </Box>
      </Box>
      {isWide && (
        <>
          <Badges role="cell">
            <RoleBadges user={user} />
            {!user.isAdmin && !user.isCreator && !user.autoPostingEnabled && <None />}
          </Badges>
          <Badges role="cell">
            <StatusBadge user={user} isAwaitingApproval={isAwaitingApproval} />
            {!isRestricted(user, isAwaitingApproval) && (
              <Box as="span" textStyle="small" color="muted">
                {t({ message: 'Active', context: 'user' })}
              </Box>
            )}
          </Badges>
        </>
      )}
      <ActivityCells user={user} />
      <Box
        role="cell"
        gridColumn={{ base: '3', lg: '8' }}
        gridRow="1"
        display="flex"
        alignItems="center"
        justifyContent="flex-end"
        {...aboveRowButton}
      >
        <UserActions
          user={user}
          isAwaitingApproval={isAwaitingApproval}
          panel={hasPanel ? { isOpen: isPanelOpen, toggle: () => setPanelOpen(!isPanelOpen) } : undefined}
          adminAction={adminAction}
          onOpenDialog={openDialog}
        />
      </Box>
      {isExpanded && (
        <Box {...wideCell} {...aboveRowButton} id={detailsId}>
          <UserDetails user={user} />
        </Box>
      )}
      {readOnlyReason && (
        <Box
          {...wideCell}
          {...aboveRowButton}
          textStyle="small"
          color="danger.text"
          overflowWrap="anywhere"
          marginBottom={{ lg: '2' }}
        >
          <Trans>Read-only: {readOnlyReason}</Trans>
        </Box>
      )}
      {hasPanel && isPanelOpen && (
        <Box {...wideCell} {...aboveRowButton} marginInlineEnd="2">
          <AutoPostingPanel user={user} adminAction={adminAction} onOpenDialog={openDialog} />
        </Box>
      )}
    </Row>
  )
})

/** On wide screens, shows how many posts and open reports an account has, and when it was created and last seen. */
function ActivityCells({ user: { id, createdAt, lastSeenAt, postCount, openCases } }: { user: AdminUser }) {
  const seen = lastSeenAt && <CompactTimeAgo at={lastSeenAt} />
  const numberCell = { role: 'cell', hideBelow: 'lg', textStyle: 'small', textAlign: 'end' } as const
  return (
    <>
      <Box {...numberCell} color="muted" fontVariantNumeric="tabular-nums">
        {formatCount(postCount)}
      </Box>
      <Box {...numberCell} color="muted" fontVariantNumeric="tabular-nums">
        {openCases > 0 ? <OpenCasesLink userId={id} count={openCases} /> : formatCount(0)}
      </Box>
      <Box
        role="cell"
        hideBelow="lg"
        textStyle="small"
        lineHeight="1.125rem"
        color="muted"
        paddingInlineStart="4"
      >
        <Box as="time" {...aboveRowButton} {...{ dateTime: createdAt }} title={fullTime(createdAt)}>
          {shortDate(createdAt)}
        </Box>
        {seen && (
          <Box textStyle="caption" truncate>
            <Box as="span" {...aboveRowButton}>
              <Trans>Seen {seen}</Trans>
            </Box>
          </Box>
        )}
      </Box>
    </>
  )
}

/** Shows a dash for a missing value. */
function None() {
  return (
    <Box as="span" color="muted">
      <span aria-hidden>–</span>
      <VisuallyHidden>{t({ message: 'None', context: 'value' })}</VisuallyHidden>
    </Box>
  )
}

/** Shows the number of open reports about a user, linked to those reports. */
function OpenCasesLink({ userId, count }: { userId: string; count: number }) {
  return (
    <TextLink
      {...lineTarget}
      {...aboveRowButton}
      to={userCasesHref(userId)}
      fontWeight="semibold"
      display="inline-block"
      paddingInline="2"
      marginInline="-2"
      aria-label={openReportsText(count)}
    >
      {formatCount(count)}
    </TextLink>
  )
}

/** On phones, shows at most two of these: the number of open reports, the last visit and the join date. */
function PhoneActivity({ user: { createdAt, lastSeenAt, openCases } }: { user: AdminUser }) {
  const joined = <time dateTime={createdAt}>{shortDate(createdAt)}</time>
  const seen = lastSeenAt && <CompactTimeAgo at={lastSeenAt} />
  return (
    <Box hideFrom="lg" textStyle="caption" color="muted" marginTop="0.5">
      {openCases > 0 && (
        <>
          <Box as="span" color="ember.text" fontWeight="semibold">
            {openReportsText(openCases)}
          </Box>
          {' · '}
        </>
      )}
      {seen ? <Trans>Seen {seen}</Trans> : <Trans>Joined {joined}</Trans>}
      {seen && openCases === 0 && (
        <>
          {' · '}
          <Trans>Joined {joined}</Trans>
        </>
      )}
    </Box>
  )
}

/** The server's text for the reason that the 'Waiting for approval' badge already shows. */
const approvalReason = 'This account is waiting for approval.'

/**
 * Returns whether the reason says more than the badges. A reason without spaces is a code that means nothing to admins,
 * unless it is the reason for a suspension.
 */
const hasReadableReason = ({ readOnlyReason, suspension }: AdminUser): boolean =>
  Boolean(readOnlyReason && readOnlyReason !== approvalReason && (suspension || /\s/.test(readOnlyReason)))

/** A badge that is narrow enough to fit beside a name. */
const UserBadge = chakra(Badge, { base: { height: '5', paddingInline: '1.5' } })

const Badges = chakra('div', {
  base: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '1', minWidth: '0' },
})

/** Shows an account's roles. */
function RoleBadges({ user: { isAdmin, isCreator, autoPostingEnabled } }: { user: AdminUser }) {
  return (
    <>
      {isAdmin && <UserBadge tone="gold">{t`Admin`}</UserBadge>}
      {isCreator && <UserBadge tone="ember">{t`Creator`}</UserBadge>}
      {autoPostingEnabled && <UserBadge>{t`Auto-Post`}</UserBadge>}
    </>
  )
}

const isRestricted = ({ suspended, readOnlyReason }: AdminUser, isAwaitingApproval: boolean): boolean =>
  suspended || isAwaitingApproval || Boolean(readOnlyReason)

/** Shows why an account is restricted, if it is. */
function StatusBadge({ user, isAwaitingApproval }: { user: AdminUser; isAwaitingApproval: boolean }) {
  if (!isRestricted(user, isAwaitingApproval)) return null
  const { suspended, suspendedUntil } = user
  if (suspended) {
    const end = suspendedUntil && (
      <time dateTime={suspendedUntil} title={fullTime(suspendedUntil)}>
        {shortDate(suspendedUntil)}
      </time>
    )
    return (
      <>
        <UserBadge tone="danger">{t({ message: 'Suspended', context: 'user' })}</UserBadge>
        <Box as="span" textStyle="caption" color="muted">
          {end ? <Trans>until {end}</Trans> : t`until lifted`}
        </Box>
      </>
    )
  }
  if (isAwaitingApproval) {
    return <UserBadge tone="gold">{t`Waiting for approval`}</UserBadge>
  }
  return <UserBadge tone="danger">{t`Read-only`}</UserBadge>
}

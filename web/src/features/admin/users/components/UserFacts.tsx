import { Box, chakra } from '@chakra-ui/react'
import type { AdminUser } from '@contract/admin.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { displayName } from '@/lib/text'
import { fullTime } from '@/lib/time'
import { AtIcon, CalendarIcon, PhoneIcon } from '@/ui/icons'
import { shortDate } from '../model'

/** A cell of the table. On phones, it is a line below the badges. */
const Column = chakra('div', {
  base: {
    gridColumn: { base: '1 / -1', lg: 'auto' },
    display: { base: 'flex', lg: 'block' },
    flexWrap: 'wrap',
    columnGap: '4',
    minWidth: '0',
    textStyle: 'small',
    color: 'muted',
  },
})

/**
 * Shows the contact and the join date, which are the last two columns before the actions. Their values are in the
 * contract's `AdminUser`, which admin/user-presenter.ts builds. A new column also needs a place in `tableColumns`, in
 * the header and in `UserListSkeleton`.
 */
export function UserFacts({
  user: { email, phoneNumber, createdAt, approvedAt, approvedBy },
}: {
  user: AdminUser
}) {
  const approverName = approvedBy && <bdi>{displayName(approvedBy)}</bdi>
  const approver = approvedBy && displayName(approvedBy)
  const approvalTime = approvedAt && fullTime(approvedAt)
  const approvalDay = approvedAt && <time dateTime={approvedAt}>{shortDate(approvedAt)}</time>
  return (
    <>
      <Column role="cell">
        <Fact name={t`Email`} icon={<AtIcon />} title={email}>
          {email}
        </Fact>
        <Fact name={t`Phone`} icon={<PhoneIcon />}>
          {phoneNumber || t`No phone number`}
        </Fact>
      </Column>
      <Column role="cell">
        <Fact name={t`Joined`} icon={<CalendarIcon />} title={fullTime(createdAt)}>
          <Box as="span" hideFrom="lg">
            {t`Joined`}{' '}
          </Box>
          <time dateTime={createdAt}>{shortDate(createdAt)}</time>
        </Fact>
        {approvedAt && (
          <Fact
            name={t`Approved`}
            title={approver && approvalTime ? t`Approved by ${approver}, ${approvalTime}` : approvalTime}
          >
            {approverName ? <Trans>Approved by {approverName}</Trans> : <Trans>Approved {approvalDay}</Trans>}
          </Fact>
        )}
      </Column>
    </>
  )
}

/** Shows a value, with an icon on phones, where the columns have no header. */
function Fact({
  name,
  icon,
  title,
  children,
}: {
  name: string
  icon?: ReactNode
  title?: string | null
  children: ReactNode
}) {
  return (
    <Box
      display={{ base: 'inline-flex', lg: 'block' }}
      alignItems="center"
      gap="1.5"
      minWidth="0"
      overflowWrap="anywhere"
      truncate={{ lg: true }}
      title={title ?? name}
    >
      {icon && (
        <Box aria-hidden hideFrom="lg">
          {icon}
        </Box>
      )}
      <span>{children}</span>
    </Box>
  )
}

import { Box } from '@chakra-ui/react'
import type { AdminUser } from '@contract/admin.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { displayName } from '@/lib/text'
import { fullTime, longDate } from '@/lib/time'

/**
 * Shows the columns of the list. Their values are in the contract's `AdminUser`, which admin/user-presenter.ts builds. A
 * new column also needs a place in `UserListSkeleton`.
 */
export function UserFacts({ user }: { user: AdminUser }) {
  const { email, phoneNumber, createdAt, approvedAt, approvedBy } = user
  const approvalDate = approvedAt && (
    <time dateTime={approvedAt} title={fullTime(approvedAt)}>
      {longDate(approvedAt)}
    </time>
  )
  const approverName = approvedBy && <bdi>{displayName(approvedBy)}</bdi>
  return (
    <Box
      as="dl"
      display={{ base: 'flex', lg: 'grid' }}
      flexWrap="wrap"
      gridTemplateColumns="repeat(2, minmax(0, 1fr))"
      columnGap="4"
      marginTop={{ base: '1', lg: '0' }}
      textStyle="small"
      color="muted"
    >
      <Fact name={t`Email`} isNameHidden>
        <Box truncate={{ base: false, lg: true }} title={email}>
          {email}
        </Box>
      </Fact>
      <Fact name={t`Joined`}>
        <time dateTime={createdAt} title={fullTime(createdAt)}>
          {longDate(createdAt)}
        </time>
      </Fact>
      <Fact name={t`Phone`} isNameHidden={phoneNumber !== ''}>
        {phoneNumber || t`Not provided`}
      </Fact>
      {approvalDate && (
        <Fact name={t`Approved`}>
          {approverName ? (
            <Trans>
              {approvalDate} by {approverName}
            </Trans>
          ) : (
            approvalDate
          )}
        </Fact>
      )}
    </Box>
  )
}

/** Shows a fact with its name, which can be hidden if the value explains itself. */
function Fact({
  name,
  isNameHidden = false,
  children,
}: {
  name: string
  isNameHidden?: boolean
  children: ReactNode
}) {
  return (
    <Box position="relative" minWidth="0" overflowWrap="anywhere">
      <Box as="dt" display="inline" srOnly={isNameHidden}>
        {name}
      </Box>{' '}
      <Box as="dd" display="inline">
        {children}
      </Box>
    </Box>
  )
}

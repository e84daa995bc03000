import { Box, chakra } from '@chakra-ui/react'
import type { AdminUser } from '@contract/admin.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { displayName } from '@/lib/text'
import { fullTime } from '@/lib/time'
import { shortDate } from '../model'

/** A column of the list; on phones, lines below the name. */
const Column = chakra('dl', {
  base: {
    gridColumn: { base: '2 / -1', lg: 'auto' },
    display: { base: 'flex', lg: 'block' },
    flexWrap: 'wrap',
    columnGap: '3',
    minWidth: '0',
    textStyle: 'small',
    color: 'muted',
  },
})

/**
 * Shows the last two columns of the list. Their values are in the contract's `AdminUser`, which admin/user-presenter.ts
 * builds. A new column also needs a place in `tableColumns` and in `UserListSkeleton`.
 */
export function UserFacts({
  user: { email, phoneNumber, createdAt, approvedAt, approvedBy },
}: {
  user: AdminUser
}) {
  const approverName = approvedBy && <bdi>{displayName(approvedBy)}</bdi>
  return (
    <>
      <Column>
        <Fact name={t`Email`} isNameHidden title={email}>
          {email}
        </Fact>
        <Fact name={t`Phone`} isNameHidden={phoneNumber !== ''}>
          {phoneNumber || t`Not provided`}
        </Fact>
      </Column>
      <Column>
        <Fact name={t`Joined`} isNameHidden={{ base: false, lg: true }} title={fullTime(createdAt)}>
          <time dateTime={createdAt}>{shortDate(createdAt)}</time>
        </Fact>
        {approvedAt && (
          <Fact name={t`Approved`} isNameHidden={approverName !== null} title={fullTime(approvedAt)}>
            {approverName ? (
              <Trans>Approved by {approverName}</Trans>
            ) : (
              <time dateTime={approvedAt}>{shortDate(approvedAt)}</time>
            )}
          </Fact>
        )}
      </Column>
    </>
  )
}

/** Shows a fact with its name, which can be hidden if the value or the header of its column explains it. */
function Fact({
  name,
  isNameHidden,
  title,
  children,
}: {
  name: string
  isNameHidden: boolean | { base: false; lg: true }
  title?: string
  children: ReactNode
}) {
  return (
    <Box position="relative" minWidth="0" overflowWrap="anywhere" truncate={{ lg: true }} title={title}>
      <Box as="dt" display="inline" srOnly={isNameHidden}>
        {name}
      </Box>{' '}
      <Box as="dd" display="inline">
        {children}
      </Box>
    </Box>
  )
}

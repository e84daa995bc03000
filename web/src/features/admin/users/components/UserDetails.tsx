import { Box } from '@chakra-ui/react'
import type { AdminUser } from '@contract/admin.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { displayName } from '@/lib/text'
import { fullTime } from '@/lib/time'

/**
 * Shows the contact and the dates of an account, which a row has no space for. Their values are in the contract's
 * `AdminUser`, which admin/user-presenter.ts builds.
 */
export function UserDetails({
  user: { email, phoneNumber, createdAt, approvedAt, approvedBy },
}: {
  user: AdminUser
}) {
  const approverName = approvedBy && <bdi>{displayName(approvedBy)}</bdi>
  const approvalTime = approvedAt && <time dateTime={approvedAt}>{fullTime(approvedAt)}</time>
  return (
    <Box
      as="dl"
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', sm: 'repeat(auto-fill, minmax(12rem, 1fr))' }}
      columnGap="4"
      rowGap="2"
      marginTop="2"
      marginBottom={{ base: '1', lg: '3' }}
      textStyle="small"
    >
      <Detail name={t`Email`}>{email}</Detail>
      <Detail name={t`Phone`}>{phoneNumber || t`No phone number`}</Detail>
      <Detail name={t`Joined`}>
        <time dateTime={createdAt}>{fullTime(createdAt)}</time>
      </Detail>
      {approvalTime && (
        <Detail name={t`Approved`}>
          {approverName ? (
            <Trans>
              {approvalTime} by {approverName}
            </Trans>
          ) : (
            approvalTime
          )}
        </Detail>
      )}
    </Box>
  )
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Box as="dt" color="muted" textStyle="caption">
        {name}
      </Box>
      <Box as="dd" overflowWrap="anywhere">
        {children}
      </Box>
    </div>
  )
}

import { Box } from '@chakra-ui/react'
import type { AdminUser } from '@contract/admin.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { formatCount } from '@/lib/format'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { fullTime } from '@/lib/time'
import { lineTarget, TextLink } from '@/ui/layout'
import { userCasesHref } from '../model'

/**
 * Shows the details of an account that do not fit in its row: contact details, dates and links. They come from the
 * contract's `AdminUser`, which the API builds in admin/user-presenter.ts.
 */
export function UserDetails({
  user: {
    id,
    handle,
    email,
    phoneNumber,
    createdAt,
    lastSeenAt,
    postCount,
    openCases,
    approvedAt,
    approvedBy,
  },
}: {
  user: AdminUser
}) {
  const approverName = approvedBy && <bdi>{displayName(approvedBy)}</bdi>
  const approvalTime = approvedAt && <time dateTime={approvedAt}>{fullTime(approvedAt)}</time>
  return (
    <Box marginTop="2" marginBottom={{ base: '1', lg: '3' }} textStyle="small">
      <Box
        as="dl"
        display="grid"
        gridTemplateColumns={{
          base: 'repeat(2, minmax(0, 1fr))',
          sm: 'repeat(auto-fill, minmax(12rem, 1fr))',
        }}
        columnGap="4"
        rowGap="2"
      >
        <Detail name={t`Email`}>{email}</Detail>
        <Detail name={t`Phone`}>{phoneNumber || t`No phone number`}</Detail>
        <Detail name={t`Joined`}>
          <time dateTime={createdAt}>{fullTime(createdAt)}</time>
        </Detail>
        <Detail name={t`Last seen`}>
          {lastSeenAt ? <time dateTime={lastSeenAt}>{fullTime(lastSeenAt)}</time> : t`Not seen yet`}
        </Detail>
        <Detail name={t`Posts`}>{formatCount(postCount)}</Detail>
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
      <Box display="flex" columnGap="5" marginTop="3">
        <TextLink {...lineTarget} to={paths.profile.getHref(handle)}>
          {t`View profile`}
        </TextLink>
        {openCases > 0 && (
          <TextLink {...lineTarget} to={userCasesHref(id)}>
            {t`View reports`}
          </TextLink>
        )}
      </Box>
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

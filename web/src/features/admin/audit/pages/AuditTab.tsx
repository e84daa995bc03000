import { Box } from '@chakra-ui/react'
import type { AuditStatus } from '@contract/audit.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { errorMessage } from '@/lib/errors'
import { formatCount } from '@/lib/format'
import { Badge } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { copyText } from '@/ui/copy-text'
import { IconButton } from '@/ui/IconButton'
import { CopyIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { Loading, SkeletonText } from '@/ui/Skeleton'
import { InlineError } from '@/ui/states'
import { auditIntegrityQuery } from '../api'
import { AuditLog } from '../components/AuditLog'

/** Shows the audit log and an integrity check. */
export default function AuditTab() {
  return (
    <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={{ base: '2', md: '4' }}>
      <LogIntegrityCheck />
      <AuditLog />
    </Box>
  )
}

/** Shows whether the log is unchanged: the hash of each entry covers the entry and the previous entry's hash. */
function LogIntegrityCheck() {
  const id = useId()
  const { data, error, isError, isFetching, refetch } = useQuery(auditIntegrityQuery)
  return (
    <Card as="section" aria-labelledby={id} padding={{ base: '4', md: '5' }}>
      <Box display="flex" flexWrap="wrap" alignItems="center" gap="2.5">
        <Box as="h2" id={id} textStyle="title">
          {t`Log integrity`}
        </Box>
        {data && (
          <Badge tone={data.brokenAt === null ? 'success' : 'danger'}>
            {data.brokenAt === null ? t`Intact` : t`Broken`}
          </Badge>
        )}
        <Button
          variant="ghost"
          size="sm"
          marginInlineStart="auto"
          pending={isFetching}
          pendingLabel={t`Checking…`}
          onClick={() => void refetch()}
        >
          {t`Check again`}
        </Button>
      </Box>
      <Box role={data?.brokenAt ? 'alert' : 'status'} marginTop="1.5">
        {data && <ChainStatus {...data} />}
      </Box>
      {!data && isFetching && (
        <Loading label={t`Checking the log`}>
          <SkeletonText lines={2} />
        </Loading>
      )}
      {isError && !isFetching && (
        <InlineError
          text={errorMessage(error, t`Couldn't check the log. Try again.`)}
          onRetry={() => void refetch()}
        />
      )}
    </Card>
  )
}

function ChainStatus({ entries, lastHash, brokenAt }: AuditStatus) {
  const count = formatCount(entries)
  if (brokenAt !== null) {
    return (
      <Box textStyle="small" color="danger.text">
        <Trans>
          Broken at row {brokenAt} of {count}: this row was changed, or a row before it is missing. Compare
          the log with an export or a backup.
        </Trans>
      </Box>
    )
  }
  return (
    <>
      <Box textStyle="small" color="muted">
        {lastHash
          ? t`${plural(entries, {
              one: '# entry, unchanged. Last hash:',
              other: '# entries, all unchanged. Last hash:',
            })}`
          : t`No entries yet`}
      </Box>
      {lastHash && (
        <Box display="flex" alignItems="center" gap="1">
          <Box as="code" translate="no" fontFamily="mono" fontSize="sm" wordBreak="break-all" minWidth="0">
            {lastHash}
          </Box>
          <IconButton label={t`Copy last hash`} onClick={() => void copyText(lastHash)}>
            <CopyIcon />
          </IconButton>
        </Box>
      )}
      {lastHash && (
        <Box textStyle="caption" color="muted">
          <Trans>
            Save this hash somewhere else. It lets you check later that no entries were removed from the end.
          </Trans>
        </Box>
      )}
    </>
  )
}

import { Box } from '@chakra-ui/react'
import { type AdminCase, type CaseReport, reportReasons } from '@contract/moderation.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { errorMessage, translateServerText } from '@/lib/errors'
import { formatCount } from '@/lib/format'
import { fullTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Loading, SkeletonCircle, SkeletonText } from '@/ui/Skeleton'
import { InlineError } from '@/ui/states'
import { userTextParagraphs } from '@/ui/UserText'
import { UserAvatar, UserNameLink } from '../../components/UserNameLink'
import { userName } from '../../user-name'
import { caseQuery } from '../api'
import { SubjectAuthor } from './DecisionForm'

/** Shows who reported the subject of a case, with their reasons and notes. */
export function CaseDetailsDialog({
  moderationCase,
  open,
  onClose,
  finalFocus,
}: {
  moderationCase: AdminCase
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
}) {
  const details = useQuery({ ...caseQuery(moderationCase.id), enabled: open })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title={t`Reports`}
      description={
        <>
          <SubjectAuthor kind={moderationCase.kind} name={userName(moderationCase.person)} />{' '}
          {t`Only admins can see who reported it.`}
        </>
      }
      footer={
        <Button variant="outline" onClick={onClose}>
          {t`Close`}
        </Button>
      }
    >
      {details.data ? (
        <ReportList reports={details.data.reportList} count={details.data.reports} />
      ) : details.isError ? (
        <InlineError
          text={errorMessage(details.error, t`Couldn't load the reports. Try again.`)}
          onRetry={() => void details.refetch()}
        />
      ) : (
        <Loading label={t`Loading reports`} display="flex" gap="3" paddingBlock="3">
          <SkeletonCircle />
          <SkeletonText flex="1" />
        </Loading>
      )}
    </Dialog>
  )
}

function ReportList({ reports, count }: { reports: CaseReport[]; count: number }) {
  const shown = formatCount(reports.length)
  const total = formatCount(count)
  if (count === 0) {
    return (
      <Box paddingBlock="3" color="muted">
        {t`No reports. An admin opened this case.`}
      </Box>
    )
  }
  return (
    <>
      <Box as="ul" listStyleType="none">
        {reports.map((report) => (
          <ReportRow key={report.id} report={report} />
        ))}
      </Box>
      {reports.length < count && (
        <Box textStyle="small" color="muted" paddingBlock="3">
          {t`Showing the latest ${shown} of ${total} reports.`}
        </Box>
      )}
    </>
  )
}

function ReportRow({ report: { reporter, reason, note, createdAt } }: { report: CaseReport }) {
  return (
    <Box
      as="li"
      display="flex"
      gap="3"
      paddingBlock="3"
      borderTopWidth="1px"
      _first={{ borderTopWidth: '0' }}
    >
      <UserAvatar user={reporter} size="sm" />
      <Box minWidth="0" flex="1">
        <Box textStyle="label">
          <UserNameLink user={reporter} />
        </Box>
        <Box textStyle="small" color="muted">
          {translateServerText(reportReasons[reason])} ·{' '}
          <time dateTime={createdAt}>{fullTime(createdAt)}</time>
        </Box>
        {note && (
          <Box marginTop="1" whiteSpace="pre-wrap" overflowWrap="anywhere" {...userTextParagraphs}>
            {note}
          </Box>
        )}
      </Box>
    </Box>
  )
}

import { Box } from '@chakra-ui/react'
import { type AdminCase, type CaseReport, reportReasons } from '@contract/moderation.ts'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '@/lib/api'
import { displayName } from '@/lib/text'
import { fullTime } from '@/lib/time'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Loading, SkeletonCircle, SkeletonText } from '@/ui/Skeleton'
import { InlineError } from '@/ui/states'
import { userTextParagraphs } from '@/ui/UserText'
import { UserNameLink } from '../../components/UserNameLink'
import { caseQuery } from '../api'
import { deletedUserName, subjectKindNames } from '../model'

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
      title="Who reported it"
      description={
        <>
          {subjectKindNames[moderationCase.kind]} by{' '}
          <bdi>{displayName(moderationCase.person, deletedUserName)}</bdi>. Only admins see these names.
        </>
      }
      footer={
        <Button variant="outline" onClick={onClose}>
          Close
        </Button>
      }
    >
      {details.data ? (
        <ReportList reports={details.data.reportList} count={details.data.reports} />
      ) : details.isError ? (
        <InlineError
          text={errorMessage(details.error, 'The reports did not load.')}
          onRetry={() => void details.refetch()}
        />
      ) : (
        <Loading label="Loading reports" display="flex" gap="3" paddingBlock="3">
          <SkeletonCircle />
          <SkeletonText flex="1" />
        </Loading>
      )}
    </Dialog>
  )
}

function ReportList({ reports, count }: { reports: CaseReport[]; count: number }) {
  if (count === 0) {
    return (
      <Box paddingBlock="3" color="muted">
        Nobody reported it: an admin came across it.
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
          These are the latest {reports.length} of {count} reports.
        </Box>
      )}
    </>
  )
}

function ReportRow({ report: { reporter, reason, note, createdAt } }: { report: CaseReport }) {
  const name = displayName(reporter, deletedUserName)
  return (
    <Box
      as="li"
      display="flex"
      gap="3"
      paddingBlock="3"
      borderTopWidth="1px"
      _first={{ borderTopWidth: '0' }}
    >
      <Avatar
        user={reporter ? { ...reporter, displayName: name } : { displayName: name, profileImageUrl: null }}
        size="sm"
      />
      <Box minWidth="0" flex="1">
        <Box textStyle="label">
          <UserNameLink user={reporter} name={name} />
        </Box>
        <Box textStyle="small" color="muted">
          {reportReasons[reason]} · <time dateTime={createdAt}>{fullTime(createdAt)}</time>
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

import { Box } from '@chakra-ui/react'
import { type AdminCase, type CaseReport, reportReasons } from '@contract/moderation.ts'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '@/lib/api'
import { fullTime } from '@/lib/format'
import { displayName } from '@/lib/text'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Loading, SkeletonCircle, SkeletonText } from '@/ui/Skeleton'
import { InlineError } from '@/ui/states'
import { userTextParagraphs } from '@/ui/user-text-styles'
import { UserNameLink } from '../../components/UserNameLink'
import { caseQuery } from '../api'
import { deletedUserName, subjectKindNames } from '../model'

/** Who reported it, why, and what they said. */
export function CaseDetailsDialog({
  one,
  open,
  onClose,
  finalFocus,
}: {
  one: AdminCase
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
}) {
  const details = useQuery({ ...caseQuery(one.id), enabled: open })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title="Who reported it"
      description={
        <>
          {subjectKindNames[one.kind]} by <bdi>{displayName(one.person, deletedUserName)}</bdi>. Only admins
          see these names.
        </>
      }
      footer={
        <Button variant="outline" onClick={onClose}>
          Close
        </Button>
      }
    >
      {details.data ? (
        <Reports list={details.data.reportList} count={details.data.reports} />
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

function Reports({ list, count }: { list: CaseReport[]; count: number }) {
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
        {list.map((report) => (
          <Line key={report.id} report={report} />
        ))}
      </Box>
      {list.length < count && (
        <Box textStyle="small" color="muted" paddingBlock="3">
          These are the latest {list.length} of {count} reports.
        </Box>
      )}
    </>
  )
}

function Line({ report: { reporter, reason, note, createdAt } }: { report: CaseReport }) {
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
        person={reporter ? { ...reporter, displayName: name } : { displayName: name, profileImageUrl: null }}
        size="sm"
      />
      <Box minWidth="0" flex="1">
        <Box textStyle="label">
          <UserNameLink person={reporter} name={name} />
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

import type { SubjectKind } from '@contract/moderation.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useCurrentUser } from '@/session/session'
import { FlagIcon, ShieldIcon } from '@/ui/icons'
import { MenuItem } from '@/ui/Menu'
import { openModerationDialog, type ReportSubject, useOpenReportDialog } from '../dialogs'

const labels: Record<SubjectKind, MessageDescriptor> = {
  post: msg`Report post`,
  comment: msg`Report comment`,
  message: msg`Report message`,
  user: msg`Report person`,
}

/** Shows the menu items that report another user's content or profile and, for admins, moderate it. */
export function ReportMenuItems({ subject }: { subject: ReportSubject }) {
  const { user } = useCurrentUser()
  const openReportDialog = useOpenReportDialog()
  return (
    <>
      <MenuItem value="report" onSelect={() => openReportDialog(subject)}>
        <FlagIcon /> {t(labels[subject.kind])}
      </MenuItem>
      {user?.isAdmin && (
        <MenuItem value="moderate" onSelect={() => openModerationDialog(subject)}>
          <ShieldIcon /> {t`Moderate…`}
        </MenuItem>
      )}
    </>
  )
}

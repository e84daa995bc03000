import { useCurrentUser } from '@/session/session'
import { FlagIcon, ShieldIcon } from '@/ui/icons'
import { MenuItem } from '@/ui/Menu'
import { openModerationDialog, type ReportSubject, useOpenReportDialog } from '../dialogs'

const labels = {
  post: 'Report post',
  comment: 'Report comment',
  message: 'Report message',
  user: 'Report person',
} as const

/** Shows the menu items that report another user's content or profile and, for admins, moderate it. */
export function ReportMenuItems({ subject }: { subject: ReportSubject }) {
  const { user } = useCurrentUser()
  const openReportDialog = useOpenReportDialog()
  return (
    <>
      <MenuItem value="report" onSelect={() => openReportDialog(subject)}>
        <FlagIcon /> {labels[subject.kind]}
      </MenuItem>
      {user?.isAdmin && (
        <MenuItem value="moderate" onSelect={() => openModerationDialog(subject)}>
          <ShieldIcon /> Moderate…
        </MenuItem>
      )}
    </>
  )
}

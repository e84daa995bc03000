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

/** In the menu of something of somebody else's: reports it; an admin decides about it as well. */
export function ReportMenuItems({ subject }: { subject: ReportSubject }) {
  const { user } = useCurrentUser()
  const report = useOpenReportDialog()
  return (
    <>
      <MenuItem value="report" onSelect={() => report(subject)}>
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

import {
  closeModerationDialog,
  closeReportDialog,
  useModerationDialog,
  useReportDialog,
} from '@/moderation/dialogs'
import { LazyDialog } from './ShellDialogs'

const loadReport = () => import('@/moderation/components/ReportDialog')
const loadModerate = () => import('@/features/admin/moderation/components/ModerateDialog')

/** The dialogs that report something to the moderators, or decide about it, from any screen of the shell. */
export function ModerationDialogs() {
  const reporting = useReportDialog()
  const moderating = useModerationDialog()
  return (
    <>
      {reporting.subject && (
        <LazyDialog
          load={loadReport}
          props={{ subject: reporting.subject, open: reporting.open, onClose: closeReportDialog }}
        />
      )}
      {moderating.subject && (
        <LazyDialog
          load={loadModerate}
          props={{ subject: moderating.subject, open: moderating.open, onClose: closeModerationDialog }}
        />
      )}
    </>
  )
}

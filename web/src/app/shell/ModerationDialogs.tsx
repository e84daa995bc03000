import { closeModerating, closeReport, useModerating, useReporting } from '@/lib/reporting'
import { OnDemand } from './OnDemand'

const loadReport = () => import('@/features/reports/ReportDialog')
const loadModerate = () => import('@/features/admin/reports/decide/ModerateDialog')

/** The dialogs that report something to the moderators, or decide about it, from any screen of the shell. */
export function ModerationDialogs() {
  const reporting = useReporting()
  const moderating = useModerating()
  return (
    <>
      {reporting.subject && (
        <OnDemand
          load={loadReport}
          props={{ subject: reporting.subject, open: reporting.open, onClose: closeReport }}
        />
      )}
      {moderating.subject && (
        <OnDemand
          load={loadModerate}
          props={{ subject: moderating.subject, open: moderating.open, onClose: closeModerating }}
        />
      )}
    </>
  )
}

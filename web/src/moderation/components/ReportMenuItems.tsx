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

/** Returns a function that lists the actions for a subject: to report it and, for admins, to moderate it. */
export function useReportActions() {
  const { user } = useCurrentUser()
  const openReportDialog = useOpenReportDialog()
  return (subject: ReportSubject) => [
    {
      value: 'report',
      icon: <FlagIcon />,
      label: t(labels[subject.kind]),
      onSelect: () => openReportDialog(subject),
    },
    ...(user?.isAdmin
      ? [
          {
            value: 'moderate',
            icon: <ShieldIcon />,
            label: t`Moderate…`,
            onSelect: () => openModerationDialog(subject),
          },
        ]
      : []),
  ]
}

/** Shows the actions from `useReportActions` as menu items. */
export function ReportMenuItems({ subject }: { subject: ReportSubject }) {
  return useReportActions()(subject).map(({ value, icon, label, onSelect }) => (
    <MenuItem key={value} value={value} onSelect={onSelect}>
      {icon} {label}
    </MenuItem>
  ))
}

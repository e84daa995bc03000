import { type ComponentType, useEffect, useState } from 'react'
import { closeUpgradeDialog, useUpgradeDialog } from '@/billing/creator-pro'
import { closeTipDialog, useTipDialog } from '@/billing/tips'
import {
  closeModerationDialog,
  closeReportDialog,
  useModerationDialog,
  useReportDialog,
} from '@/moderation/dialogs'
import { useCurrentUser } from '@/session/session'
import { showLoadError } from '@/ui/toaster'
import { closeQuickDialog, useQuickDialogs } from './quick-dialogs'

const loadTipDialog = () => import('@/billing/components/TipDialog')
const loadUpgradeDialog = () => import('@/billing/components/UpgradeDialog')
const loadReportDialog = () => import('@/moderation/components/ReportDialog')
const loadModerateDialog = () => import('@/features/admin/moderation/components/ModerateDialog')

/** Renders the dialogs that can be opened from any screen of the shell. */
export function ShellDialogs() {
  return (
    <>
      <QuickDialogs />
      <PaymentDialogs />
      <ModerationDialogs />
    </>
  )
}

function QuickDialogs() {
  const { open, loaded } = useQuickDialogs()
  const { user } = useCurrentUser()
  if (!user) return null
  return Object.entries(loaded).map(([action, Dialog]) => (
    <Dialog key={action} user={user} open={open === action} onClose={closeQuickDialog} />
  ))
}

function PaymentDialogs() {
  const { target, open } = useTipDialog()
  const upgradeDialog = useUpgradeDialog()
  return (
    <>
      {target && <LazyDialog load={loadTipDialog} props={{ target, open, onClose: closeTipDialog }} />}
      <LazyDialog load={loadUpgradeDialog} props={{ ...upgradeDialog, onClose: closeUpgradeDialog }} />
    </>
  )
}

function ModerationDialogs() {
  const reportDialog = useReportDialog()
  const moderationDialog = useModerationDialog()
  return (
    <>
      {reportDialog.subject && (
        <LazyDialog
          load={loadReportDialog}
          props={{ subject: reportDialog.subject, open: reportDialog.open, onClose: closeReportDialog }}
        />
      )}
      {moderationDialog.subject && (
        <LazyDialog
          load={loadModerateDialog}
          props={{
            subject: moderationDialog.subject,
            open: moderationDialog.open,
            onClose: closeModerationDialog,
          }}
        />
      )}
    </>
  )
}

/** Loads a dialog's code when it is first opened. Each opening mounts a new instance with its initial state. */
function LazyDialog<Props extends { open: boolean; onClose: () => void }>({
  load,
  props,
}: {
  load: () => Promise<{ default: ComponentType<Props> }>
  props: Props
}) {
  const { open, onClose } = props
  const [loaded, setLoaded] = useState<{ Dialog: ComponentType<Props> } | null>(null)
  const [openCount, setOpenCount] = useState(0)
  const [wasOpen, setWasOpen] = useState(false)
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) setOpenCount(openCount + 1)
  }
  useEffect(() => {
    if (!open || loaded) return
    load().then(
      ({ default: Dialog }) => setLoaded({ Dialog }),
      () => {
        onClose()
        showLoadError()
      },
    )
  }, [open, loaded, load, onClose])
  return loaded && <loaded.Dialog key={openCount} {...props} />
}

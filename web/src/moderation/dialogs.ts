import type { SubjectKind } from '@contract/moderation.ts'
import { create } from 'zustand'
import { openLoginPage } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'

/** What is reported or moderated: the post, comment, message or user with this `id`. */
export type ReportSubject = {
  kind: SubjectKind
  id: string
  /** The author of the subject, or the subject itself if it is a user. `name` is the display name. */
  user: { id: string; name: string }
  /** Whether the viewer has already blocked the user. */
  isBlocked?: boolean
  /** Returns the element that receives focus when the dialog closes. */
  finalFocus: () => HTMLElement | null
}

type SubjectDialogState = { subject: ReportSubject | null; open: boolean }
const closedDialog: SubjectDialogState = { subject: null, open: false }

/** The state of the report dialog. All screens share it. */
export const useReportDialog = create<SubjectDialogState>(() => closedDialog)
/** The state of the dialog in which an admin moderates a subject. All screens share it. */
export const useModerationDialog = create<SubjectDialogState>(() => closedDialog)

export const closeReportDialog = () => useReportDialog.setState({ open: false })
export const closeModerationDialog = () => useModerationDialog.setState({ open: false })

/** Returns a function that opens the report dialog, or the sign-in page for a visitor. */
export function useOpenReportDialog(): (subject: ReportSubject) => void {
  const { isAuthenticated } = useCurrentUser()
  return (subject) => (isAuthenticated ? useReportDialog.setState({ subject, open: true }) : openLoginPage())
}

/** Opens the dialog in which an admin moderates a subject. */
export const openModerationDialog = (subject: ReportSubject) =>
  useModerationDialog.setState({ subject, open: true })

import type { SubjectKind } from '@contract/moderation.ts'
import { create } from 'zustand'
import { openLoginPage } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'

/** What is reported, or decided about; `id` is the post's, comment's, message's or person's. */
export type ReportSubject = {
  kind: SubjectKind
  id: string
  /** Whose it is, and what they are called. */
  person: { id: string; name: string }
  /** They are blocked by the viewer already. */
  isBlocked?: boolean
  /** What gets the focus afterwards. */
  finalFocus: () => HTMLElement | null
}

type Asked = { subject: ReportSubject | null; open: boolean }
const nobody: Asked = { subject: null, open: false }

/** What is being reported, in the one dialog for all screens. */
export const useReportDialog = create<Asked>(() => nobody)
/** What an admin decides about, from where it is shown. */
export const useModerationDialog = create<Asked>(() => nobody)

export const closeReportDialog = () => useReportDialog.setState({ open: false })
export const closeModerationDialog = () => useModerationDialog.setState({ open: false })

/** Opens the dialog that reports something; a visitor is led to sign in. */
export function useOpenReportDialog(): (subject: ReportSubject) => void {
  const { isAuthenticated } = useCurrentUser()
  return (subject) => (isAuthenticated ? useReportDialog.setState({ subject, open: true }) : openLoginPage())
}

/** Opens the dialog in which an admin decides about something. */
export const openModerationDialog = (subject: ReportSubject) =>
  useModerationDialog.setState({ subject, open: true })

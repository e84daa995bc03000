import type { SubjectKind } from '@contract/moderation.ts'
import { create } from 'zustand'
import { useCurrentUser } from './session'
import { goToLogin } from './unauthorized'

/** What is reported, or decided about; `id` is the post's, comment's, message's or person's. */
export type Subject = {
  kind: SubjectKind
  id: string
  /** Whose it is, and what they are called. */
  person: { id: string; name: string }
  /** They are blocked by the viewer already. */
  isBlocked?: boolean
  /** What gets the focus afterwards. */
  finalFocus: () => HTMLElement | null
}

type Asked = { subject: Subject | null; open: boolean }
const nobody: Asked = { subject: null, open: false }

/** What is being reported, in the one dialog for all screens. */
export const useReporting = create<Asked>(() => nobody)
/** What an admin decides about, from where it is shown. */
export const useModerating = create<Asked>(() => nobody)

export const closeReport = () => useReporting.setState({ open: false })
export const closeModerating = () => useModerating.setState({ open: false })

/** Opens the dialog that reports something; a visitor is led to sign in. */
export function useReport(): (subject: Subject) => void {
  const { isAuthenticated } = useCurrentUser()
  return (subject) => (isAuthenticated ? useReporting.setState({ subject, open: true }) : goToLogin())
}

/** Opens the dialog in which an admin decides about something. */
export const moderate = (subject: Subject) => useModerating.setState({ subject, open: true })

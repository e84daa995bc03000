import type { UserCard } from '@contract/user.ts'
import { create } from 'zustand'
import { openLoginPage } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'

/** Who is to be tipped, for which post if for one, and what gets the focus afterwards. */
export type TipTarget = {
  creator: UserCard
  postId?: string
  finalFocus: () => HTMLElement | null
}

/** The tip that is being given, in the one dialog for all screens. */
export const useTipDialog = create<{ target: TipTarget | null; open: boolean }>(() => ({
  target: null,
  open: false,
}))

export const closeTipDialog = () => useTipDialog.setState({ open: false })

/** Opens the dialog that tips a creator; a visitor is led to sign in. */
export function useOpenTipDialog(): (target: TipTarget) => void {
  const { isAuthenticated } = useCurrentUser()
  return (target) => (isAuthenticated ? useTipDialog.setState({ target, open: true }) : openLoginPage())
}

import type { UserCard } from '@contract/user.ts'
import { create } from 'zustand'
import { useCurrentUser } from './session'
import { goToLogin } from './unauthorized'

/** Who is to be tipped, for which post if for one, and what gets the focus afterwards. */
export type TipTarget = {
  creator: UserCard
  postId?: string
  finalFocus: () => HTMLElement | null
}

/** The tip that is being given, in the one dialog for all screens. */
export const useTipping = create<{ target: TipTarget | null; open: boolean }>(() => ({
  target: null,
  open: false,
}))

export const closeTip = () => useTipping.setState({ open: false })

/** Opens the dialog that tips a creator; a visitor is led to sign in. */
export function useTip(): (target: TipTarget) => void {
  const { isAuthenticated } = useCurrentUser()
  return (target) => (isAuthenticated ? useTipping.setState({ target, open: true }) : goToLogin())
}

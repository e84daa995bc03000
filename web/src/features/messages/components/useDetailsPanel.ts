import { useState } from 'react'
import { userStorage } from '@/lib/storage'
import { useMinWidth } from '@/ui/useMinWidth'

const storedName = 'conversation-details'

/**
 * Returns whether the details of a conversation are shown, and functions that show and hide them. In windows at least
 * 1280 px wide, they are in a panel, which is open unless the user has closed it in this browser. In narrower windows,
 * they are in a sheet.
 */
export function useDetailsPanel(me: string) {
  const hasPanel = useMinWidth('2xl')
  const [isPanelOpen, setPanelOpen] = useState(() => userStorage(me).get(storedName) !== 'closed')
  const [isSheetOpen, setSheetOpen] = useState(false)
  const toggle = () => {
    if (!hasPanel) return setSheetOpen(true)
    setPanelOpen(!isPanelOpen)
    userStorage(me).set(storedName, isPanelOpen ? 'closed' : 'open')
  }
  return {
    hasPanel,
    isPanelOpen: hasPanel && isPanelOpen,
    isSheetOpen: !hasPanel && isSheetOpen,
    toggle,
    closeSheet: () => setSheetOpen(false),
  }
}

import { useState } from 'react'
import { userStorage } from '@/lib/storage'
import { useMinWidth } from '@/ui/useMinWidth'

const storedName = 'conversation-details'

/** Pixels: in narrower windows, the panel is closed at first, because it would take too much room from the messages. */
const minOpenPanelWidth = 1440

/**
 * Returns whether the details of a conversation are shown, and functions that show and hide them. In windows at least
 * 1280 px wide, they are in a panel. It is open at first if the window is wide enough, unless the user has opened or
 * closed it in this browser. In narrower windows, they are in a sheet.
 */
export function useDetailsPanel(me: string) {
  const hasPanel = useMinWidth('2xl')
  const [isPanelOpen, setPanelOpen] = useState(() => {
    const stored = userStorage(me).get(storedName)
    return stored ? stored === 'open' : window.innerWidth >= minOpenPanelWidth
  })
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

import { useRef, useState } from 'react'
import type { LeaveGuard } from '@/lib/leave-guard'

/**
 * Has a dialog ask before what was typed in it is lost. `close` is for whatever would close it without a deed; `question`
 * is what a `DiscardDialog` beside it is told.
 *
 * @param open the dialog is
 * @param typed there is something in it to lose
 * @param busy it is being sent: nothing closes it
 * @param onClose closes the dialog
 * @param finalFocus the dialog's own: the question goes together with it, so the focus goes where the dialog's goes
 * @param guard of the page, where that may be left meanwhile
 */
export function useDiscardConfirmation({
  open,
  typed,
  busy = false,
  onClose,
  finalFocus,
  guard,
}: {
  open: boolean
  typed: boolean
  busy?: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
  guard?: LeaveGuard
}) {
  const [asking, setAsking] = useState(false)
  const discarded = useRef(false)
  return {
    close: () => {
      if (busy) return
      if (typed) setAsking(true)
      else onClose()
    },
    question: {
      // What was sent meanwhile is not asked about; while it is being sent, nobody can say that nothing was done.
      open: open && typed && !busy && (asking || guard?.asking === true),
      onClose: () => {
        setAsking(false)
        guard?.stay()
      },
      onConfirm: () => {
        discarded.current = true
        guard?.leave()
        setAsking(false)
        onClose()
      },
      finalFocus: () => (discarded.current ? finalFocus() : null),
    },
  }
}

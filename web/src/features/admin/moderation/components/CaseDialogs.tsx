import type { AdminCase, BulkDecisionResponse } from '@contract/moderation.ts'
import { AppealDialog } from './AppealDialog'
import type { CaseDialogKind } from './CaseActions'
import { CaseDetailsDialog } from './CaseDetailsDialog'
import { DecideDialog } from './DecideDialog'

/** What is asked about which cases, and what was pressed for it. Each turn begins anew. */
export type CaseDialogState = {
  open: boolean
  turn: number
  /** At least one. */
  cases: readonly AdminCase[]
  asked: CaseDialogKind
  from: HTMLElement
}

/** The dialogs about cases, of which one is open at most. */
export function CaseDialogs({
  asking: { open, turn, cases, asked, from },
  onClose,
  onDecided,
  heading,
}: {
  asking: CaseDialogState
  onClose: () => void
  onDecided: (answer: BulkDecisionResponse) => void
  /** Gets the focus where what was pressed is gone. */
  heading: () => HTMLElement | null
}) {
  const finalFocus = () => (from.isConnected ? from : heading())
  const [first] = cases
  if (!first) return null
  const shared = { open, onClose, finalFocus }
  if (asked === 'details') return <CaseDetailsDialog key={turn} {...shared} one={first} />
  if (asked === 'grant' || asked === 'refuse') {
    return <AppealDialog key={turn} {...shared} one={first} grant={asked === 'grant'} />
  }
  return <DecideDialog key={turn} {...shared} cases={cases} decision={asked} onDecided={onDecided} />
}

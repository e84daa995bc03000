import type { AdminPayout } from '@contract/earnings.ts'
import { MarkFailedDialog } from './MarkFailedDialog'
import { MarkPaidDialog } from './MarkPaidDialog'
import { PayoutDetailsDialog } from './PayoutDetailsDialog'

/** What can be done with a payout that waits. */
export type PayoutDialogKind = 'details' | 'paid' | 'failed'

/**
 * What an admin does with a payout. It is held here as it was when they began, `turn` counting each time they do: the
 * list may show it settled meanwhile, and what they have typed stays.
 */
export type PayoutDialogState = {
  open: boolean
  turn: number
  action: PayoutDialogKind
  payout: AdminPayout
  /** What was pressed. */
  from: HTMLElement
  /** The row that it stands in. */
  row: HTMLElement | null
}

/** The dialogs of all rows; the focus goes back to what was pressed, its row, or else `heading`. */
export function PayoutDialogs({
  asking: { open, turn, action, payout, from, row },
  onClose,
  heading,
}: {
  asking: PayoutDialogState
  onClose: () => void
  heading: () => HTMLElement | null
}) {
  const about = {
    payout,
    open,
    onClose,
    finalFocus: () => [from, row].find((element) => element?.isConnected) ?? heading(),
  }
  switch (action) {
    case 'details':
      return <PayoutDetailsDialog key={turn} {...about} />
    case 'paid':
      return <MarkPaidDialog key={turn} {...about} />
    case 'failed':
      return <MarkFailedDialog key={turn} {...about} />
  }
}

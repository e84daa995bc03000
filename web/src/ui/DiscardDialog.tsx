import { ConfirmDialog } from './Dialog'
import type { useDiscardConfirmation } from './useDiscardConfirmation'

/** Asks whether what was typed in a dialog may be lost. */
export function DiscardDialog({
  question,
  title = 'Discard what you wrote?',
  text,
}: {
  question: ReturnType<typeof useDiscardConfirmation>['question']
  title?: string
  /** What is so if it is. */
  text: string
}) {
  return <ConfirmDialog {...question} title={title} text={text} confirmLabel="Discard" />
}

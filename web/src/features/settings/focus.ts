/**
 * Moves the focus from the button of a row that is about to go: to the next row's, else to the heading with the id
 * `heading`. Not where somebody has moved on.
 */
export function focusNextRow(from: HTMLElement | null, heading: string): void {
  const row = from?.closest('li')
  const active = document.activeElement
  if (active !== document.body && !row?.contains(active)) return
  nextRowFocusTarget(from, heading)?.focus()
}

/** Where the focus goes from a row that is about to go: the next row's button, else the heading with the id `heading`. */
export function nextRowFocusTarget(from: HTMLElement | null, heading: string): HTMLElement | null {
  const next = from?.closest('li')?.nextElementSibling?.querySelector<HTMLElement>('button:enabled')
  return next ?? document.getElementById(heading)
}

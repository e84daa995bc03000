/**
 * Moves the focus from the button of a row that is about to go: to the next row's, else to the heading with the id
 * `heading`. Not where somebody has moved on.
 */
export function passFocusOn(from: HTMLElement | null, heading: string): void {
  const row = from?.closest('li')
  const active = document.activeElement
  if (active !== document.body && !row?.contains(active)) return
  const next = row?.nextElementSibling?.querySelector<HTMLElement>('button:enabled')
  ;(next ?? document.getElementById(heading))?.focus()
}

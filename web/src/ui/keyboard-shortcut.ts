/** What takes the keys for itself: panels, menus and dialogs are in the page only while they are open. */
const panels = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

/** True for a key that a screen may answer: pressed alone, while nobody types and nothing lies over the screen. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false
  const { target } = event
  if (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select'))
  )
    return false
  return document.querySelector(panels) === null
}

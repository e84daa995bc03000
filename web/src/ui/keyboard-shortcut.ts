/** Matches panels, menus and dialogs, which handle keys themselves. They are in the DOM only while they are open. */
const overlays = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

/** Returns whether a key press can be a shortcut: no modifier except Shift, no input focused and no overlay open. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false
  const { target } = event
  if (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select'))
  )
    return false
  return document.querySelector(overlays) === null
}

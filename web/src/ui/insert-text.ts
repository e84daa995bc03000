/**
 * Inserts text into a controlled text box at the cursor, or in place of the selected text. Then focuses the text box,
 * with the cursor after the inserted text.
 */
export function insertText(
  element: HTMLTextAreaElement,
  insertion: string,
  onChange: (text: string) => void,
): void {
  const { value, selectionStart, selectionEnd } = element
  const cursor = selectionStart + insertion.length
  onChange(value.slice(0, selectionStart) + insertion + value.slice(selectionEnd))
  // Runs after React has rendered the new text, which moves the cursor to the end of the text.
  requestAnimationFrame(() => {
    element.focus()
    element.setSelectionRange(cursor, cursor)
  })
}

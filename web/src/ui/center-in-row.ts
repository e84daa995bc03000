/** Scrolls the first element that matches `selector` to the center of a row that scrolls horizontally. */
export function centerInRow(row: HTMLElement | null, selector: string): void {
  const item = row?.querySelector<HTMLElement>(selector)
  // `scrollIntoView` would scroll the page as well.
  if (row && item) row.scrollLeft = item.offsetLeft - (row.clientWidth - item.offsetWidth) / 2
}

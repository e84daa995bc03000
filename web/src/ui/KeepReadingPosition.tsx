import { Component, createRef, type ReactNode } from 'react'

interface Anchor {
  element: Element
  top: number
}

const paneAttribute = 'data-scroll-pane'

/** Marks a box that scrolls independently of the page. */
export const scrollPaneAttribute = { [paneAttribute]: '' }

/**
 * Returns the box with `scrollPaneAttribute` that contains the element, or null if the element scrolls with the page.
 */
export const closestScrollPane = (element: Element): HTMLElement | null =>
  element.closest<HTMLElement>(`[${paneAttribute}]`)

/**
 * Keeps the user's place in a list: the item that they are reading or writing in does not move when items appear or
 * disappear above it. Most browsers do this themselves (`overflow-anchor`), but none of them does so at the top of the
 * page, and they can fail if two changes occur in the same frame.
 *
 * This is a class component, because only `getSnapshotBeforeUpdate` runs between rendering and the DOM update.
 */
export class KeepReadingPosition extends Component<{ children: ReactNode }> {
  private readonly root = createRef<HTMLDivElement>()

  override getSnapshotBeforeUpdate(): Anchor | null {
    const element = this.root.current && findAnchor(this.root.current)
    return element ? { element, top: element.getBoundingClientRect().top } : null
  }

  override componentDidUpdate(_props: unknown, _state: unknown, anchor: Anchor | null): void {
    if (!anchor?.element.isConnected) return
    const distance = anchor.element.getBoundingClientRect().top - anchor.top
    if (Math.abs(distance) <= 0.5) return
    const scroller = closestScrollPane(anchor.element) ?? window
    scroller.scrollBy({ top: distance, behavior: 'instant' })
  }

  override render(): ReactNode {
    return <div ref={this.root}>{this.props.children}</div>
  }
}

/**
 * Returns the element to keep in place: the focused one or, if the list begins above the upper edge of the window or
 * pane, the first visible item. Returns null if there is neither, or if the browser keeps the first visible item in
 * place itself.
 */
function findAnchor(root: HTMLElement): Element | null {
  const focused = document.activeElement
  if (focused && root.contains(focused)) return focused
  const pane = closestScrollPane(root)
  const scrollTop = pane ? pane.scrollTop : window.scrollY
  if (scrollTop > 0 && CSS.supports('overflow-anchor: auto')) return null
  const top = pane?.getBoundingClientRect().top ?? 0
  if (root.getBoundingClientRect().top >= top) return null
  return [...root.querySelectorAll('li')].find((item) => item.getBoundingClientRect().bottom > top) ?? null
}

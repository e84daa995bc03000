import { Component, createRef, type ReactNode } from 'react'

interface Anchor {
  element: Element
  top: number
}

/**
 * Keeps the list item that the user is reading or typing in from moving when items appear or disappear above it. Most
 * browsers do this themselves (`overflow-anchor`), but none of them does so at the top of the page, and they may fail
 * if two changes occur in the same frame.
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
    if (Math.abs(distance) > 0.5) window.scrollBy({ top: distance, behavior: 'instant' })
  }

  override render(): ReactNode {
    return <div ref={this.root}>{this.props.children}</div>
  }
}

/**
 * Returns the element to keep in place: the focused one or, if the list begins above the window, the first visible
 * item.
 */
function findAnchor(root: HTMLElement): Element | null {
  const focused = document.activeElement
  if (focused && root.contains(focused)) return focused
  if (window.scrollY > 0 && CSS.supports('overflow-anchor: auto')) return null
  if (root.getBoundingClientRect().top >= 0) return null
  return [...root.querySelectorAll('li')].find((item) => item.getBoundingClientRect().bottom > 0) ?? null
}

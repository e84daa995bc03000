import { Component, createRef, type ReactNode } from 'react'

interface Anchor {
  element: Element
  top: number
}

/**
 * Keeps what the user reads or types in a list where it is when items appear or disappear above it. Most browsers do
 * this themselves (`overflow-anchor`), but none of them at the top of the page, and not always for two changes in the
 * same frame.
 *
 * A class, because only `getSnapshotBeforeUpdate` runs between rendering and the change of the document.
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

/** Returns the element to keep in place: the focused one, or the first visible item if the list begins above the screen. */
function findAnchor(root: HTMLElement): Element | null {
  const focused = document.activeElement
  if (focused && root.contains(focused)) return focused
  if (window.scrollY > 0 && CSS.supports('overflow-anchor: auto')) return null
  if (root.getBoundingClientRect().top >= 0) return null
  return [...root.querySelectorAll('li')].find((item) => item.getBoundingClientRect().bottom > 0) ?? null
}

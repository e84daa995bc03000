import { type FocusEvent, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'

/** Returns whether no element has focus, for example because the focused one was disabled or removed. */
export function isFocusLost(): boolean {
  return document.activeElement === document.body
}

/**
 * Focuses the target after `state` has changed, if the focus was lost because the focused control was replaced, or was
 * disabled while its request was pending. Does nothing if the target is disabled, for example because the request has
 * just started.
 *
 * @param target called with the state before the change
 */
export function useRestoreFocus<State>(
  state: State,
  target: (before: State) => HTMLElement | null | undefined,
): void {
  const lastState = useRef(state)
  useEffect(() => {
    const before = lastState.current
    lastState.current = state
    // The user may have scrolled away while the request was pending.
    if (before !== state && isFocusLost()) target(before)?.focus({ preventScroll: true })
  })
}

/** Candidates for the focus, in order of preference. */
type FocusTargets = readonly (HTMLElement | null | undefined)[]

/**
 * Moves the focus when an element, such as a list row, is removed while the focus is in it or in a dialog that it
 * opened. The first target that is still in the document receives focus. Call this hook in the component that renders
 * the element.
 *
 * @param findTargets called right before the removal
 * @returns event handlers for the element
 */
export function useFocusAfterRemoval(
  findTargets: (element: HTMLElement) => FocusTargets,
  options?: FocusOptions,
) {
  /** The element, and the path of the page on which it received the focus; null while the focus is elsewhere. */
  const focused = useRef<{ element: HTMLElement; path: string }>(null)
  const onRemove = useEffectEvent(() => {
    if (!focused.current) return
    const { element, path } = focused.current
    focusAfterRemoval(element, { targets: findTargets(element), path, options })
  })
  // When a layout effect is cleaned up, the element is still in the document.
  useLayoutEffect(() => () => onRemove(), [])
  return {
    // React events bubble through portals, so these handlers also receive the events of the element's dialogs.
    onFocus: ({ currentTarget }: FocusEvent<HTMLElement>) => {
      focused.current = { element: currentTarget, path: window.location.pathname }
    },
    onBlur: ({ currentTarget, target, relatedTarget }: FocusEvent<HTMLElement>) => {
      if (relatedTarget) focused.current = null
      // No other element receives the focus: the focused control was disabled, the element is being removed, the
      // element opens a dialog, or the user clicked an empty area. Only in the last case has focus left the
      // element.
      else if (!target.matches(':disabled'))
        requestAnimationFrame(() => {
          if (isFocusLost() && !isDialogOpen() && currentTarget.isConnected) focused.current = null
        })
    },
  }
}

/** The maximum number of animation frames to wait for a dialog to close and release the focus. */
const maxFrames = 20

function focusAfterRemoval(
  removed: HTMLElement,
  focus: { targets: FocusTargets; path: string; options: FocusOptions | undefined },
  framesLeft = maxFrames,
): void {
  requestAnimationFrame(() => {
    // After a navigation, the new page manages the focus itself.
    if (window.location.pathname !== focus.path) return
    if ((removed.isConnected || isDialogOpen()) && framesLeft > 0) {
      focusAfterRemoval(removed, focus, framesLeft - 1)
      return
    }
    if (removed.isConnected || !isFocusLost()) return
    const target = focus.targets.find((element) => element?.isConnected)
    if (!target) return
    if (target.tabIndex < 0) target.tabIndex = -1
    target.focus(focus.options)
  })
}

const isDialogOpen = () => document.querySelector('[role=dialog], [role=alertdialog]') !== null

/** Returns the targets for a row of a list: the first button of the next row, or else the heading of the section. */
export function nextRowOrHeading(row: HTMLElement): FocusTargets {
  return [row.nextElementSibling?.querySelector<HTMLElement>('button:enabled'), sectionHeading(row)]
}

/** Returns the heading of the section that contains the element. */
export function sectionHeading(element: HTMLElement): HTMLElement | null {
  return element.closest('section')?.querySelector('h2') ?? null
}

import { chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react'
import { MoreIcon } from '@/ui/icons'
import type { Bubble } from '../model/bubbles'
import { useThreadActions } from './thread-actions'

const Control = chakra('button', {
  base: {
    flexShrink: 0,
    display: 'grid',
    placeItems: 'center',
    width: { base: 'target', md: '9' },
    height: '9',
    marginInline: { base: '-1', md: '0' },
    borderRadius: 'full',
    color: 'muted',
    fontSize: 'lg',
    cursor: 'pointer',
    _hover: { bg: 'hover', color: 'text' },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

/**
 * A button that opens the menu of a message. Only one message of the thread is in the tab order (roving tabindex); the
 * arrow keys, Home and End move to the others.
 */
export function MessageControl({ bubble, isTabStop }: { bubble: Bubble; isTabStop: boolean }) {
  const { toggleMenu } = useThreadActions()
  const label = t`React and more actions`
  return (
    <Control
      type="button"
      data-control={bubble.id}
      tabIndex={isTabStop ? 0 : -1}
      aria-haspopup="menu"
      aria-label={label}
      title={label}
      onClick={(event) => toggleMenu(bubble.id, event.currentTarget)}
      onKeyDown={moveFocus}
    >
      <MoreIcon />
    </Control>
  )
}

/** Moves the focus to the menu button of another message. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const controls = [
    ...(event.currentTarget.closest('[data-thread]')?.querySelectorAll<HTMLElement>('[data-control]') ?? []),
  ]
  const index = controls.indexOf(event.currentTarget)
  const next = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: controls.length - 1 }[event.key]
  const control = next === undefined ? undefined : controls[next]
  if (next !== undefined) event.preventDefault()
  control?.focus()
}

const longPressMs = 450
/** Pixels that the finger may move during a long press. */
const maxMovement = 10

/** Returns handlers that call `onLongPress` for touch only: a mouse or pen press still selects text. */
export function useLongPress(onLongPress: (element: HTMLElement) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const suppression = useRef<AbortController>(undefined)
  const start = useRef({ x: 0, y: 0 })
  const cancel = () => clearTimeout(timer.current)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      suppression.current?.abort()
    },
    [],
  )
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      cancel()
      if (event.pointerType !== 'touch') return
      const element = event.currentTarget
      start.current = { x: event.clientX, y: event.clientY }
      timer.current = setTimeout(() => {
        suppression.current?.abort()
        suppression.current = suppressRelease(element)
        onLongPress(element)
      }, longPressMs)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const distance = Math.hypot(event.clientX - start.current.x, event.clientY - start.current.y)
      if (distance > maxMovement) cancel()
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
  }
}

/**
 * Until the touch ends or is canceled, suppresses the click that its release would cause and the browser's context
 * menu. The click could activate an element under the finger or close the menu that has just opened.
 */
function suppressRelease(element: HTMLElement): AbortController {
  const controller = new AbortController()
  const { signal } = controller
  const onTouchEnd = (event: TouchEvent) => {
    event.preventDefault()
    controller.abort()
  }
  element.addEventListener('touchend', onTouchEnd, { signal, passive: false })
  element.addEventListener('touchcancel', () => controller.abort(), { signal })
  document.addEventListener('contextmenu', (event) => event.preventDefault(), { signal, capture: true })
  return controller
}

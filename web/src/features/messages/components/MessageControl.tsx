import { chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import type { KeyboardEvent } from 'react'
import { SmileIcon } from '@/ui/icons'
import type { Bubble } from '../model/bubbles'
import { useThreadActions } from './thread-actions'

const Control = chakra('button', {
  base: {
    flexShrink: 0,
    display: 'grid',
    placeItems: 'center',
    width: { base: 'target', md: '8' },
    height: '8',
    marginInline: { base: '-1', md: '0' },
    borderRadius: 'full',
    color: 'muted',
    fontSize: 'lg',
    cursor: 'pointer',
    _hover: { bg: 'hover', color: 'text' },
    _focusVisible: { outlineOffset: '-2px' },
    '@media (hover: hover)': {
      opacity: 0,
      // Without the asterisk, the selector would start with this element.
      '*:hover > &': { opacity: 1 },
      '&:focus-visible': { opacity: 1 },
    },
    // On touch screens a long press opens the menu. The button stays for screen readers and keyboards.
    '@media (hover: none)': {
      '&:not(:focus-visible)': { position: 'absolute', width: '1px', height: '1px', clipPath: 'inset(50%)' },
    },
  },
})

/**
 * A button that opens the menu of a message. Only one such button in the thread is in the tab order (roving tabindex);
 * the arrow keys, Home and End move to the others.
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
      <SmileIcon />
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

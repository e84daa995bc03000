import { chakra } from '@chakra-ui/react'
import type { KeyboardEvent } from 'react'
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
 * Opens the menu of one message. Of all messages one is found by the Tab key; the arrows, Home and End lead from it to
 * the others, so that nobody tabs through a whole thread.
 */
export function MessageControl({ bubble, reachable }: { bubble: Bubble; reachable: boolean }) {
  const { openMenu } = useThreadActions()
  return (
    <Control
      type="button"
      data-control={bubble.id}
      tabIndex={reachable ? 0 : -1}
      aria-haspopup="menu"
      aria-label="React and more actions"
      title="React and more"
      onClick={(event) => openMenu(bubble.id, event.currentTarget)}
      onKeyDown={walk}
    >
      <MoreIcon />
    </Control>
  )
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const controls = [
    ...(event.currentTarget.closest('[data-thread]')?.querySelectorAll<HTMLElement>('[data-control]') ?? []),
  ]
  const at = controls.indexOf(event.currentTarget)
  const next = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: controls.length - 1 }[event.key]
  const control = next === undefined ? undefined : controls[next]
  if (next !== undefined) event.preventDefault()
  control?.focus()
}

import { Box, chakra, Popover as Parts, Portal } from '@chakra-ui/react'
import { plural, t } from '@lingui/core/macro'
import type { ComponentProps, ReactElement, ReactNode } from 'react'
import { CountBadge } from './Badge'

/**
 * Shows a panel next to its trigger, for lists longer than a menu (notifications, messages). Escape, except in a
 * text area, and a press outside close it.
 */
export function Popover({
  trigger,
  title,
  action,
  open,
  onOpenChange,
  finalFocus,
  placement = 'bottom-end',
  footer,
  children,
}: {
  trigger: ReactElement
  title: string
  /** Shown beside the title, e.g. 'Mark all read'. */
  action?: ReactNode
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Returns the element to focus when the panel closes; the trigger if null or left out. */
  finalFocus?: () => HTMLElement | null
  placement?: 'bottom-start' | 'bottom-end' | 'top-end'
  /** Stays visible below the content while the content scrolls. */
  footer?: ReactNode
  children: ReactNode
}) {
  return (
    <Parts.Root
      open={open}
      onOpenChange={(details) => onOpenChange(details.open)}
      positioning={{ placement, gutter: 8 }}
      finalFocusEl={finalFocus}
      onEscapeKeyDown={(event) => {
        // A form in the panel closes itself first.
        if (event.target instanceof HTMLTextAreaElement) event.preventDefault()
      }}
      lazyMount
      unmountOnExit
    >
      <Parts.Trigger asChild>{trigger}</Parts.Trigger>
      <Portal>
        <Parts.Positioner>
          <Parts.Content aria-label={title}>
            {/* Not a `header` element: outside of a section it would be a second banner landmark. */}
            <Parts.Header asChild>
              <div>
                <Parts.Title>{title}</Parts.Title>
                {action}
              </div>
            </Parts.Header>
            <Parts.Body>{children}</Parts.Body>
            {footer && (
              <Parts.Footer asChild>
                <div>{footer}</div>
              </Parts.Footer>
            )}
          </Parts.Content>
        </Parts.Positioner>
      </Portal>
    </Parts.Root>
  )
}

/**
 * Focuses the panel that contains `control`. Call it before removing a focused control, so that the focus is not lost.
 */
export function focusPanel(control: HTMLElement): void {
  control.closest<HTMLElement>('[role=dialog]')?.focus()
}

const RoundButton = chakra('button', {
  base: {
    position: 'relative',
    display: 'grid',
    placeItems: 'center',
    width: 'target',
    height: 'target',
    borderRadius: 'full',
    fontSize: 'xl',
    cursor: 'pointer',
    _hover: { bg: 'hover' },
    '&[aria-current=page]': { color: 'ember.text' },
  },
})

/**
 * Shows the round header button that opens a panel, with the panel's unread count. `isCurrent`: the page has the same
 * subject as the panel.
 */
export function HeaderButton({
  label,
  count,
  icon,
  isCurrent,
  ...props
}: ComponentProps<typeof RoundButton> & {
  label: string
  count: number
  icon: ReactNode
  isCurrent: boolean
}) {
  const unread = t`${label}, ${plural(count, { one: '# unread', other: '# unread' })}`
  return (
    <RoundButton
      type="button"
      aria-label={count > 0 ? unread : label}
      aria-current={isCurrent ? 'page' : undefined}
      {...props}
    >
      {icon}
      {/* The badge covers only a corner of the icon. A wider badge extends outwards. */}
      <Box position="absolute" top="1" insetStart="1.625rem" lineHeight="0">
        <CountBadge count={count} />
      </Box>
    </RoundButton>
  )
}

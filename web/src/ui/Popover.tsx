import { Popover as Parts, Portal } from '@chakra-ui/react'
import type { ReactElement, ReactNode } from 'react'

/** A panel under its trigger, for lists longer than a menu (notifications, messages). Closes on Escape and outside. */
export function Popover({
  trigger,
  title,
  action,
  open,
  onOpenChange,
  finalFocus,
  placement = 'bottom-end',
  children,
}: {
  trigger: ReactElement
  title: string
  /** Beside the title, e.g. 'Mark all read'. */
  action?: ReactNode
  open: boolean
  onOpenChange: (open: boolean) => void
  /** What gets the focus when it closes; the trigger, where it says nothing. */
  finalFocus?: () => HTMLElement | null
  placement?: 'bottom-start' | 'bottom-end'
  children: ReactNode
}) {
  return (
    <Parts.Root
      open={open}
      onOpenChange={(details) => onOpenChange(details.open)}
      positioning={{ placement, gutter: 8 }}
      finalFocusEl={finalFocus}
      lazyMount
      unmountOnExit
    >
      <Parts.Trigger asChild>{trigger}</Parts.Trigger>
      <Portal>
        <Parts.Positioner>
          <Parts.Content aria-label={title}>
            {/* A plain box: a header element outside of the page's sections would be a second banner. */}
            <Parts.Header asChild>
              <div>
                <Parts.Title>{title}</Parts.Title>
                {action}
              </div>
            </Parts.Header>
            <Parts.Body>{children}</Parts.Body>
          </Parts.Content>
        </Parts.Positioner>
      </Portal>
    </Parts.Root>
  )
}

/** For a control within the panel that goes when it is pressed: the panel keeps the focus that it would take with it. */
export function focusPanel(control: HTMLElement): void {
  control.closest<HTMLElement>('[role=dialog]')?.focus()
}

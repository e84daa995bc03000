import { Portal, Tooltip as Root } from '@chakra-ui/react'
import type { ReactElement } from 'react'

/**
 * Says in words what its one child does; the child must take a ref and be focusable. A disabled button hears no
 * pointer: give it `aria-disabled` instead of `disabled` where the tooltip gives the reason.
 */
export function Tooltip({
  label,
  children,
  side = 'bottom',
  disabled = false,
  open,
  onOpenChange,
}: {
  label: string
  children: ReactElement
  side?: 'top' | 'bottom' | 'left' | 'right'
  /** Shows nothing: where the child says it in sight. */
  disabled?: boolean
  /** Given together with `onOpenChange` where more than hovering and focus opens it. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
}) {
  return (
    <Root.Root
      openDelay={350}
      closeDelay={60}
      positioning={{ placement: side }}
      disabled={disabled}
      open={open}
      onOpenChange={(details) => onOpenChange?.(details.open)}
      lazyMount
      unmountOnExit
    >
      <Root.Trigger asChild>{children}</Root.Trigger>
      <Portal>
        <Root.Positioner>
          <Root.Content>{label}</Root.Content>
        </Root.Positioner>
      </Portal>
    </Root.Root>
  )
}

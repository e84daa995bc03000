import { Tooltip as Parts, Portal } from '@chakra-ui/react'
import type { ReactElement } from 'react'

/**
 * Shows `label` while its one child is hovered or focused. The child must accept a ref and be focusable. A disabled
 * button gets no pointer events: use `aria-disabled` instead of `disabled` if the tooltip explains why the button is
 * disabled.
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
  /** Set this if the child itself shows the text. */
  disabled?: boolean
  /** Controls the tooltip, together with `onOpenChange`. Needed if something besides hover and focus opens it. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
}) {
  return (
    <Parts.Root
      openDelay={350}
      closeDelay={60}
      positioning={{ placement: side }}
      disabled={disabled}
      open={open}
      onOpenChange={(details) => onOpenChange?.(details.open)}
      lazyMount
      unmountOnExit
    >
      <Parts.Trigger asChild>{children}</Parts.Trigger>
      <Portal>
        <Parts.Positioner>
          <Parts.Content>{label}</Parts.Content>
        </Parts.Positioner>
      </Portal>
    </Parts.Root>
  )
}

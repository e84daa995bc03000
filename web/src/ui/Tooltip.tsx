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
}: {
  label: string
  children: ReactElement
  side?: 'top' | 'bottom' | 'left' | 'right'
}) {
  return (
    <Root.Root openDelay={350} closeDelay={60} positioning={{ placement: side }} lazyMount unmountOnExit>
      <Root.Trigger asChild>{children}</Root.Trigger>
      <Portal>
        <Root.Positioner>
          <Root.Content>{label}</Root.Content>
        </Root.Positioner>
      </Portal>
    </Root.Root>
  )
}

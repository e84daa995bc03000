import { Dialog as Parts, Portal } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { IconButton } from './IconButton'
import { CloseIcon } from './icons'
import { toastRegion } from './toaster'

/**
 * Shows a modal dialog that fills the screen on phones. On wider screens, it is a full-height panel at the inline end.
 */
export function Sheet({
  open,
  onClose,
  title,
  children,
}: {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
}) {
  return (
    <Parts.Root
      open={open}
      onOpenChange={(details) => !details.open && onClose()}
      // A dialog that was opened from the sheet moves the focus. This must not close the sheet.
      onFocusOutside={(event) => event.preventDefault()}
      persistentElements={[toastRegion]}
      lazyMount
      unmountOnExit
    >
      <Portal>
        <Parts.Backdrop />
        <Parts.Positioner padding="0" alignItems="stretch" justifyContent="flex-end">
          <Parts.Content
            maxWidth={{ base: '100%', md: '22rem' }}
            maxHeight="none"
            borderWidth="0"
            borderInlineStartWidth={{ md: '1px' }}
            borderRadius="0"
            paddingTop="env(safe-area-inset-top)"
          >
            <Parts.Header
              display="flex"
              alignItems="center"
              minHeight="16"
              paddingInline="4"
              paddingBlock="0"
              borderBottomWidth="1px"
            >
              <Parts.Title>{title}</Parts.Title>
            </Parts.Header>
            <Parts.Body padding="0" overscrollBehavior="contain">
              {children}
            </Parts.Body>
            <Parts.CloseTrigger asChild top="calc(0.625rem + env(safe-area-inset-top))">
              <IconButton label={t`Close`} tooltip={false}>
                <CloseIcon />
              </IconButton>
            </Parts.CloseTrigger>
          </Parts.Content>
        </Parts.Positioner>
      </Portal>
    </Parts.Root>
  )
}

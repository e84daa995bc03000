import { Box, chakra, Dialog as Parts, Portal } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import type { ComponentProps, ReactNode } from 'react'
import { IconButton } from './IconButton'
import { CloseIcon } from './icons'
import { lightboxAttribute, toastRegion } from './toaster'
import { userTextParagraphs } from './UserText'

const Image = chakra('img', {
  base: {
    maxWidth: '100%',
    maxHeight: '86dvh',
    marginInline: 'auto',
    objectFit: 'contain',
    borderRadius: 'sm',
  },
})

type LightboxProps = {
  open: boolean
  onClose: () => void
  /** The dialog's accessible name. */
  label: string
  /** Returns the element to focus when the dialog closes; the previously focused one if null or left out. */
  finalFocus?: () => HTMLElement | null
}

/** Shows an image as large as the window allows. Escape, the close button and a press outside close it. */
export function Lightbox({
  url,
  alt,
  ...frame
}: LightboxProps & {
  url: string
  alt: string
}) {
  return (
    <LightboxFrame {...frame}>
      <Image src={url} alt={alt} />
      {alt && (
        <Box
          bg="inverse"
          color="onInverse"
          textStyle="small"
          borderRadius="sm"
          marginTop="2"
          marginInline="auto"
          paddingInline="3"
          paddingBlock="1.5"
          maxWidth="40rem"
          maxHeight="20dvh"
          overflowY="auto"
          aria-hidden
          {...userTextParagraphs}
        >
          {alt}
        </Box>
      )}
    </LightboxFrame>
  )
}

/** Shows a dialog without a surface on a dark backdrop, for images and videos. */
export function LightboxFrame({
  open,
  onClose,
  label,
  initialFocus,
  finalFocus,
  backdrop = 0.94,
  children,
  ...content
}: LightboxProps & {
  /** Returns the element to focus when the dialog opens; its first control by default. */
  initialFocus?: () => HTMLElement | null
  /** Opacity of the backdrop. Use 1 if there is text on it. */
  backdrop?: number
  children: ReactNode
} & Omit<ComponentProps<typeof Parts.Content>, 'children'>) {
  return (
    <Parts.Root
      persistentElements={[toastRegion]}
      open={open}
      onOpenChange={(details) => !details.open && onClose()}
      aria-label={label}
      initialFocusEl={initialFocus}
      finalFocusEl={finalFocus}
      lazyMount
      unmountOnExit
    >
      <Portal>
        <Parts.Backdrop bg="stage.dark" opacity={backdrop} />
        <Parts.Positioner alignItems="center" padding={{ base: '3', md: '6' }}>
          <Parts.Content
            width="fit-content"
            maxWidth="100%"
            maxHeight="100%"
            bg="transparent"
            borderWidth="0"
            boxShadow="none"
            borderRadius="0"
            {...lightboxAttribute}
            {...content}
          >
            {children}
            <Parts.CloseTrigger asChild top="2" insetEnd="2">
              <IconButton label={t`Close`} tooltip={false} variant="quiet">
                <CloseIcon />
              </IconButton>
            </Parts.CloseTrigger>
          </Parts.Content>
        </Parts.Positioner>
      </Portal>
    </Parts.Root>
  )
}

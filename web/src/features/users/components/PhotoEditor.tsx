import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { FileButton, imageTypes } from '@/ui/FileButton'
import { CameraIcon } from '@/ui/icons'
import { useRestoreFocus } from '@/ui/restore-focus'
import { usePhotoCrop } from '@/uploads/components/usePhotoCrop'

/**
 * Shows a button over the user's own profile photo that lets the user choose, crop and upload a new one. The parent
 * must be positioned.
 */
export function PhotoEditor() {
  const [photo, setPhoto] = useState<File | null>(null)
  const { choose, isUploading, dialog } = usePhotoCrop(photo, setPhoto)
  const button = useRef<HTMLButtonElement>(null)
  useRestoreFocus(photo, () => button.current)
  return (
    <>
      <FileButton
        ref={button}
        accept={imageTypes}
        onFile={(file) => void choose(file)}
        disabled={isUploading}
        aria-label={t`Change photo`}
        title={t`Change photo`}
        size="icon"
        position="absolute"
        bottom={{ base: '-1', md: '0' }}
        insetEnd={{ base: '-1', md: '0' }}
        width={{ base: '8', md: '9' }}
        height={{ base: '8', md: '9' }}
        fontSize="lg"
        borderWidth="2px"
        borderColor="surface"
        // Enlarges the touch target beyond the visible button.
        _before={{ content: '""', position: 'absolute', inset: '-2' }}
      >
        <CameraIcon />
      </FileButton>
      {dialog}
    </>
  )
}

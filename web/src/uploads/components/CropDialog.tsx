import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { uploadErrors } from '@contract/media.ts'
import { useEffect, useId, useRef, useState } from 'react'
import type { AvatarEditorRef } from 'react-avatar-editor'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { IconButton } from '@/ui/IconButton'
import { RotateIcon } from '@/ui/icons'
import { toast } from '@/ui/toaster'
import { cropImage } from '../crop'
import { CropEditor } from './CropEditor'
import { ZoomSlider } from './ZoomSlider'

/** At the start, the part that is kept is 90 % of the smaller side. */
const startScale = 1 / 0.9
const mostScale = 4

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/**
 * Asks which square part of a picture is kept; a round one is shown of it. It is open as long as it is there, and stays
 * so until its parent takes it away: what was chosen can be sent again.
 *
 * @param onDone gets the part as a JPEG of up to 1024 pixels a side, upright
 * @param percent how much of it has been sent; null while nothing is
 */
export default function CropDialog({
  file,
  onClose,
  onDone,
  percent,
}: {
  file: File
  onClose: () => void
  onDone: (part: File) => void
  percent: number | null
}) {
  // A dialog that is open from its first moment is closed again where React mounts everything twice.
  const [open, setOpen] = useState(false)
  useEffect(() => setOpen(true), [])
  const [scale, setScale] = useState(startScale)
  const [turned, setTurned] = useState(0)
  const [picture, setPicture] = useState<HTMLImageElement | null>(null)
  const [isDrawing, setDrawing] = useState(false)
  const editor = useRef<AvatarEditorRef>(null)
  const area = useRef<HTMLDivElement>(null)
  const hint = useId()
  const isBusy = isDrawing || percent !== null

  const refuse = (description: string) => {
    toast({ title: 'Image processing failed', description, tone: 'destructive' })
    onClose()
  }
  const take = async () => {
    const part = editor.current?.getCroppingRect()
    if (!picture || !part) return
    setDrawing(true)
    try {
      onDone(await cropImage(picture, part, turned))
    } catch {
      toast({ title: 'Error', description: 'Failed to crop image. Please try again.', tone: 'destructive' })
    } finally {
      setDrawing(false)
    }
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Crop your photo"
      description={
        <span id={hint}>
          Drag the picture to where it should be.{' '}
          <Box as="span" hideBelow="md">
            Arrow keys move it by 1 pixel, by 10 with Shift, by 100 with {isMac ? 'Option' : 'Ctrl'}.
          </Box>
        </span>
      }
      initialFocus={() => area.current}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="ember"
            disabled={!picture}
            pending={isBusy}
            pendingLabel={
              percent === null ? 'Cropping...' : percent < 100 ? `Uploading ${percent}%` : 'Almost done…'
            }
            onClick={() => void take()}
          >
            Save photo
          </Button>
        </>
      }
    >
      <CropEditor
        file={file}
        scale={scale}
        turned={turned}
        editor={editor}
        focus={area}
        describedBy={hint}
        onReady={(ready) => {
          if (ready.naturalWidth * ready.naturalHeight > limits.image.maxPixels)
            refuse(uploadErrors.imagePixels)
          else setPicture(ready)
        }}
        onBroken={() => refuse(uploadErrors.imageBroken)}
      />
      <Box display="flex" alignItems="center" gap="3" marginTop="3">
        <ZoomSlider value={scale} most={mostScale} onChange={setScale} />
        <IconButton label="Rotate" onClick={() => setTurned((degrees) => (degrees + 90) % 360)}>
          <RotateIcon />
        </IconButton>
      </Box>
    </Dialog>
  )
}

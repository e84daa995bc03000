import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { uploadErrors } from '@contract/media.ts'
import { t } from '@lingui/core/macro'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import AvatarEditor, { type AvatarEditorRef, type ImageState } from 'react-avatar-editor'
import { translateServerText } from '@/lib/errors'
import { formatPercent } from '@/lib/format'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { IconButton } from '@/ui/IconButton'
import { RotateIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { toast } from '@/ui/toaster'
import { useMinWidth } from '@/ui/useMinWidth'
import { arrowKeyOffset, type CropArea, cropImage, moveImage, transparentFill } from '../crop'

/** At first, the crop area is 90% of the image's shorter side. */
const initialScale = 1 / 0.9
const maxScale = 4

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/**
 * Lets the user crop an image to a square. The crop area is shown as a circle, like an avatar. The dialog stays open
 * until the parent unmounts it, so that the user can retry a failed upload.
 *
 * @param onDone receives the cropped image as an upright JPEG of up to 1024 × 1024 pixels
 * @param percent progress of the upload; null while nothing is being uploaded
 */
export default function CropDialog({
  file,
  onClose,
  onDone,
  percent,
}: {
  file: File
  onClose: () => void
  onDone: (cropped: File) => void
  percent: number | null
}) {
  // React's strict mode mounts components twice, which closes a dialog that is open from the first render.
  const [open, setOpen] = useState(false)
  useEffect(() => setOpen(true), [])
  const [scale, setScale] = useState(initialScale)
  const [rotation, setRotation] = useState(0)
  const [image, setImage] = useState<HTMLImageElement | null>(null)
  const [isCropping, setCropping] = useState(false)
  const editorRef = useRef<AvatarEditorRef>(null)
  const areaRef = useRef<HTMLDivElement>(null)
  const hintId = useId()
  const isBusy = isCropping || percent !== null
  const progress = percent !== null && percent < 100 && formatPercent(percent)

  const reject = (description: string) => {
    toast({
      title: t`Image processing failed`,
      description: translateServerText(description),
      tone: 'destructive',
    })
    onClose()
  }
  const save = async () => {
    const area = editorRef.current?.getCroppingRect()
    if (!image || !area) return
    setCropping(true)
    try {
      onDone(await cropImage(image, area, rotation))
    } catch {
      toast({
        title: t`Error`,
        description: t`Failed to crop image. Please try again.`,
        tone: 'destructive',
      })
    } finally {
      setCropping(false)
    }
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t`Crop your photo`}
      description={
        <span id={hintId}>
          {t`Drag to reposition.`}{' '}
          <Box as="span" hideBelow="md">
            {isMac
              ? t`The arrow keys move the image by 1 pixel, by 10 with Shift, by 100 with Option.`
              : t`The arrow keys move the image by 1 pixel, by 10 with Shift, by 100 with Ctrl.`}
          </Box>
        </span>
      }
      initialFocus={() => areaRef.current}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button
            variant="ember"
            disabled={!image}
            pending={isBusy}
            pendingLabel={
              percent === null ? t`Cropping…` : progress ? t`Uploading ${progress}` : t`Almost done…`
            }
            onClick={() => void save()}
          >
            {t`Save photo`}
          </Button>
        </>
      }
    >
      <CropEditor
        file={file}
        scale={scale}
        rotation={rotation}
        editorRef={editorRef}
        areaRef={areaRef}
        describedBy={hintId}
        onLoad={(loaded) => {
          if (loaded.naturalWidth * loaded.naturalHeight > limits.image.maxPixels)
            reject(uploadErrors.imagePixels)
          else setImage(loaded)
        }}
        onError={() => reject(uploadErrors.imageBroken)}
      />
      <Box display="flex" alignItems="center" gap="3" marginTop="3">
        <ZoomSlider value={scale} max={maxScale} onChange={setScale} />
        <IconButton label={t`Rotate`} onClick={() => setRotation((degrees) => (degrees + 90) % 360)}>
          <RotateIcon />
        </IconButton>
      </Box>
    </Dialog>
  )
}

/**
 * The side of the crop area and the width of the shaded border around it, in pixels. At the initial scale, the image
 * fills the border too.
 */
const phoneSize = { side: 260, border: 14 }
const desktopSize = { side: 320, border: 17 }
/** Red, green, blue and opacity of the shade over the border. */
const shade: [number, number, number, number] = [0, 0, 0, 0.55]

const Frame = chakra('div', {
  base: {
    width: 'fit-content',
    marginInline: 'auto',
    borderRadius: 'md',
    overflow: 'hidden',
    bg: 'sunken',
    lineHeight: '0',
  },
})

/**
 * Shows an image under a round crop area. Mouse, touch and arrow keys move the image.
 *
 * @param scale relative to the size at which the image's shorter side fits the crop area
 * @param rotation degrees clockwise, a multiple of 90
 * @param areaRef receives the focusable element
 */
function CropEditor({
  file,
  scale,
  rotation,
  editorRef,
  areaRef,
  describedBy,
  onLoad,
  onError,
}: {
  file: File
  scale: number
  rotation: number
  editorRef: RefObject<AvatarEditorRef | null>
  areaRef: RefObject<HTMLDivElement | null>
  describedBy: string
  onLoad: (image: HTMLImageElement) => void
  onError: () => void
}) {
  const { side, border } = useMinWidth('md') ? desktopSize : phoneSize
  const [position, setPosition] = useState('')
  // If the editor has an image from the first render, it loads the image twice and loses the position in between.
  const [loadedFile, setLoadedFile] = useState<File>()
  useEffect(() => setLoadedFile(file), [file])

  const move = (event: KeyboardEvent) => {
    const offset = arrowKeyOffset(event)
    const canvas = areaRef.current?.querySelector('canvas')
    if (!offset || !canvas) return
    event.preventDefault()
    moveImage(canvas, offset)
    const area = editorRef.current?.getCroppingRect()
    if (area) setPosition(describePosition(area))
  }

  return (
    <>
      <Frame
        ref={areaRef}
        // Screen readers pass the arrow keys on to an element with this role.
        role="application"
        aria-label={t`Crop area`}
        aria-describedby={describedBy}
        tabIndex={0}
        onKeyDown={move}
      >
        <AvatarEditor
          ref={editorRef}
          {...(loadedFile ? { image: loadedFile } : {})}
          width={side}
          height={side}
          border={border}
          borderRadius={side / 2}
          color={shade}
          backgroundColor={transparentFill}
          scale={scale}
          rotate={rotation}
          onLoadSuccess={({ resource }: ImageState) => resource && onLoad(resource)}
          onLoadFailure={onError}
        />
      </Frame>
      <VisuallyHidden role="status">{position}</VisuallyHidden>
    </>
  )
}

/** Returns the position of the crop area's center, for screen readers. */
function describePosition({ x, y, width, height }: CropArea): string {
  const across = formatPercent((x + width / 2) * 100)
  const down = formatPercent((y + height / 2) * 100)
  return t`Center at ${across} across, ${down} down`
}

const Slider = chakra('input', {
  base: {
    flex: '1',
    minWidth: '0',
    height: 'target',
    accentColor: 'ember.solid',
    cursor: 'pointer',
  },
})

/** Shows a slider for the scale of the image, from 1 to `max`. */
function ZoomSlider({
  value,
  max,
  onChange,
}: {
  value: number
  max: number
  onChange: (value: number) => void
}) {
  const id = useId()
  return (
    <Box display="flex" alignItems="center" gap="3" flex="1" minWidth="0">
      <chakra.label htmlFor={id} textStyle="label">
        {t`Zoom`}
      </chakra.label>
      <Slider
        id={id}
        type="range"
        min={1}
        max={max}
        step={0.01}
        value={value}
        aria-valuetext={formatPercent(value * 100)}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
    </Box>
  )
}

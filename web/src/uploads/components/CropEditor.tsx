import { chakra } from '@chakra-ui/react'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import AvatarEditor, { type AvatarEditorRef, type ImageState } from 'react-avatar-editor'
import { VisuallyHidden } from '@/ui/layout'
import { useMinWidth } from '@/ui/useMinWidth'
import { arrowKeyOffset, moveImage } from '../arrow-key-offset'
import { transparentFill } from '../crop'

/**
 * The sides of what is kept and the shaded border around it, in pixels: of a phone, and of anything larger. At the start
 * the picture fills the border too.
 */
const small = { side: 260, border: 14 }
const large = { side: 320, border: 17 }
/** What is not kept is shaded: black, to so large a part. */
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
 * A picture below a round hole: dragged or moved by the arrow keys, with a mouse, a finger or a keyboard.
 *
 * @param scale how many times larger than where its smaller side just fits
 * @param turned degrees clockwise, a multiple of 90
 */
export function CropEditor({
  file,
  scale,
  turned,
  editor,
  focus,
  describedBy,
  onReady,
  onBroken,
}: {
  file: File
  scale: number
  turned: number
  editor: RefObject<AvatarEditorRef | null>
  focus: RefObject<HTMLDivElement | null>
  describedBy: string
  onReady: (picture: HTMLImageElement) => void
  onBroken: () => void
}) {
  const { side, border } = useMinWidth('md') ? large : small
  const [place, setPlace] = useState('')
  // The editor would read a picture that is there from the start twice, and forget where it was moved in between.
  const [shown, setShown] = useState<File>()
  useEffect(() => setShown(file), [file])
  const frame = useRef<HTMLDivElement>(null)

  const move = (event: KeyboardEvent) => {
    const by = arrowKeyOffset(event)
    const canvas = frame.current?.querySelector('canvas')
    if (!by || !canvas) return
    event.preventDefault()
    moveImage(canvas, by)
    const part = editor.current?.getCroppingRect()
    if (part) setPlace(wordsOf(part))
  }

  return (
    <>
      <Frame
        ref={(element: HTMLDivElement | null) => {
          frame.current = element
          focus.current = element
        }}
        // Arrow keys are for it, not for reading on.
        role="application"
        aria-label="Part of the picture that is kept"
        aria-describedby={describedBy}
        tabIndex={0}
        onKeyDown={move}
      >
        <AvatarEditor
          ref={editor}
          {...(shown ? { image: shown } : {})}
          width={side}
          height={side}
          border={border}
          borderRadius={side / 2}
          color={shade}
          backgroundColor={transparentFill}
          scale={scale}
          rotate={turned}
          onLoadSuccess={({ resource }: ImageState) => resource && onReady(resource)}
          onLoadFailure={onBroken}
        />
      </Frame>
      <VisuallyHidden role="status">{place}</VisuallyHidden>
    </>
  )
}

/** Where the middle of what is kept lies, for those who do not see it. */
function wordsOf({ x, y, width, height }: { x: number; y: number; width: number; height: number }): string {
  const percent = (part: number) => Math.round(part * 100)
  return `Middle at ${percent(x + width / 2)}% across, ${percent(y + height / 2)}% down`
}

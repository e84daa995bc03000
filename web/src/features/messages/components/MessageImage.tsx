import { Box, chakra } from '@chakra-ui/react'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { Button } from '@/ui/Button'
import { ImageIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import type { Bubble, BubbleImage } from '../model/bubbles'
import { MessageUploadProgress } from './MessageUploadProgress'
import { useThreadActions } from './thread-actions'

const Frame = chakra('div', {
  base: {
    position: 'relative',
    isolation: 'isolate',
    overflow: 'hidden',
    maxWidth: '100%',
    bg: 'pressed',
    color: 'text',
    borderRadius: 'md',
  },
})
const Blurred = chakra('img', {
  base: {
    position: 'absolute',
    inset: '0',
    width: '100%',
    height: '100%',
    objectFit: 'cover',
    filter: 'blur(1rem)',
    // Past the edges, where the blur would let the ground through.
    transform: 'scale(1.15)',
  },
})
const Opener = chakra('button', {
  base: {
    position: 'absolute',
    inset: '0',
    width: '100%',
    cursor: 'zoom-in',
    borderRadius: 'md',
    _focusVisible: { outlineOffset: '-2px' },
  },
})
const Image = chakra('img', { base: { width: '100%', height: '100%', objectFit: 'cover' } })

/** Pixels: the longest side of a picture in a thread, and the shortest that can still be pressed. */
const longest = 280
const shortest = 120
/** Pixels: from this height on, a picture that is missing has room for its sign. */
const roomy = 160

/** The room of a picture: its shape, as large as the thread allows. What is longer still is shown in part. */
function frameOf({ width, height }: BubbleImage): { width: number; ratio: number } {
  const scale = Math.min(1, longest / Math.max(width, height))
  const shown = { width: Math.max(shortest, width * scale), height: Math.max(shortest, height * scale) }
  return { width: Math.round(shown.width), ratio: shown.width / shown.height }
}

/** The picture of a message in a frame of its shape, which opens large. One that is gone says so. */
export function MessageImage({ bubble, image }: { bubble: Bubble; image: BubbleImage }) {
  const { me, name, openPicture } = useThreadActions()
  const local = useObjectUrl(image.blob)
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  const url = image.url ?? local
  const failed = url !== null && url === failedUrl
  const gone = image.url === null && image.blob === null
  const opens = !gone && !failed
  const { keep, take } = useFocusKept()
  const frame = frameOf(image)
  const alt = `Picture from ${bubble.senderId === me ? 'you' : name}`
  return (
    <Frame
      data-frame
      bg={opens ? undefined : 'sunken'}
      style={{ width: `${frame.width}px`, aspectRatio: frame.ratio }}
    >
      {image.placeholder && opens && <Blurred src={image.placeholder} alt="" aria-hidden decoding="async" />}
      {!opens ? (
        <Instead
          small={frame.width / frame.ratio < roomy}
          text={gone ? 'This picture is gone.' : 'The picture did not load.'}
        >
          {!gone && (
            <Button
              ref={take}
              variant="outline"
              size="sm"
              onClick={() => {
                keep()
                setFailedUrl(null)
              }}
            >
              Try again
            </Button>
          )}
        </Instead>
      ) : (
        url && (
          <Opener
            ref={take}
            type="button"
            onClick={(event) => openPicture({ id: bubble.id, url, alt }, event.currentTarget)}
          >
            <VisuallyHidden>Open:</VisuallyHidden>
            <Image
              src={url}
              alt={alt}
              loading="lazy"
              decoding="async"
              onError={() => {
                keep()
                setFailedUrl(url)
              }}
            />
          </Opener>
        )
      )}
      {bubble.state === 'pending' && <MessageUploadProgress messageId={bubble.id} />}
    </Frame>
  )
}

function Instead({ small, text, children }: { small: boolean; text: string; children: ReactNode }) {
  return (
    <Box
      position="absolute"
      inset="0"
      display="flex"
      flexDirection="column"
      alignItems="center"
      justifyContent="center"
      gap="2"
      padding={small ? '1' : '3'}
      textAlign="center"
      textStyle="small"
      bg="sunken"
      color="muted"
    >
      {!small && (
        <Box fontSize="2xl">
          <ImageIcon />
        </Box>
      )}
      {text}
      {children}
    </Box>
  )
}

/**
 * The picture and the button that stands in its place take the focus over from each other: `keep` right before the one
 * that may have it goes, `take` as the other's `ref`.
 */
function useFocusKept() {
  const shown = useRef<HTMLElement | null>(null)
  const kept = useRef(false)
  const keep = useCallback(() => {
    kept.current = shown.current !== null && shown.current === document.activeElement
  }, [])
  const take = useCallback((element: HTMLElement | null) => {
    shown.current = element
    if (!element || !kept.current) return
    kept.current = false
    element.focus({ preventScroll: true })
  }, [])
  return { keep, take }
}

/** An address for what is still in the browser, for as long as it is shown. */
function useObjectUrl(blob: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return url
}

import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { type ReactNode, useCallback, useRef, useState } from 'react'
import { Button } from '@/ui/Button'
import { ImageIcon } from '@/ui/icons'
import { UploadProgressBar } from '@/uploads/components/UploadProgressBar'
import type { Bubble, BubbleImage } from '../model/bubbles'
import { useUploadProgress } from '../outbox/useOutbox'
import { useObjectUrl } from '../useObjectUrl'
import { useThreadActions } from './thread-actions'
import { afterDoubleTapAttribute } from './useTouchGestures'

export const ImageFrame = chakra('div', {
  base: {
    position: 'relative',
    isolation: 'isolate',
    overflow: 'hidden',
    maxWidth: '100%',
    bg: 'pressed',
    color: 'text',
    borderRadius: 'lg',
  },
})
export const BlurredImage = chakra('img', {
  base: {
    position: 'absolute',
    inset: '0',
    width: '100%',
    height: '100%',
    objectFit: 'cover',
    filter: 'blur(1rem)',
    // Larger than the frame, because the blur makes the edges transparent.
    transform: 'scale(1.15)',
  },
})
const OpenButton = chakra('button', {
  base: {
    position: 'absolute',
    inset: '0',
    width: '100%',
    cursor: 'zoom-in',
    borderRadius: 'lg',
    _focusVisible: { outlineOffset: '-2px' },
  },
})
const Image = chakra('img', { base: { width: '100%', height: '100%', objectFit: 'cover' } })

/** Shows the image of a message, which opens in the lightbox, or says that it is deleted or failed to load. */
export function MessageImage({
  bubble,
  image,
  inBubble = false,
  overlay,
}: {
  bubble: Bubble
  image: BubbleImage
  /** Whether the image is in a bubble with text, which needs a minimum width and rounds the corners. */
  inBubble?: boolean
  /** Displayed on top of the image. */
  overlay?: ReactNode
}) {
  const { me, name, openImage } = useThreadActions()
  const localUrl = useObjectUrl(image.blob)
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  const url = image.url ?? localUrl
  const failed = url !== null && url === failedUrl
  const deleted = image.url === null && image.blob === null
  const isAvailable = !deleted && !failed
  const { rememberFocus, focusRef } = useFocusTransfer()
  const frame = getFrame(image, inBubble, bubble.paidPhoto !== null)
  const own = bubble.senderId === me
  const alt = own ? t`Photo from you` : t`Photo from ${name}`
  return (
    <ImageFrame
      data-frame
      borderRadius={inBubble ? '0' : undefined}
      css={inBubble ? { '& > button': { borderRadius: '0' } } : undefined}
      bg={isAvailable ? undefined : 'sunken'}
      style={{ width: `${frame.width}px`, aspectRatio: frame.ratio }}
    >
      {image.placeholder && isAvailable && (
        <BlurredImage src={image.placeholder} alt="" aria-hidden decoding="async" />
      )}
      {!isAvailable ? (
        <ImageError
          compact={frame.width / frame.ratio < minHeightForIcon}
          text={deleted ? t`Photo unavailable` : t`Couldn't load the photo`}
        >
          {!deleted && (
            <Button
              ref={focusRef}
              variant="outline"
              size="sm"
              onClick={() => {
                rememberFocus()
                setFailedUrl(null)
              }}
            >
              {t`Try again`}
            </Button>
          )}
        </ImageError>
      ) : (
        url && (
          <OpenButton
            ref={focusRef}
            type="button"
            {...afterDoubleTapAttribute}
            aria-label={own ? t`Open photo from you` : t`Open photo from ${name}`}
            onClick={(event) => openImage({ messageId: bubble.id, url, alt }, event.currentTarget)}
          >
            <Image
              src={url}
              alt={alt}
              loading="lazy"
              decoding="async"
              onError={() => {
                rememberFocus()
                setFailedUrl(url)
              }}
            />
          </OpenButton>
        )
      )}
      {overlay}
      {bubble.state === 'pending' && <MessageUploadProgress messageId={bubble.id} />}
    </ImageFrame>
  )
}

/** Pixels: the limits for the sides of an image in a thread. The minimum keeps an image easy to tap. */
const maxSize = { width: 320, height: 360 }
const minSide = 120
const minBubbleWidth = 240
/** Pixels: leaves room for the lock and the button to unlock. The photo keeps this size once it is unlocked. */
const minPaidSize = { width: 240, height: 176 }
/** Pixels: an error shows an icon only in a frame of at least this height. */
const minHeightForIcon = 160

/** Returns the size at which an image is displayed. An image with an extreme aspect ratio is cropped. */
export function getFrame(
  { width, height }: BubbleImage,
  inBubble: boolean,
  isPaid: boolean,
): { width: number; ratio: number } {
  const scale = Math.min(1, maxSize.width / width, maxSize.height / height)
  const min = isPaid ? minPaidSize : { width: inBubble ? minBubbleWidth : minSide, height: minSide }
  const frame = { width: Math.max(min.width, width * scale), height: Math.max(min.height, height * scale) }
  return { width: Math.round(frame.width), ratio: frame.width / frame.height }
}

/** Shows the upload progress at the bottom edge of an image. */
function MessageUploadProgress({ messageId }: { messageId: string }) {
  const percent = useUploadProgress(messageId)
  if (percent === undefined) return null
  return (
    <UploadProgressBar
      label={t`Photo upload`}
      percent={percent}
      position="absolute"
      insetInline="0"
      bottom="0"
      height="1.5"
      pointerEvents="none"
    />
  )
}

function ImageError({ compact, text, children }: { compact: boolean; text: string; children: ReactNode }) {
  return (
    <Box
      position="absolute"
      inset="0"
      display="flex"
      flexDirection="column"
      alignItems="center"
      justifyContent="center"
      gap="2"
      padding={compact ? '1' : '3'}
      textAlign="center"
      textStyle="small"
      bg="sunken"
      color="muted"
    >
      {!compact && (
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
 * Moves the focus between the image and the button that replaces it. Use `focusRef` as the `ref` of both and call
 * `rememberFocus` right before one replaces the other.
 */
function useFocusTransfer() {
  const elementRef = useRef<HTMLElement | null>(null)
  const hadFocus = useRef(false)
  const rememberFocus = useCallback(() => {
    hadFocus.current = elementRef.current !== null && elementRef.current === document.activeElement
  }, [])
  const focusRef = useCallback((element: HTMLElement | null) => {
    elementRef.current = element
    if (!element || !hadFocus.current) return
    hadFocus.current = false
    element.focus({ preventScroll: true })
  }, [])
  return { rememberFocus, focusRef }
}

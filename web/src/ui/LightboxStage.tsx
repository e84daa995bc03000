import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { type Ref, type RefObject, useRef, useState } from 'react'
import { InlineError } from './states'
import { userTextParagraphs } from './UserText'
import { type MediaGestures, slideGap, useMediaGestures } from './useMediaGestures'

/** An image or video in the lightbox. */
export interface LightboxItem {
  id: string
  kind: 'image' | 'video'
  url: string
  /** The accessible name of the item, and of the dialog that shows it. */
  label: string
  /** The alternative text of an image; `label` if omitted. */
  alt?: string
  title?: string | null
  /** Shown below the item. */
  text?: string | null
  /** In pixels. */
  width?: number | null
  height?: number | null
  /** A tiny blurred image, shown while the image loads. */
  placeholder?: string | null
  /** Whether the viewer may download the file. */
  canDownload?: boolean
}

/**
 * Shows an item of the lightbox with its caption. Its neighbors are to the left and right of the screen; a swipe moves
 * them into view.
 */
export function LightboxStage({
  items,
  index,
  gestures,
  isZoomed,
  onZoomChange,
  onGoTo,
  onClose,
}: {
  items: readonly LightboxItem[]
  index: number
  /** Receives the functions that zoom and pan the image. */
  gestures: RefObject<MediaGestures | null>
  isZoomed: boolean
  onZoomChange: (isZoomed: boolean) => void
  onGoTo: (index: number) => void
  onClose: () => void
}) {
  const stage = useRef<HTMLDivElement>(null)
  const track = useRef<HTMLDivElement>(null)
  const media = useRef<HTMLImageElement>(null)
  const item = items[index]
  useMediaGestures(
    { stage, track, media, gestures },
    {
      itemId: item?.id,
      onPrevious: index > 0 ? () => onGoTo(index - 1) : undefined,
      onNext: index < items.length - 1 ? () => onGoTo(index + 1) : undefined,
      onClose,
      onZoomChange,
    },
  )
  if (!item) return null
  return (
    <>
      <Box
        ref={stage}
        flex="1"
        minHeight="0"
        position="relative"
        overflow="hidden"
        userSelect="none"
        // The browser's own gestures would compete with those of the stage. On a video, only pinch zoom remains.
        touchAction={item.kind === 'image' ? 'none' : 'pinch-zoom'}
        cursor={isZoomed ? 'grab' : undefined}
      >
        <Box ref={track} position="absolute" inset="0">
          {[index - 1, index, index + 1].map((slideIndex) => {
            const slideItem = items[slideIndex]
            const isCurrent = slideIndex === index
            return (
              slideItem && (
                <Box
                  key={slideItem.id}
                  position="absolute"
                  inset="0"
                  padding={{ base: '0', md: '2' }}
                  aria-hidden={!isCurrent || undefined}
                  inert={!isCurrent}
                  style={{
                    transform: `translateX(calc(${slideIndex - index} * (100% + ${slideGap}px)))`,
                  }}
                >
                  <Slide item={slideItem} isCurrent={isCurrent} media={isCurrent ? media : undefined} />
                </Box>
              )
            )
          })}
        </Box>
      </Box>
      <Caption item={item} />
    </>
  )
}

const contained = {
  maxWidth: '100%',
  maxHeight: '100%',
  objectFit: 'contain',
  borderRadius: 'sm',
} as const
const Image = chakra('img', { base: { ...contained, height: 'auto' } })
const Video = chakra('video', { base: contained })

/** Shows an image or video. Neighboring videos are not loaded. */
function Slide({
  item,
  isCurrent,
  media,
}: {
  item: LightboxItem
  isCurrent: boolean
  media: Ref<HTMLImageElement> | undefined
}) {
  const [hasFailed, setFailed] = useState(false)
  const [isLoaded, setLoaded] = useState(false)
  if (hasFailed) {
    const text =
      item.kind === 'image' ? t`Couldn't load the photo. Try again.` : t`Couldn't play the video. Try again.`
    return <InlineError cover text={text} onRetry={() => setFailed(false)} />
  }
  return (
    <Box width="100%" height="100%" display="flex" alignItems="center" justifyContent="center">
      {item.kind === 'image' ? (
        <Image
          ref={media}
          src={item.url}
          alt={item.alt ?? item.label}
          width={item.width ?? undefined}
          height={item.height ?? undefined}
          style={
            // The placeholder is removed once the image has loaded, because it would show through a transparent image.
            item.placeholder && !isLoaded
              ? { background: `center / contain no-repeat url(${item.placeholder})` }
              : undefined
          }
          draggable={false}
          onLoad={() => setLoaded(true)}
          onError={() => setFailed(true)}
        />
      ) : (
        isCurrent && (
          <Video
            src={item.url}
            aria-label={item.label}
            controls
            playsInline
            preload="metadata"
            onError={() => setFailed(true)}
          />
        )
      )}
    </Box>
  )
}

function Caption({ item: { title, text, alt } }: { item: LightboxItem }) {
  if (!title && !text) return null
  return (
    <Box
      flexShrink={0}
      maxHeight="24dvh"
      overflowY="auto"
      width="100%"
      maxWidth="40rem"
      marginInline="auto"
      paddingInline="4"
      paddingBlock="3"
    >
      {title && (
        <Box as="h2" textStyle="title" overflowWrap="anywhere" dir="auto">
          {title}
        </Box>
      )}
      {text && (
        <Box
          textStyle="small"
          marginTop={title ? '1' : '0'}
          overflowWrap="anywhere"
          whiteSpace="pre-wrap"
          // Screen readers already read this text, because it is also the image's alternative text.
          aria-hidden={text === alt || undefined}
          {...userTextParagraphs}
        >
          {text}
        </Box>
      )}
    </Box>
  )
}

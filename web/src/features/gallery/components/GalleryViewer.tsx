import { Box, chakra } from '@chakra-ui/react'
import type { GalleryItem } from '@contract/gallery.ts'
import { t } from '@lingui/core/macro'
import { type KeyboardEvent, type Ref, type TouchEvent, useEffect, useRef, useState } from 'react'
import { formatCount } from '@/lib/format'
import { IconButton } from '@/ui/IconButton'
import { ArrowLeftIcon, TrashIcon } from '@/ui/icons'
import { LightboxFrame } from '@/ui/Lightbox'
import { VisuallyHidden } from '@/ui/layout'
import { InlineError } from '@/ui/states'
import { userTextParagraphs } from '@/ui/UserText'
import { mediaAltText, tileId } from '../model'

const contained = { maxWidth: '100%', maxHeight: '100%', objectFit: 'contain', borderRadius: 'sm' } as const
const Image = chakra('img', { base: contained })
const Video = chakra('video', { base: contained })

/** The next page is loaded when the open item is among the last items. */
const preloadDistance = 3

/**
 * Shows one item at a time, as large as the window. Arrow keys, Home, End and swipes move to other items, and Escape
 * closes. On close, the focus returns to the tile of the item shown last.
 */
export function GalleryViewer({
  items,
  hasMore,
  onNearEnd,
  openId,
  onOpen,
  ownerName,
  onDelete,
  fallbackFocusTarget,
}: {
  items: readonly GalleryItem[]
  /** There are items that are not loaded yet. */
  hasMore: boolean
  onNearEnd: () => void
  openId: string | null
  onOpen: (id: string | null) => void
  ownerName: string
  onDelete: ((item: GalleryItem) => void) | undefined
  /** Returns the element that gets the focus on close if the tile no longer exists. */
  fallbackFocusTarget: () => HTMLElement | null
}) {
  const index = items.findIndex(({ id }) => id === openId)
  const item = items[index]
  const lastOpenId = useRef<string | null>(null)
  const nextButtonRef = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (openId) lastOpenId.current = openId
  }, [openId])
  const isNearEnd = item !== undefined && hasMore && index >= items.length - preloadDistance
  const latestOnNearEnd = useRef(onNearEnd)
  useEffect(() => {
    latestOnNearEnd.current = onNearEnd
  }, [onNearEnd])
  useEffect(() => {
    if (isNearEnd) latestOnNearEnd.current()
  }, [isNearEnd])
  // The open item was deleted in another tab or by its owner.
  useEffect(() => {
    if (openId && !item) onOpen(null)
  }, [openId, item, onOpen])

  const goTo = (targetIndex: number) => {
    const target = items[Math.min(Math.max(targetIndex, 0), items.length - 1)]
    if (target) onOpen(target.id)
  }
  const swipe = useSwipe({ onLeft: () => goTo(index + 1), onRight: () => goTo(index - 1) })
  const onKeyDown = (event: KeyboardEvent) => {
    // The video player uses the arrow keys itself.
    if (event.target instanceof HTMLVideoElement || event.altKey || event.ctrlKey || event.metaKey) return
    const targetIndex = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: items.length - 1 }[
      event.key
    ]
    if (targetIndex === undefined) return
    event.preventDefault()
    goTo(targetIndex)
  }
  const deleteItem = () => {
    if (!item) return
    const neighbor = items[index + 1] ?? items[index - 1]
    onOpen(neighbor?.id ?? null)
    onDelete?.(item)
  }
  const position = formatCount(index + 1)
  const count = formatCount(items.length)
  const positionText = hasMore ? t`${position} of ${count}+` : t`${position} of ${count}`
  return (
    <LightboxFrame
      open={item !== undefined}
      onClose={() => onOpen(null)}
      label={item ? mediaAltText(item, ownerName) : t`Gallery`}
      initialFocus={() => nextButtonRef.current}
      finalFocus={() => document.getElementById(tileId(lastOpenId.current ?? '')) ?? fallbackFocusTarget()}
      backdrop={1}
      onKeyDown={onKeyDown}
      width="100%"
      height="100%"
      maxWidth="75rem"
    >
      {item && (
        <>
          <Box
            display="flex"
            alignItems="center"
            gap="2"
            minHeight="target"
            marginTop="2"
            marginBottom="3"
            paddingInlineEnd="16"
            color="stage.light"
            textStyle="label"
            fontVariantNumeric="tabular-nums"
          >
            <span aria-hidden>{positionText}</span>
            <VisuallyHidden role="status">{`${positionText}. ${mediaAltText(item, ownerName)}`}</VisuallyHidden>
            <Box marginInlineStart="auto" display="flex" gap="2">
              <ArrowButton label={t`Previous`} disabled={index === 0} onClick={() => goTo(index - 1)} />
              <ArrowButton
                ref={nextButtonRef}
                label={t`Next`}
                forward
                disabled={index === items.length - 1}
                onClick={() => goTo(index + 1)}
              />
            </Box>
            {onDelete && (
              <IconButton label={t`Delete`} tooltip={false} variant="quiet" onClick={deleteItem}>
                <TrashIcon />
              </IconButton>
            )}
          </Box>
          <Box position="relative" flex="1" minHeight="0" display="grid" placeItems="center" {...swipe}>
            <OpenItem key={item.id} item={item} ownerName={ownerName} />
          </Box>
          {(item.title ?? item.description) && (
            <Box
              flexShrink={0}
              maxHeight="24dvh"
              overflowY="auto"
              width="100%"
              maxWidth="40rem"
              marginInline="auto"
              paddingTop="3"
              color="stage.light"
            >
              {item.title && (
                <Box as="h2" textStyle="title" overflowWrap="anywhere" dir="auto">
                  {item.title}
                </Box>
              )}
              {item.description && (
                <Box
                  textStyle="small"
                  marginTop="1"
                  overflowWrap="anywhere"
                  whiteSpace="pre-wrap"
                  {...userTextParagraphs}
                >
                  {item.description}
                </Box>
              )}
            </Box>
          )}
        </>
      )}
    </LightboxFrame>
  )
}

function OpenItem({ item, ownerName }: { item: GalleryItem; ownerName: string }) {
  const [hasFailed, setFailed] = useState(false)
  const [isLoaded, setLoaded] = useState(false)
  const name = mediaAltText(item, ownerName)
  if (hasFailed) {
    const text =
      item.mediaType === 'image'
        ? t`Couldn't load the photo. Try again.`
        : t`Couldn't play the video. Try again.`
    return (
      <Box position="relative" width="100%" height="100%">
        <InlineError cover text={text} onRetry={() => setFailed(false)} />
      </Box>
    )
  }
  return (
    <Box position="absolute" inset="0" display="flex" alignItems="center" justifyContent="center">
      {item.mediaType === 'image' ? (
        <Image
          src={item.mediaUrl}
          alt={name}
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
        <Video
          src={item.mediaUrl}
          aria-label={name}
          controls
          playsInline
          preload="metadata"
          onError={() => setFailed(true)}
        />
      )}
    </Box>
  )
}

function ArrowButton({
  ref,
  label,
  forward = false,
  disabled,
  onClick,
}: {
  ref?: Ref<HTMLButtonElement>
  label: string
  forward?: boolean
  disabled: boolean
  onClick: () => void
}) {
  return (
    <IconButton
      ref={ref}
      label={label}
      tooltip={false}
      variant="quiet"
      // On phones, buttons over the item would cover the video's controls.
      position={{ base: 'static', md: 'absolute' }}
      top="calc(50% - {sizes.target} / 2)"
      zIndex="raised"
      insetStart={forward ? undefined : '2'}
      insetEnd={forward ? '2' : undefined}
      // Not `disabled`: if the button lost the focus, the viewer would no longer receive key events.
      aria-disabled={disabled}
      onClick={() => !disabled && onClick()}
    >
      <Box as="span" display="grid" transform={forward ? 'scaleX(-1)' : undefined}>
        <ArrowLeftIcon />
      </Box>
    </IconButton>
  )
}

/** The minimum horizontal distance of a swipe in pixels, and its minimum ratio to the vertical distance. */
const minSwipeDistance = 48
const minSwipeRatio = 1.5

/** Returns whether the page is zoomed in, where a finger pans the page. Browsers round the scale. */
const isZoomed = () => (window.visualViewport?.scale ?? 1) > 1.01

/** Returns touch handlers that detect swipes with one finger. Two fingers zoom the page. */
function useSwipe({ onLeft, onRight }: { onLeft: () => void; onRight: () => void }) {
  const start = useRef<{ x: number; y: number } | null>(null)
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const touch = touches.length === 1 && !isZoomed() ? touches[0] : undefined
      start.current = touch ? { x: touch.clientX, y: touch.clientY } : null
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const from = start.current
      const touch = changedTouches[0]
      start.current = null
      if (!from || !touch) return
      const [x, y] = [touch.clientX - from.x, touch.clientY - from.y]
      if (Math.abs(x) < minSwipeDistance || Math.abs(x) < Math.abs(y) * minSwipeRatio) return
      if (x < 0) onLeft()
      else onRight()
    },
    onTouchCancel: () => {
      start.current = null
    },
  }
}

import { Box, chakra } from '@chakra-ui/react'
import type { GalleryItem } from '@contract/gallery.ts'
import { type KeyboardEvent, type Ref, useEffect, useRef, useState } from 'react'
import { IconButton } from '@/ui/IconButton'
import { ArrowLeftIcon, TrashIcon } from '@/ui/icons'
import { LightboxFrame } from '@/ui/Lightbox'
import { VisuallyHidden } from '@/ui/layout'
import { InlineError } from '@/ui/states'
import { userTextParagraphs } from '@/ui/user-text-styles'
import { mediaAltText, tileId } from '../model'
import { useSwipe } from './useSwipe'

const large = { maxWidth: '100%', maxHeight: '100%', objectFit: 'contain', borderRadius: 'sm' } as const
const Image = chakra('img', { base: large })
const Video = chakra('video', { base: large })

/** Items from the end at which more are asked for. */
const near = 3

/**
 * One item at a time, as large as the window allows: arrows, Home, End and a swipe go on to others, Escape closes. The
 * focus returns to the tile of what was seen last.
 */
export function GalleryViewer({
  items,
  more,
  onNearEnd,
  openId,
  onOpen,
  by,
  onDelete,
  otherFocus,
}: {
  items: readonly GalleryItem[]
  /** Others follow, which are not here yet. */
  more: boolean
  onNearEnd: () => void
  openId: string | null
  onOpen: (id: string | null) => void
  by: string
  onDelete: ((item: GalleryItem) => void) | undefined
  /** What gets the focus when it closes and no tile is left. */
  otherFocus: () => HTMLElement | null
}) {
  const at = items.findIndex(({ id }) => id === openId)
  const item = items[at]
  const seen = useRef<string | null>(null)
  const next = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (openId) seen.current = openId
  }, [openId])
  const isNear = item !== undefined && more && at >= items.length - near
  const ask = useRef(onNearEnd)
  useEffect(() => {
    ask.current = onNearEnd
  }, [onNearEnd])
  useEffect(() => {
    if (isNear) ask.current()
  }, [isNear])
  // What was open is gone: another tab deleted it, or its person did.
  useEffect(() => {
    if (openId && !item) onOpen(null)
  }, [openId, item, onOpen])

  const go = (to: number) => {
    const other = items[Math.min(Math.max(to, 0), items.length - 1)]
    if (other) onOpen(other.id)
  }
  const swipe = useSwipe({ onLeft: () => go(at + 1), onRight: () => go(at - 1) })
  const onKeyDown = (event: KeyboardEvent) => {
    // In a video the arrows belong to its own controls.
    if (event.target instanceof HTMLVideoElement || event.altKey || event.ctrlKey || event.metaKey) return
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: items.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    go(to)
  }
  const remove = () => {
    if (!item) return
    const other = items[at + 1] ?? items[at - 1]
    onOpen(other?.id ?? null)
    onDelete?.(item)
  }
  const place = `${at + 1} of ${items.length}${more ? '+' : ''}`
  return (
    <LightboxFrame
      open={item !== undefined}
      onClose={() => onOpen(null)}
      label={item ? mediaAltText(item, by) : 'Gallery'}
      initialFocus={() => next.current}
      finalFocus={() => document.getElementById(tileId(seen.current ?? '')) ?? otherFocus()}
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
            <span aria-hidden>{place}</span>
            <VisuallyHidden role="status">{`${place}. ${mediaAltText(item, by)}`}</VisuallyHidden>
            <Box marginInlineStart="auto" display="flex" gap="2">
              <Arrow label="Previous" disabled={at === 0} onClick={() => go(at - 1)} />
              <Arrow
                ref={next}
                label="Next"
                forward
                disabled={at === items.length - 1}
                onClick={() => go(at + 1)}
              />
            </Box>
            {onDelete && (
              <IconButton label="Delete" tooltip={false} variant="quiet" onClick={remove}>
                <TrashIcon />
              </IconButton>
            )}
          </Box>
          <Box position="relative" flex="1" minHeight="0" display="grid" placeItems="center" {...swipe}>
            <Shown key={item.id} item={item} by={by} />
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

function Shown({ item, by }: { item: GalleryItem; by: string }) {
  const [failed, setFailed] = useState(false)
  const [loaded, setLoaded] = useState(false)
  const name = mediaAltText(item, by)
  if (failed) {
    const text = item.mediaType === 'image' ? 'The picture did not load.' : 'The video cannot be played.'
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
            // Behind a picture that can be seen through, or beside one, it would show on.
            item.placeholder && !loaded
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

function Arrow({
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
      // On a phone it would lie on the video's own controls.
      position={{ base: 'static', md: 'absolute' }}
      top="calc(50% - {sizes.target} / 2)"
      zIndex="raised"
      insetStart={forward ? undefined : '2'}
      insetEnd={forward ? '2' : undefined}
      // Still there to have the focus: where it went away, Escape and the arrows would go unheard.
      aria-disabled={disabled}
      onClick={() => !disabled && onClick()}
    >
      <Box as="span" display="grid" transform={forward ? 'scaleX(-1)' : undefined}>
        <ArrowLeftIcon />
      </Box>
    </IconButton>
  )
}
